/** States of an SIS import and their display on screens (area IMP; OP-35 to OP-38). */

/** Every state that Canvas reports. */
export const IMPORT_STATES = [
  'initializing',
  'created',
  'importing',
  'cleanup_batch',
  'imported',
  'imported_with_messages',
  'aborted',
  'failed',
  'failed_with_messages',
  'restoring',
  'partially_restored',
  'restored',
  'restore_failed',
] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** Meaning of a state for a person watching. */
export type ImportPhase = 'created' | 'importing' | 'imported' | 'imported_with_messages' | 'failed';

const PHASES: Readonly<Record<ImportState, ImportPhase>> = {
  initializing: 'created',
  created: 'created',
  importing: 'importing',
  cleanup_batch: 'importing',
  restoring: 'importing',
  imported: 'imported',
  partially_restored: 'imported',
  restored: 'imported',
  imported_with_messages: 'imported_with_messages',
  aborted: 'failed',
  failed: 'failed',
  failed_with_messages: 'failed',
  restore_failed: 'failed',
};

/** Returns the phase of a state; null for a state that is unknown even to OP-35 (the last message then stays). */
export function importPhase(state: string): ImportPhase | null {
  return Object.hasOwn(PHASES, state) ? PHASES[state as ImportState] : null;
}

/** Returns whether Canvas has finished the import. */
export function isFinal(state: string): boolean {
  const phase = importPhase(state);
  return phase === 'imported' || phase === 'imported_with_messages' || phase === 'failed';
}

/** Screens that follow imports; each has its own start value (OP-38). */
export type ImportScreen = 'enrollment' | 'sis-import' | 'create-users' | 'group';

export const START_PROGRESS: Readonly<Record<ImportScreen, number>> = {
  enrollment: 10,
  'sis-import': 20,
  'create-users': 10,
  group: 10,
};

/** Returns the percentage shown for a state on a screen; null keeps the current value (IMP-08 to IMP-18). */
export function importProgress(screen: ImportScreen, state: string): number | null {
  switch (importPhase(state)) {
    case 'created':
      return screen === 'group' ? 20 : 40;
    case 'importing':
      return 70;
    case 'imported':
      return 100;
    case 'imported_with_messages':
    case 'failed':
      return 0;
    default:
      return null;
  }
}

/** Tells whether polling continues: only while there is an id and the progress is neither 0 nor 100 (IMP-06). */
export function keepsPolling(progress: number, id: string | null): boolean {
  return id !== null && progress !== 0 && progress !== 100;
}

/** A message pair as Canvas sends it: file name (can be null) and text. */
export type MessagePair = readonly [file: string | null, message: string];

/** Longest joined text that a screen shows; the attachment is the full source (OP-37). */
const MAX_JOINED = 2_000;

/** Returns the messages of the pairs, joined by ' - ' and cut when very long (IMP-18). */
export function joinMessages(pairs: readonly MessagePair[]): string {
  const joined = pairs.map((pair) => pair[1]).join(' - ');
  return joined.length > MAX_JOINED ? `${joined.slice(0, MAX_JOINED)}…` : joined;
}

/** Counts of an import, in the specification's order (IMP-02), including abstract courses, which the LMS adds. */
export const COUNT_NAMES = [
  'accounts',
  'terms',
  'courses',
  'sections',
  'users',
  'logins',
  'enrollments',
  'xlists',
  'admins',
  'group_categories',
  'groups',
  'group_memberships',
  'user_observers',
  'change_sis_ids',
  'abstract_courses',
] as const;
/** Name of the count of logins that an import created or restored. */
export const NEW_LOGINS = 'new_logins';
