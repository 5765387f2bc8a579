CREATE TABLE "access_history" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "access_history_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"by" text NOT NULL,
	"key" text NOT NULL,
	"kind" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"why" text DEFAULT '' NOT NULL,
	"approved_by" text,
	"request_id" text
);
--> statement-breakpoint
CREATE TABLE "access_records" (
	"key" text PRIMARY KEY NOT NULL,
	"login" text NOT NULL,
	"record" jsonb NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"expires_at" timestamp with time zone,
	"disabled" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "access_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"by" text NOT NULL,
	"changes" jsonb NOT NULL,
	"why" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"decided_at" timestamp with time zone,
	"decided_by" text,
	"decision" text
);
--> statement-breakpoint
CREATE TABLE "access_state" (
	"id" integer PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"imported_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "access_history_key" ON "access_history" USING btree ("key","id");--> statement-breakpoint
CREATE INDEX "access_requests_open" ON "access_requests" USING btree ("expires_at") WHERE decided_at is null;--> statement-breakpoint
CREATE FUNCTION access_history_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the history of access is only added to'; END $$;
--> statement-breakpoint
CREATE TRIGGER access_history_is_kept BEFORE UPDATE OR DELETE ON "access_history" FOR EACH ROW EXECUTE FUNCTION access_history_is_kept();
