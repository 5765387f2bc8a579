CREATE TABLE "installation" (
	"id" integer PRIMARY KEY NOT NULL,
	"mode" text NOT NULL,
	"lms" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
