ALTER TABLE "installation" ADD COLUMN "restored_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "installation" ADD COLUMN "backup_of" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "installation" ADD COLUMN "restore_said_at" timestamp with time zone;