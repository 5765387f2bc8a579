/** One section of a plan: reads its enrolments from the LMS and determines who gets a row. */
import { datedIn, type ExistingEnrollment } from '@lms-admin/domain/enrollment-plan';
import {
  datesIn,
  type RowStatus,
  sameDates,
  statesBySection,
  stateWords,
} from '@lms-admin/domain/enrollment-states';
import { planSection, type Touched, type UndoDifference, undoSection } from '@lms-admin/domain/section-plan';
import type { CanvasClient } from '../canvas/types.ts';
import { type Reading, readEnrollments, readOrWhy } from './read-lms.ts';
import type { OwnImports, RequestedSection } from './requested-sections.ts';

/** A person in a section, by the requested SIS ID. */
export interface RequestedPerson {
  /** Id in the LMS. */
  id: number;
  sisUserId: string;
  /** The requested SIS ID. For an undo, it is the one in the import, which the person may have lost since then. */
  requestedId: string;
  name: string;
}

export interface ReadSectionDifference extends UndoDifference {
  /**
   * User-facing reason why the section could not be read, or null. If set, everyone gets a row, or no one in an undo.
   */
  unread: string | null;
}

/**
 * Determines the people who get a row in one section, as indexes into `people`.
 * @throws the signal's reason, or CanvasError if a token is refused
 */
export async function sectionDifference(
  canvas: CanvasClient,
  requested: RequestedSection,
  people: readonly RequestedPerson[],
  reading: Reading,
): Promise<ReadSectionDifference> {
  const nobody = { rows: [], untouched: [], changed: [], stays: [], unread: null };
  if (people.length === 0) return nobody;
  const sisIdOf = new Map(people.map((person) => [person.id, person.sisUserId]));
  const { sectionId, roleId, status, undoes } = requested;
  const existing = await readOrWhy({ read: 'enrolments', of: 'this section' }, reading.signal, () =>
    readEnrollments(
      canvas,
      `sections/${sectionId}`,
      { roleId, sisIdOf, alsoDeleted: undoes?.left === 'deleted' },
      reading,
    ),
  );
  if ('unread' in existing)
    return { ...nobody, rows: undoes ? [] : [...people.keys()], unread: existing.unread };
  const sisIds = people.map((person) => person.sisUserId);
  if (undoes) {
    const states = new Map(statesBySection(existing, roleId).get(sectionId));
    // A person who is there as a linked observer would not be enrolled a second time.
    if (undoes.before === 'active')
      for (const { userSisId, state, linked } of existing)
        if (linked && state === 'active' && userSisId !== null) states.set(userSisId, state);
    const found = undoSection(states, sisIds, undoes, touchedIn(existing, requested, people));
    const dated = status === 'deleted' ? {} : datedIn(existing, sisIds, found.rows, requested);
    return { ...found, ...dated, unread: null };
  }
  const action = status === 'active' ? status : 'deleted';
  return { ...nobody, ...planSection(existing, sisIds, { sectionId, roleId, status: action }) };
}

/** Returns changes by others since an import, by SIS ID, to enrolments in the state before or after the import. */
function touchedIn(
  existing: readonly ExistingEnrollment[],
  { sectionId, roleId, undoes }: RequestedSection,
  people: readonly RequestedPerson[],
): Touched {
  const touched = new Map<string, string>();
  const asBefore = new Map<string, string>();
  if (!undoes) return { before: asBefore, left: touched };
  const { before, left, dates, ours } = undoes;
  const now = datesIn(existing, { sectionId, roleId });
  for (const { sisUserId, requestedId } of people) {
    const hasDates = now.get(sisUserId);
    if (left !== 'deleted' && !sameDates(hasDates, dates?.left.get(requestedId)))
      touched.set(sisUserId, `${stateWords(left)}, with different dates`);
    if (before !== 'deleted' && !sameDates(hasDates, dates?.before.get(requestedId)))
      asBefore.set(sisUserId, `${stateWords(before)}, with different dates`);
  }
  // A change of dates is more specific than the fact that something changed.
  for (const one of ours ? touchedSince(existing, { sectionId, roleId, left, ours }) : [])
    if (one.userSisId !== null && !touched.has(one.userSisId))
      touched.set(
        one.userSisId,
        left === 'deleted'
          ? 'not enrolled, removed again since the import'
          : `${stateWords(left)}, changed since the import`,
      );
  return { before: asBefore, left: touched };
}

/**
 * Returns enrolments in the state that an import set which others have changed since, even if they are back in that
 * state.
 */
export function touchedSince(
  existing: readonly ExistingEnrollment[],
  of: { sectionId: number | null; roleId: number; left: RowStatus; ours: OwnImports },
): ExistingEnrollment[] {
  return existing.filter(
    (one) =>
      one.sectionId === of.sectionId &&
      one.roleId === of.roleId &&
      !one.linked &&
      one.state === of.left &&
      isTouched(one, of.ours),
  );
}

/** Returns whether an enrolment was changed after our import that wrote it, even if back to the same state. */
function isTouched({ writtenBy, changedAt, state }: ExistingEnrollment, ours: OwnImports): boolean {
  if (ours.size === 0) return false;
  const last = Math.max(...ours.values());
  const end = ours.get(writtenBy ?? 0);
  // The LMS can keep several deleted enrolments of a person; only the latest counts.
  if (writtenBy !== undefined && end === undefined) return state !== 'deleted' || (changedAt ?? 0) >= last;
  return changedAt !== undefined && changedAt > (end ?? last);
}
