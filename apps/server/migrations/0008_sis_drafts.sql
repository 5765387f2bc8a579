CREATE TABLE "sis_drafts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"login" text NOT NULL,
	"name" text NOT NULL,
	"lms" text DEFAULT '' NOT NULL,
	"version" integer NOT NULL,
	"steps" jsonb NOT NULL,
	"summary" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "sis_drafts_expiry" ON "sis_drafts" USING btree ("expires_at");