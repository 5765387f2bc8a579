ALTER TABLE "plans" ADD COLUMN "kind" text DEFAULT '' NOT NULL;--> statement-breakpoint
-- A plan has the id of the job that made it, and both are kept for a day.
UPDATE "plans" SET "kind" = "jobs"."kind" FROM "jobs" WHERE "jobs"."id" = "plans"."id";
