CREATE TABLE "zoom_courses" (
	"lms" text NOT NULL,
	"course_id" bigint NOT NULL,
	"claimed_by" uuid NOT NULL,
	"claimed_until" timestamp with time zone NOT NULL,
	CONSTRAINT "zoom_courses_lms_course_id_pk" PRIMARY KEY("lms","course_id")
);
--> statement-breakpoint
CREATE TABLE "zoom_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "zoom_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"lms" text NOT NULL,
	"course_id" bigint NOT NULL,
	"section_id" bigint DEFAULT 0 NOT NULL,
	"reservation_id" text,
	"event_id" bigint NOT NULL,
	"title" text NOT NULL,
	"start_at" timestamp with time zone,
	"end_at" timestamp with time zone,
	"parent_id" bigint,
	"meeting" bigint,
	"visible" boolean DEFAULT false NOT NULL,
	"making" jsonb,
	"updated_by" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "zoom_host_days" (
	"host" text NOT NULL,
	"day" text NOT NULL,
	"used" integer NOT NULL,
	CONSTRAINT "zoom_host_days_host_day_pk" PRIMARY KEY("host","day")
);
--> statement-breakpoint
CREATE TABLE "zoom_meetings" (
	"lms" text NOT NULL,
	"number" bigint NOT NULL,
	"host_id" text NOT NULL,
	"host_email" text NOT NULL,
	"join_url" text NOT NULL,
	"topic" text NOT NULL,
	"start_at" timestamp with time zone,
	"minutes" integer,
	"co_hosts" text DEFAULT '' NOT NULL,
	"gone_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "zoom_meetings_lms_number_pk" PRIMARY KEY("lms","number")
);
--> statement-breakpoint
CREATE TABLE "zoom_queue" (
	"lms" text NOT NULL,
	"course_id" bigint NOT NULL,
	"login" text NOT NULL,
	"name" text NOT NULL,
	"canvas_user_id" bigint NOT NULL,
	"grant_id" uuid,
	"days" integer NOT NULL,
	"added_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_day" text,
	"last_run_at" timestamp with time zone,
	"last_job" uuid,
	CONSTRAINT "zoom_queue_lms_course_id_pk" PRIMARY KEY("lms","course_id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "zoom_events_reservation" ON "zoom_events" USING btree ("lms","course_id","reservation_id","section_id") WHERE reservation_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "zoom_events_event" ON "zoom_events" USING btree ("lms","event_id") WHERE reservation_id is null;--> statement-breakpoint
CREATE INDEX "zoom_events_course" ON "zoom_events" USING btree ("lms","course_id");--> statement-breakpoint
CREATE INDEX "zoom_events_parent" ON "zoom_events" USING btree ("parent_id");--> statement-breakpoint
CREATE INDEX "zoom_events_meeting" ON "zoom_events" USING btree ("lms","meeting");