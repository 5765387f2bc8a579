CREATE TABLE "sis_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"login" text NOT NULL,
	"summary" jsonb NOT NULL,
	"files" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "import_chunks" DROP CONSTRAINT "import_chunks_import_id_seq_pk";--> statement-breakpoint
ALTER TABLE "plans" ALTER COLUMN "role_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ALTER COLUMN "status" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "import_chunks" ADD COLUMN "part" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "import_chunks" ADD CONSTRAINT "import_chunks_import_id_part_seq_pk" PRIMARY KEY("import_id","part","seq");--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "files" jsonb;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "zip" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "tool" text DEFAULT 'course-enrollment' NOT NULL;--> statement-breakpoint
CREATE INDEX "sis_files_expiry" ON "sis_files" USING btree ("expires_at");