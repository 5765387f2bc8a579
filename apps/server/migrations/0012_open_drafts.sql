ALTER TABLE "jobs" ADD COLUMN "refused" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sis_drafts" ADD COLUMN "file_id" uuid;