CREATE TABLE "audit" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"login" text NOT NULL,
	"tool" text NOT NULL,
	"event" text NOT NULL,
	"detail" jsonb NOT NULL,
	"request_id" text
);
--> statement-breakpoint
CREATE TABLE "grants" (
	"id" uuid PRIMARY KEY NOT NULL,
	"login" text NOT NULL,
	"canvas_user_id" bigint NOT NULL,
	"access_token_enc" text NOT NULL,
	"refresh_token_enc" text,
	"expires_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"released_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "import_chunks" (
	"import_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"data" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "import_chunks_import_id_seq_pk" PRIMARY KEY("import_id","seq")
);
--> statement-breakpoint
CREATE TABLE "import_messages" (
	"import_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"file" text,
	"message" text NOT NULL,
	"row" integer,
	CONSTRAINT "import_messages_import_id_seq_pk" PRIMARY KEY("import_id","seq")
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"login" text NOT NULL,
	"grant_id" uuid,
	"tool" text NOT NULL,
	"label" text NOT NULL,
	"plan_id" uuid,
	"key" text,
	"rows" integer NOT NULL,
	"csv_ready" boolean NOT NULL,
	"step" text NOT NULL,
	"canvas_id" bigint,
	"workflow_state" text NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"counts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"warnings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"errors" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"errors_url" text,
	"csv_urls" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"links_at" timestamp with time zone,
	"note" text,
	"sections_note" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"sent_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"lease_owner" text,
	"lease_until" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "login_states" (
	"id" text PRIMARY KEY NOT NULL,
	"return_to" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "plan_courses" (
	"plan_id" uuid NOT NULL,
	"course_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"sis_course_id" text NOT NULL,
	"row_count" integer NOT NULL,
	"rows" "bytea" NOT NULL,
	CONSTRAINT "plan_courses_plan_id_course_id_pk" PRIMARY KEY("plan_id","course_id")
);
--> statement-breakpoint
CREATE TABLE "plans" (
	"id" uuid PRIMARY KEY NOT NULL,
	"login" text NOT NULL,
	"role_id" bigint NOT NULL,
	"status" text NOT NULL,
	"rows" integer NOT NULL,
	"label" text NOT NULL,
	"summary" "bytea" NOT NULL,
	"people" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"grant_id" uuid NOT NULL,
	"login" text NOT NULL,
	"name" text NOT NULL,
	"canvas_user_id" bigint NOT NULL,
	"profile" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "plan_courses" ADD CONSTRAINT "plan_courses_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_at" ON "audit" USING btree ("at");--> statement-breakpoint
CREATE INDEX "audit_login" ON "audit" USING btree ("login","at");--> statement-breakpoint
CREATE UNIQUE INDEX "imports_plan" ON "imports" USING btree ("plan_id");--> statement-breakpoint
CREATE UNIQUE INDEX "imports_key" ON "imports" USING btree ("login","key");--> statement-breakpoint
CREATE UNIQUE INDEX "imports_canvas" ON "imports" USING btree ("canvas_id");--> statement-breakpoint
CREATE INDEX "imports_step" ON "imports" USING btree ("step","lease_until");--> statement-breakpoint
CREATE INDEX "imports_login" ON "imports" USING btree ("login","created_at");--> statement-breakpoint
CREATE INDEX "plans_expiry" ON "plans" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sessions_grant" ON "sessions" USING btree ("grant_id");