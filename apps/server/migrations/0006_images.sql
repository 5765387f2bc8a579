CREATE TABLE "image_uploads" (
	"login" text NOT NULL,
	"key" text NOT NULL,
	"name" text NOT NULL,
	"folded" text NOT NULL,
	"uploaded_at" timestamp with time zone NOT NULL,
	CONSTRAINT "image_uploads_login_key_pk" PRIMARY KEY("login","key")
);
--> statement-breakpoint
CREATE TABLE "images" (
	"key" text PRIMARY KEY NOT NULL,
	"home" text NOT NULL,
	"link" text,
	"type" text NOT NULL,
	"bytes" integer NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "objects" (
	"key" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"data" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "image_uploads_own" ON "image_uploads" USING btree ("login","uploaded_at" DESC NULLS FIRST,"key" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "images_home" ON "images" USING btree ("home","key");