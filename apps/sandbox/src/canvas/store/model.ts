/**
 * Objects in Canvas, with Canvas's own column names and internal states (reference §6, §9, §10). Change
 * indexed fields only through `Table.change`; see `table.ts`.
 */

/** ISO 8601 in UTC without a fraction, `2012-01-08T12:00:00Z`: as Canvas prints it, and sortable as text. */
export type Timestamp = string;

/** Fields of every stored object. */
export interface Row {
  readonly id: number;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** An object that an SIS import can name, and therefore mark (§7.5, §8). */
export interface SisRow extends Row {
  sis_source_id: string | null;
  /** The last import that touched the row. */
  sis_batch_id: number | null;
}

/** Fields that a person changed, and that later imports leave alone (§10). Null: none. */
export type StuckFields = Set<string> | null;

export type AccountQuotas = {
  default_storage_quota_mb?: number;
  default_user_storage_quota_mb?: number;
  default_group_storage_quota_mb?: number;
};

export interface Account extends SisRow {
  name: string;
  workflow_state: 'active' | 'deleted';
  /** Null only for the root account. */
  parent_account_id: number | null;
  integration_id: string | null;
  default_time_zone: string;
  /** A setting of the root account: without it, the SIS import routes answer 403 (§7). */
  allow_sis_import: boolean;
  /** Quotas that a person has set, in megabytes. */
  quotas?: AccountQuotas;
  stuck_sis_fields: StuckFields;
}

export interface Term extends SisRow {
  name: string;
  workflow_state: 'active' | 'deleted';
  start_at: Timestamp | null;
  end_at: Timestamp | null;
  integration_id: string | null;
  /** Dates by base role type, such as `StudentEnrollment`. */
  overrides: Record<string, { start_at: Timestamp | null; end_at: Timestamp | null }>;
  /** The default term of new courses. */
  default_term: boolean;
  stuck_sis_fields: StuckFields;
}

export interface AbstractCourse extends SisRow {
  name: string;
  short_name: string;
  workflow_state: 'active' | 'deleted';
  account_id: number;
  enrollment_term_id: number;
  stuck_sis_fields: StuckFields;
}

/** Base role types of courses; each enrolment has one of them. */
export const ENROLLMENT_TYPES = [
  'StudentEnrollment',
  'TeacherEnrollment',
  'TaEnrollment',
  'DesignerEnrollment',
  'ObserverEnrollment',
] as const;
/** Including the type without a role: the test student's. */
export type EnrollmentType = (typeof ENROLLMENT_TYPES)[number] | 'StudentViewEnrollment';

export interface Role extends Row {
  name: string;
  label: string;
  base_role_type: EnrollmentType | 'AccountMembership' | 'NoPermissions';
  workflow_state: 'built_in' | 'active' | 'inactive' | 'deleted';
  /** The account of a custom role; null for built-in roles. */
  account_id: number | null;
}

export interface User extends Row {
  name: string;
  sortable_name: string;
  short_name: string;
  workflow_state: 'pre_registered' | 'registered' | 'deleted';
  pronouns: string | null;
  /** The IANA name. */
  time_zone: string | null;
  /** The Rails name under which the zone was given. */
  time_zone_name?: string | null;
  locale: string | null;
  avatar_url: string | null;
  title: string | null;
  bio: string | null;
  stuck_sis_fields: StuckFields;
}

/** A login. SIS IDs belong to the login, not to the user (§6.6, §9.1). */
export interface Pseudonym extends Row {
  user_id: number;
  /** The login ID, compared without regard to case. */
  unique_id: string;
  sis_user_id: string | null;
  integration_id: string | null;
  workflow_state: 'active' | 'suspended' | 'deleted';
  authentication_provider_id: number | null;
  /** False once a person or an import has chosen the password. */
  password_auto_generated: boolean;
  declared_user_type: string | null;
  sis_communication_channel_id: number | null;
  sis_batch_id: number | null;
  last_request_at: Timestamp | null;
  stuck_sis_fields: StuckFields;
}

/** An email address of a user. */
export interface CommunicationChannel extends Row {
  user_id: number;
  path: string;
  path_type: 'email';
  workflow_state: 'unconfirmed' | 'active' | 'retired';
  position: number;
}

export interface Course extends SisRow {
  account_id: number;
  enrollment_term_id: number;
  name: string;
  course_code: string;
  /** `created` and `claimed` are both shown as `unpublished` (§6.3). */
  workflow_state: 'created' | 'claimed' | 'available' | 'completed' | 'deleted';
  integration_id: string | null;
  start_at: Timestamp | null;
  conclude_at: Timestamp | null;
  restrict_enrollments_to_course_dates: boolean;
  course_format: string | null;
  grade_passback_setting: string | null;
  homeroom_course: boolean;
  friendly_name: string | null;
  abstract_course_id: number | null;
  /** True: other courses copy their content from this one (a blueprint). */
  blueprint: boolean;
  /** The blueprint from which this course copies its content. */
  blueprint_course_id: number | null;
  /**
   * The course from which this one was copied for a cross-listing: it follows changes that imports make there
   * (§9.4).
   */
  template_course_id: number | null;
  time_zone: string;
  stuck_sis_fields: StuckFields;
}

export interface Section extends SisRow {
  course_id: number;
  name: string;
  workflow_state: 'active' | 'deleted';
  default_section: boolean;
  integration_id: string | null;
  start_at: Timestamp | null;
  end_at: Timestamp | null;
  restrict_enrollments_to_section_dates: boolean;
  /** The section's original course, if it is cross-listed. */
  nonxlist_course_id: number | null;
  stuck_sis_fields: StuckFields;
}

export type EnrollmentState =
  | 'active'
  | 'invited'
  | 'creation_pending'
  | 'completed'
  | 'inactive'
  | 'rejected'
  | 'deleted';

/** A small record, because there may be half a million. The names of section and role are looked up. */
export interface Enrollment extends Row {
  user_id: number;
  course_id: number;
  course_section_id: number;
  type: EnrollmentType;
  role_id: number;
  /** The observed student, for observers. */
  associated_user_id: number | null;
  workflow_state: EnrollmentState;
  limit_privileges_to_course_section: boolean;
  start_at: Timestamp | null;
  end_at: Timestamp | null;
  completed_at: Timestamp | null;
  last_activity_at: Timestamp | null;
  /** Seconds. */
  total_activity_time: number;
  sis_pseudonym_id: number | null;
  sis_batch_id: number | null;
  stuck_sis_fields: StuckFields;
}

export type ContextType = 'Account' | 'Course';

export interface GroupCategory extends SisRow {
  name: string;
  role: 'student_organized' | 'imported' | 'communities' | null;
  context_type: ContextType;
  context_id: number;
  self_signup: 'enabled' | 'restricted' | null;
  auto_leader: 'first' | 'random' | null;
  group_limit: number | null;
  /** Canvas has a date here instead of a state. */
  deleted_at: Timestamp | null;
}

export interface Group extends SisRow {
  name: string;
  description: string | null;
  workflow_state: 'available' | 'deleted';
  context_type: ContextType;
  context_id: number;
  group_category_id: number;
  join_level: string;
  is_public: boolean;
  max_membership: number | null;
  leader_id: number | null;
  stuck_sis_fields: StuckFields;
}

export interface GroupMembership extends Row {
  group_id: number;
  user_id: number;
  workflow_state: 'accepted' | 'invited' | 'requested' | 'deleted';
  moderator: boolean;
  sis_batch_id: number | null;
}

/** An observer of a student. `user_id` is the student, as in Canvas. */
export interface UserObserver extends Row {
  user_id: number;
  observer_id: number;
  workflow_state: 'active' | 'deleted';
  sis_batch_id: number | null;
}

/** An admin of an account. */
export interface AccountUser extends Row {
  account_id: number;
  user_id: number;
  role_id: number;
  workflow_state: 'active' | 'deleted';
  sis_batch_id: number | null;
}

export interface CalendarEvent extends Row {
  title: string;
  description: string | null;
  workflow_state: 'active' | 'locked' | 'deleted';
  start_at: Timestamp | null;
  end_at: Timestamp | null;
  all_day: boolean;
  /** `yyyy-mm-dd` */
  all_day_date: string | null;
  location_name: string | null;
  location_address: string | null;
  comments: string | null;
  /** `course_42`, `user_3`, `group_7`, `course_section_9`, `account_1` (§12). */
  context_code: string;
  /** The course, if the event belongs to a section. */
  effective_context_code: string | null;
  parent_calendar_event_id: number | null;
  user_id: number | null;
  important_dates: boolean;
  blackout_date: boolean;
  /** The IANA zone of all-day events and series. Null: the zone of the person who writes. */
  time_zone_edited: string | null;
  series_uuid: string | null;
  series_head: boolean | null;
  rrule: string | null;
}

/** An event from another system's timetable, with the code that identifies it but is never shown (§14.4). */
export interface TimetableEvent extends Row {
  context_code: string;
  code: string;
  event_id: number;
}

/** A course's last timetable by weekdays: by section, or `all`. */
export interface Timetable extends Row {
  course_id: number;
  weeks: Record<string, TimetableWeek[]>;
}

/** Lessons at the same hour on some weekdays. */
export type TimetableWeek = {
  /** `Mon,Wed` */
  weekdays: string;
  /** `9:00 am` */
  start_time: string;
  end_time: string;
  location_name?: string;
  course_start_at: Timestamp | null;
  course_end_at: Timestamp | null;
};

/** A notification to the people of a context about a new or moved event (§14.3). */
export interface EventNotice extends Row {
  kind: 'new_event_created' | 'event_date_changed';
  event_id: number;
  context_code: string;
  /** How many people received the notification. */
  people: number;
}

/**
 * Where the bytes of a file are: the content under the key, or a member of that archive, which stays packed.
 */
export interface FileContent {
  key: string;
  member: string | null;
}

/** A stored file: uploads, CSV attachments of imports, error attachments (§7.2). */
export interface FileObject extends Row {
  uuid: string;
  folder_id: number | null;
  /** The person's own name for the file, kept for display. */
  display_name: string;
  filename: string;
  content_type: string;
  /** Bytes. */
  size: number;
  content: FileContent;
  user_id: number | null;
}

export interface Progress extends Row {
  context_id: number;
  context_type: 'SisBatch' | 'Account' | 'Course' | 'GroupCategory';
  user_id: number | null;
  tag: string;
  /** 0 to 100. */
  completion: number | null;
  workflow_state: 'queued' | 'running' | 'completed' | 'failed';
  message: string | null;
  results: Record<string, unknown> | null;
}

/** A run of an account report (§17). */
export interface AccountReport extends Row {
  account_id: number;
  user_id: number;
  /** The kind, such as `provisioning_csv`. */
  report: string;
  status: 'created' | 'running' | 'compiling' | 'complete' | 'error' | 'aborted' | 'deleted';
  /** 0 to 100. */
  progress: number;
  parameters: Record<string, unknown>;
  current_line: number | null;
  started_at: Timestamp | null;
  ended_at: Timestamp | null;
  file_id: number | null;
}

export interface AuthenticationProvider extends Row {
  auth_type: string;
  workflow_state: 'active' | 'deleted';
}
