/** States of an enrolment: which of them a row can set, and what undoing an import does for each person. Pure. */

/** States that a row of an import can set. `deleted` also represents a missing enrolment. */
export const ROW_STATUSES = ['active', 'deleted', 'inactive', 'completed'] as const;
export type RowStatus = (typeof ROW_STATUSES)[number];

/** State of an enrolment in the LMS: a row status, or one that only the LMS itself sets, such as `invited`. */
export type EnrollmentState = string;

/** Start and end of an enrolment with its own dates, in the LMS's form. */
export type EnrollmentDates = readonly [start: string | null, end: string | null];

/** People with their own dates, by their position in a list. */
export type DatedPeople = [index: number, dates: EnrollmentDates][];

/** Returns whether a row can set this state. */
export function isRowStatus(state: EnrollmentState): state is RowStatus {
  return ROW_STATUSES.some((one) => one === state);
}

/** Returns the state that a plan expects before a row with this status, unless it records another one. */
export function usualBefore(status: RowStatus): RowStatus {
  return status === 'deleted' ? 'active' : 'deleted';
}

const STATE_WORDS: Readonly<Record<string, string>> = {
  active: 'active',
  inactive: 'inactive',
  completed: 'completed',
  invited: 'invited',
  creation_pending: 'invitation not sent yet',
  rejected: 'invitation declined',
  deleted: 'not enrolled',
};

/** Formats a state for display: `invited`. */
export function stateWords(state: EnrollmentState): string {
  return STATE_WORDS[state] ?? state;
}

/** States of the people in one section with one role, by SIS ID; people without an enrolment are missing. */
export type SectionStates = ReadonlyMap<string, EnrollmentState>;

/**
 * Returns the states in each section, without observers linked to a student. If a person has several enrolments with
 * the role in a section, an active one counts first.
 */
export function statesBySection(
  enrollments: readonly {
    userSisId: string | null;
    roleId: number;
    sectionId: number;
    state: EnrollmentState;
    linked?: boolean;
  }[],
  roleId: number,
): ReadonlyMap<number, SectionStates> {
  const sections = new Map<number, Map<string, EnrollmentState>>();
  for (const one of enrollments) {
    if (one.userSisId === null || one.roleId !== roleId || one.state === 'deleted') continue;
    // Rows affect the enrolment that is not linked to a student.
    if (one.linked === true) continue;
    const states = sections.get(one.sectionId) ?? new Map<string, EnrollmentState>();
    sections.set(one.sectionId, states);
    if (states.get(one.userSisId) !== 'active') states.set(one.userSisId, one.state);
  }
  return sections;
}

/** Finds people's own dates in a section with a role, by SIS ID. Rows without dates end them. */
export function datesIn(
  enrollments: readonly {
    userSisId: string | null;
    roleId: number;
    sectionId: number;
    state: EnrollmentState;
    linked?: boolean;
    dates?: EnrollmentDates;
  }[],
  { roleId, sectionId }: { roleId: number; sectionId: number | null },
): ReadonlyMap<string, EnrollmentDates> {
  return new Map(
    enrollments.flatMap(({ userSisId, dates, linked, state, ...one }) => {
      const isThere = state !== 'deleted' && linked !== true;
      const isHere = isThere && one.roleId === roleId && one.sectionId === sectionId;
      return isHere && dates && userSisId !== null ? [[userSisId, dates] as const] : [];
    }),
  );
}

export function sameDates(a: EnrollmentDates | undefined, b: EnrollmentDates | undefined): boolean {
  return a?.[0] === b?.[0] && a?.[1] === b?.[1];
}

/** Step of an undo for one enrolment. */
export type UndoStep =
  /** A row restores the state before the import. */
  | { does: 'restore'; to: RowStatus }
  /** The state is already as it was before the import. */
  | { does: 'nothing' }
  /** Others have changed the enrolment since then: it stays unchanged. */
  | { does: 'leave' }
  /** The state is as the import left it, but no row can set the previous one. */
  | { does: 'cannot' };

/** @param left the state after the import */
export function undoStep({
  before,
  left,
  now,
}: Record<'before' | 'left' | 'now', EnrollmentState>): UndoStep {
  if (now === before) return { does: 'nothing' };
  if (now !== left) return { does: 'leave' };
  return isRowStatus(before) ? { does: 'restore', to: before } : { does: 'cannot' };
}

/** Result of the check right before a row is sent. */
export type RowCheck =
  | { sent: true; before: EnrollmentState }
  /** `there`: already as the row would make it; `changed`: neither that nor as reviewed. */
  | { sent: false; why: 'there' | 'changed'; now: EnrollmentState };

/**
 * Returns whether a row still does what was reviewed.
 * @param planned the reviewed state; null if the LMS did not return it then
 */
export function checkRow({
  status,
  planned,
  now,
}: {
  status: RowStatus;
  planned: EnrollmentState | null;
  now: EnrollmentState;
}): RowCheck {
  if (now === status) return { sent: false, why: 'there', now };
  if (planned !== null && now !== planned) return { sent: false, why: 'changed', now };
  return { sent: true, before: now };
}
