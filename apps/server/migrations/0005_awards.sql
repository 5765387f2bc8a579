CREATE TABLE "award_lists" (
	"version" integer PRIMARY KEY NOT NULL,
	"rows" integer NOT NULL,
	"entries" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"created_by" text NOT NULL,
	"updated_by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "award_opening" (
	"id" integer PRIMARY KEY NOT NULL,
	"opening_date" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"created_by" text NOT NULL,
	"updated_by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "award_surveys" (
	"id" text PRIMARY KEY NOT NULL,
	"job_id" uuid,
	"read_at" timestamp with time zone,
	"counted_from" text,
	"counted" jsonb
);
