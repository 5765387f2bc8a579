ALTER TABLE "jobs" ADD COLUMN "about" jsonb;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "undoes" uuid;--> statement-breakpoint
CREATE INDEX "jobs_undoes" ON "jobs" USING btree ("undoes") WHERE undoes is not null;