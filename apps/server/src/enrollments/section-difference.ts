/** One section of a plan: reads what the LMS holds there and works out who gets a row. */
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
import type { AskedSection, OwnImports } from './asked-sections.ts';
import { type Reading, readEnrollments, readOrWhy } from './read-lms.ts';

/** A person of a section by the SIS ID that was asked for. */
export interface AskedPerson {
  /** Id in the LMS. */
  id: number;
  sisUserId: string;
  /** The SIS ID that was asked for: of an undo the one of the import, which may be another one by now. */
  asked: string;
  name: string;
}

export interface ReadSectionDifference extends UndoDifference {
  /** Why the section could not be read, for people; null when it was. Everybody then gets a row, but no one where rows are undone. */
  unread: string | null;
}

/**
 * Who gets a row in one section, as indexes into `people`.
 * @throws the signal's reason, or CanvasError when a token is refused
 */
export async function sectionDifference(
  canvas: CanvasClient,
  asked: AskedSection,
  people: readonly AskedPerson[],
  reading: Reading,
): Promise<ReadSectionDifference> {
  const nobody = { rows: [], untouched: [], changed: [], stays: [], unread: null };
  if (people.length === 0) return nobody;
  const sisIdOf = new Map(people.map((person) => [person.id, person.sisUserId]));
  const { sectionId, roleId, status, undoes } = asked;
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
    // Who is there as an observer linked to a student would not be enrolled a second time.
    if (undoes.before === 'active')
      for (const { userSisId, state, linked } of existing)
        if (linked && state === 'active' && userSisId !== null) states.set(userSisId, state);
    const found = undoSection(states, sisIds, undoes, touchedIn(existing, asked, people));
    const dated = status === 'deleted' ? {} : datedIn(existing, sisIds, found.rows, asked);
    return { ...found, ...dated, unread: null };
  }
  const action = status === 'active' ? status : 'deleted';
  return { ...nobody, ...planSection(existing, sisIds, { sectionId, roleId, status: action }) };
}

/** What others have done since an import to enrolments that are in the state in which it left or found them, by SIS ID. */
function touchedIn(
  existing: readonly ExistingEnrollment[],
  { sectionId, roleId, undoes }: AskedSection,
  people: readonly AskedPerson[],
): Touched {
  const touched = new Map<string, string>();
  const asBefore = new Map<string, string>();
  if (!undoes) return { before: asBefore, left: touched };
  const { before, left, dates, ours } = undoes;
  const now = datesIn(existing, { sectionId, roleId });
  for (const { sisUserId, asked } of people) {
    const hasDates = now.get(sisUserId);
    if (left !== 'deleted' && !sameDates(hasDates, dates?.left.get(asked)))
      touched.set(sisUserId, `${stateWords(left)}, with other dates`);
    if (before !== 'deleted' && !sameDates(hasDates, dates?.before.get(asked)))
      asBefore.set(sisUserId, `${stateWords(before)}, with other dates`);
  }
  // Dates tell more than that something was changed.
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

/** Enrolments in the state that an import left behind which others have changed since, be it back to that state. */
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

/** Whether an enrolment was changed after the import of ours that wrote it, be it back to the same state. */
function isTouched({ writtenBy, changedAt, state }: ExistingEnrollment, ours: OwnImports): boolean {
  if (ours.size === 0) return false;
  const last = Math.max(...ours.values());
  const end = ours.get(writtenBy ?? 0);
  // Of a person the LMS may keep several deleted ones; the older ones say nothing.
  if (writtenBy !== undefined && end === undefined) return state !== 'deleted' || (changedAt ?? 0) >= last;
  return changedAt !== undefined && changedAt > (end ?? last);
}
