ALTER TABLE "import_messages" ADD COLUMN "fate" text;--> statement-breakpoint
UPDATE "import_messages" SET "fate" = CASE WHEN "message" LIKE 'Applied: %' THEN 'applied' WHEN "message" LIKE 'Not applied: %' THEN 'not' ELSE 'unknown' END WHERE "seq" > 0 AND ("message" LIKE 'Applied: %' OR "message" LIKE 'Not applied: %' OR "message" LIKE 'Not known: %');
