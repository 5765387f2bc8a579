CREATE TABLE "sis_effect_pieces" (
	"file_id" uuid NOT NULL,
	"job_id" uuid NOT NULL,
	"list" text NOT NULL,
	"seq" integer NOT NULL,
	"rows" integer NOT NULL,
	"data" "bytea" NOT NULL,
	CONSTRAINT "sis_effect_pieces_file_id_job_id_list_seq_pk" PRIMARY KEY("file_id","job_id","list","seq")
);
--> statement-breakpoint
CREATE TABLE "sis_effects" (
	"file_id" uuid PRIMARY KEY NOT NULL,
	"job_id" uuid NOT NULL,
	"summary" "bytea" NOT NULL,
	"made_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sis_effect_pieces" ADD CONSTRAINT "sis_effect_pieces_file_id_sis_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."sis_files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sis_effects" ADD CONSTRAINT "sis_effects_file_id_sis_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."sis_files"("id") ON DELETE cascade ON UPDATE no action;