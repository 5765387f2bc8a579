CREATE TABLE "directory_accounts" (
	"id" bigint PRIMARY KEY NOT NULL,
	"sis_id" text,
	"parent_id" bigint,
	"name" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "directory_accounts_new" (
	"id" bigint PRIMARY KEY NOT NULL,
	"sis_id" text,
	"parent_id" bigint,
	"name" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "directory_courses" (
	"id" bigint PRIMARY KEY NOT NULL,
	"sis_id" text,
	"code" text NOT NULL,
	"name" text NOT NULL,
	"account_id" bigint NOT NULL,
	"term_id" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "directory_courses_new" (
	"id" bigint PRIMARY KEY NOT NULL,
	"sis_id" text,
	"code" text NOT NULL,
	"name" text NOT NULL,
	"account_id" bigint NOT NULL,
	"term_id" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "directory_logins" (
	"user_id" bigint NOT NULL,
	"login" text NOT NULL,
	"sis_id" text
);
--> statement-breakpoint
CREATE TABLE "directory_logins_new" (
	"user_id" bigint NOT NULL,
	"login" text NOT NULL,
	"sis_id" text
);
--> statement-breakpoint
CREATE TABLE "directory_runs" (
	"number" integer PRIMARY KEY NOT NULL,
	"job_id" uuid NOT NULL,
	"lms" text NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"accept_smaller" boolean DEFAULT false NOT NULL,
	"report_id" bigint,
	"started_at" timestamp with time zone,
	"swapped_at" timestamp with time zone,
	"counts" jsonb
);
--> statement-breakpoint
CREATE TABLE "directory_sections" (
	"id" bigint PRIMARY KEY NOT NULL,
	"sis_id" text,
	"course_id" bigint NOT NULL,
	"name" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "directory_sections_new" (
	"id" bigint PRIMARY KEY NOT NULL,
	"sis_id" text,
	"course_id" bigint NOT NULL,
	"name" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "directory_terms" (
	"id" bigint PRIMARY KEY NOT NULL,
	"sis_id" text,
	"name" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "directory_terms_new" (
	"id" bigint PRIMARY KEY NOT NULL,
	"sis_id" text,
	"name" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "directory_users" (
	"id" bigint PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"sortable_name" text NOT NULL,
	"email" text
);
--> statement-breakpoint
CREATE TABLE "directory_users_new" (
	"id" bigint PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"sortable_name" text NOT NULL,
	"email" text
);
--> statement-breakpoint
CREATE INDEX "directory_courses_sis" ON "directory_courses" USING btree ("sis_id");--> statement-breakpoint
CREATE INDEX "directory_courses_new_sis" ON "directory_courses_new" USING btree ("sis_id");--> statement-breakpoint
CREATE INDEX "directory_logins_user" ON "directory_logins" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "directory_logins_login" ON "directory_logins" USING btree (lower("login"));--> statement-breakpoint
CREATE INDEX "directory_logins_sis" ON "directory_logins" USING btree ("sis_id");--> statement-breakpoint
CREATE INDEX "directory_logins_new_user" ON "directory_logins_new" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "directory_logins_new_login" ON "directory_logins_new" USING btree (lower("login"));--> statement-breakpoint
CREATE INDEX "directory_logins_new_sis" ON "directory_logins_new" USING btree ("sis_id");--> statement-breakpoint
CREATE INDEX "directory_sections_course" ON "directory_sections" USING btree ("course_id");--> statement-breakpoint
CREATE INDEX "directory_sections_sis" ON "directory_sections" USING btree ("sis_id");--> statement-breakpoint
CREATE INDEX "directory_sections_new_course" ON "directory_sections_new" USING btree ("course_id");--> statement-breakpoint
CREATE INDEX "directory_sections_new_sis" ON "directory_sections_new" USING btree ("sis_id");--> statement-breakpoint
CREATE INDEX "directory_users_email" ON "directory_users" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "directory_users_new_email" ON "directory_users_new" USING btree (lower("email"));