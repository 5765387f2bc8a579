CREATE TABLE "jobs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"tool" text NOT NULL,
	"login" text NOT NULL,
	"name" text NOT NULL,
	"canvas_user_id" bigint DEFAULT 0 NOT NULL,
	"grant_id" uuid,
	"lms" text DEFAULT '' NOT NULL,
	"label" text NOT NULL,
	"key" text NOT NULL,
	"state" text NOT NULL,
	"outcome" text,
	"stage" text,
	"done" integer DEFAULT 0 NOT NULL,
	"total" integer,
	"unit" text,
	"wait_until" timestamp with time zone,
	"wait_why" text,
	"input" "bytea",
	"checkpoint" jsonb,
	"result" jsonb,
	"figures" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"note" text,
	"problem" jsonb,
	"attempts" integer DEFAULT 0 NOT NULL,
	"trouble_since" timestamp with time zone,
	"cancel_asked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"seen_at" timestamp with time zone,
	"forgotten_at" timestamp with time zone,
	"lease_owner" text,
	"lease_until" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "job_items" (
	"job_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"label" text NOT NULL,
	"state" text DEFAULT 'todo' NOT NULL,
	"input" jsonb,
	"outside_id" text,
	"message" text,
	CONSTRAINT "job_items_job_id_seq_pk" PRIMARY KEY("job_id","seq")
);
--> statement-breakpoint
CREATE TABLE "files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"job_id" uuid,
	"login" text NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"bytes" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "import_chunks" RENAME TO "file_pieces";
--> statement-breakpoint
ALTER TABLE "file_pieces" RENAME COLUMN "import_id" TO "file_id";
--> statement-breakpoint
ALTER TABLE "file_pieces" RENAME CONSTRAINT "import_chunks_import_id_part_seq_pk" TO "file_pieces_file_id_part_seq_pk";
--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "lms" text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE "imports" RENAME COLUMN "attempts" TO "sendings";
--> statement-breakpoint
-- Every import of before becomes a job; which LMS it was sent to was not kept.
INSERT INTO "jobs" ("id", "kind", "tool", "login", "name", "grant_id", "label", "key", "state", "outcome", "done", "total", "unit",
	"created_at", "started_at", "updated_at", "ended_at", "seen_at", "problem")
SELECT "id", 'import', "tool", "login", "login", "grant_id", "label",
	CASE WHEN "plan_id" IS NOT NULL THEN 'plan ' || "plan_id" WHEN "key" IS NOT NULL THEN 'rows ' || "key" ELSE 'id ' || "id" END,
	CASE WHEN "step" <> 'final' THEN 'queued' WHEN "workflow_state" IN ('imported', 'imported_with_messages', 'partially_restored', 'restored') THEN 'done' ELSE 'failed' END,
	CASE WHEN "step" <> 'final' THEN NULL WHEN "workflow_state" IN ('imported', 'partially_restored', 'restored') THEN 'done' WHEN "workflow_state" = 'imported_with_messages' THEN 'partly' ELSE 'failed' END,
	"progress", 100, '%', date_trunc('milliseconds', "created_at"), "created_at", "updated_at",
	CASE WHEN "step" = 'final' THEN coalesce("ended_at", "updated_at") END,
	CASE WHEN "step" = 'final' THEN "updated_at" END,
	CASE WHEN "step" = 'final' AND "workflow_state" NOT IN ('imported', 'imported_with_messages', 'partially_restored', 'restored')
		THEN jsonb_build_object('message', coalesce("errors" -> 0 ->> 1, 'The import did not end well.'), 'next', 'Look at its messages.') END
FROM "imports"
ON CONFLICT DO NOTHING;
--> statement-breakpoint
DROP INDEX "imports_key";
--> statement-breakpoint
DROP INDEX "imports_canvas";
--> statement-breakpoint
DROP INDEX "imports_step";
--> statement-breakpoint
DROP INDEX "imports_login";
--> statement-breakpoint
ALTER TABLE "imports" DROP COLUMN "login";
--> statement-breakpoint
ALTER TABLE "imports" DROP COLUMN "grant_id";
--> statement-breakpoint
ALTER TABLE "imports" DROP COLUMN "tool";
--> statement-breakpoint
ALTER TABLE "imports" DROP COLUMN "label";
--> statement-breakpoint
ALTER TABLE "imports" DROP COLUMN "key";
--> statement-breakpoint
ALTER TABLE "imports" DROP COLUMN "created_at";
--> statement-breakpoint
ALTER TABLE "imports" DROP COLUMN "updated_at";
--> statement-breakpoint
ALTER TABLE "imports" DROP COLUMN "ended_at";
--> statement-breakpoint
ALTER TABLE "imports" DROP COLUMN "lease_owner";
--> statement-breakpoint
ALTER TABLE "imports" DROP COLUMN "lease_until";
--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "lms" text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE "sis_files" ADD COLUMN "lms" text DEFAULT '' NOT NULL;
--> statement-breakpoint
CREATE INDEX "files_job" ON "files" USING btree ("job_id");
--> statement-breakpoint
CREATE INDEX "imports_canvas" ON "imports" USING btree ("lms","canvas_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_key" ON "jobs" USING btree ("login","kind","key");
--> statement-breakpoint
CREATE INDEX "jobs_open" ON "jobs" USING btree ("created_at") WHERE ended_at is null;
--> statement-breakpoint
CREATE INDEX "jobs_own" ON "jobs" USING btree ("login","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);
--> statement-breakpoint
CREATE INDEX "jobs_all" ON "jobs" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);
--> statement-breakpoint
CREATE INDEX "jobs_kept" ON "jobs" USING btree ("ended_at") WHERE ended_at is not null and forgotten_at is null;
--> statement-breakpoint
-- The queue of before: jobs say themselves who works on them.
DROP SCHEMA IF EXISTS "pgboss" CASCADE;
