import type { Row, Timestamp } from './model.ts';

/** §7.3 */
export const SIS_STATES = [
  'initializing',
  'created',
  'importing',
  'cleanup_batch',
  'imported',
  'imported_with_messages',
  'failed',
  'failed_with_messages',
  'aborted',
  'restoring',
  'restored',
  'partially_restored',
  'restore_failed',
] as const;
export type SisState = (typeof SIS_STATES)[number];

/** What enrolments that are no longer wanted become (§7.1, §11). */
export type DropStatus = 'deleted' | 'completed' | 'inactive';

/** What the sender asked for (§7.1). Null: not given. */
export interface SisOptions {
  batch_mode: boolean | null;
  batch_mode_term_id: number | null;
  multi_term_batch_mode: boolean | null;
  batch_mode_enrollment_drop_status: DropStatus | null;
  override_sis_stickiness: boolean;
  add_sis_stickiness: boolean;
  clear_sis_stickiness: boolean;
  update_sis_id_if_login_claimed: boolean;
  skip_deletes: boolean;
  /** Percent. */
  change_threshold: number | null;
  diffing_data_set_identifier: string | null;
  diffing_remaster: boolean | null;
  diffing_drop_status: DropStatus | null;
  diffing_user_remove_status: 'deleted' | 'suspended' | null;
  diff_row_count_threshold: number | null;
}

/** One line of the errors list (§7, §8.3). */
export interface SisError {
  file: string | null;
  message: string;
  /** 1-based, the header is row 1; null for what concerns a whole file. */
  row: number | null;
  /** True: a file-level error. False: a warning about one row. */
  failure: boolean;
  created_at: Timestamp;
}

/** What a restored import goes back to (§7.5). */
export interface StateChange {
  /** Canvas's class name: `Enrollment`, `Pseudonym` … */
  context_type: StateKind;
  context_id: number;
  /** `non-existent` for what the import made. */
  previous_state: string;
  updated_state: string;
  /** The change came from the batch clean-up. */
  batch_mode_delete: boolean;
  /** The state was put back: another restore leaves it alone. */
  restored?: true;
  /** The state could not be put back: another restore does not try again. */
  failed?: true;
}

/** The kinds whose state changes are counted in `data.statistics`, in Canvas's order (§7.2). */
export const STATE_KINDS = [
  'Account',
  'EnrollmentTerm',
  'AbstractCourse',
  'Course',
  'CourseSection',
  'GroupCategory',
  'Group',
  'Pseudonym',
  'CommunicationChannel',
  'Enrollment',
  'GroupMembership',
  'UserObserver',
  'AccountUser',
] as const;
export type StateKind = (typeof STATE_KINDS)[number];

/** How far an import has come, so that it can go on from there when the campus was stopped. */
export interface Applied {
  /** Files that are done with, in the order in which they are applied. */
  files: number;
  /** Rows of the next file that are done with. */
  rows: number;
  /** Those of them that count (§7.2). */
  counted: number;
}

/** One SIS import (§7.2). */
export interface SisBatch extends Row {
  account_id: number;
  user_id: number | null;
  workflow_state: SisState;
  started_at: Timestamp | null;
  ended_at: Timestamp | null;
  /** 0 to 100. */
  progress: number;
  options: SisOptions;
  /** The file as it came, with the extension that decides how it is read (§7.1); until the import has ended. */
  upload: { name: string; key: string } | null;
  /** Null: no row was looked at yet. */
  applied: Applied | null;
  /** The `data` object of the answer, as far as it is filled. */
  data: Record<string, unknown>;
  processing_warnings: [string | null, string][];
  processing_errors: [string | null, string][];
  errors_attachment_id: number | null;
  /** The CSV files that were found in the upload. */
  csv_attachment_ids: number[];
  diffed_csv_attachment_ids: number[];
  /** The import that this one was compared with (§11). */
  diffed_against_sis_batch_id: number | null;
  diffing_threshold_exceeded: boolean;
  /** Everything that was reported, oldest first. */
  errors: SisError[];
  /** For restore_states. */
  state_changes: StateChange[];
}
