import type { Row, Timestamp } from './model.ts';

/** States of an import (§7.3). */
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

/** The new state of enrolments to be removed (§7.1, §11). */
export type DropStatus = 'deleted' | 'completed' | 'inactive';

/** Options that the sender chose (§7.1). Null: not given. */
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
  /** In percent. */
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
  /** 1-based, the header is row 1; null for a message about a whole file. */
  row: number | null;
  /** True: a file-level error. False: a warning about one row. */
  failure: boolean;
  created_at: Timestamp;
}

/** An earlier state, which undoing an import restores (§7.5). */
export interface StateChange {
  /** Canvas's class name, such as `Enrollment` or `Pseudonym`. */
  context_type: StateKind;
  context_id: number;
  /** `non-existent` for objects that the import created. */
  previous_state: string;
  updated_state: string;
  /** Whether the change was made by the batch clean-up. */
  batch_mode_delete: boolean;
  /** The state was restored, so another restore skips it. */
  restored?: true;
  /** The state could not be restored, so another restore does not try it again. */
  failed?: true;
}

/** Kinds with state changes in `data.statistics`, in Canvas's order (§7.2). */
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

/** How far an import has got, so that it can continue after the sandbox was stopped. */
export interface Applied {
  /** How many files are done, in the order of applying. */
  files: number;
  /** How many rows are done in the next file. */
  rows: number;
  /** How many of those rows count (§7.2). */
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
  /** The file as received, with the extension that decides how it is read (§7.1); kept until the import has ended. */
  upload: { name: string; key: string } | null;
  /** Null: no row has been read yet. */
  applied: Applied | null;
  /** The filled part of the answer's `data` object. */
  data: Record<string, unknown>;
  processing_warnings: [string | null, string][];
  processing_errors: [string | null, string][];
  errors_attachment_id: number | null;
  /** The CSV files found in the upload. */
  csv_attachment_ids: number[];
  diffed_csv_attachment_ids: number[];
  /** The import that this one was compared with (§11). */
  diffed_against_sis_batch_id: number | null;
  diffing_threshold_exceeded: boolean;
  /** All messages, oldest first. */
  errors: SisError[];
  /** State changes for restore_states. */
  state_changes: StateChange[];
}
