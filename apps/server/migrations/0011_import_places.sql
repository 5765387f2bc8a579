ALTER TABLE "imports" ADD COLUMN "places" jsonb;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "claimed" boolean DEFAULT false NOT NULL;