/** One section of a plan: reads what the LMS holds there and works out who gets a row. */
import { statesBySection } from '@lms-admin/domain/enrollment-states';
import { planSection, type UndoDifference, undoSection } from '@lms-admin/domain/section-plan';
import type { CanvasClient } from '../canvas/types.ts';
import type { AskedSection } from './asked-sections.ts';
import { type Reading, readEnrollments, readOrWhy } from './read-lms.ts';

/** A person of a section by the SIS id that was asked for. */
export interface AskedPerson {
  /** Id in the LMS. */
  id: number;
  sisUserId: string;
  name: string;
}

export interface ReadSectionDifference extends UndoDifference {
  /** Why the section could not be read, for people; null when it was. Everybody then gets a row, but nobody where rows are undone. */
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
    readEnrollments(canvas, `sections/${sectionId}`, { roleId, sisIdOf }, reading),
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
    return { ...undoSection(states, sisIds, undoes), unread: null };
  }
  const action = status === 'active' ? status : 'deleted';
  return { ...nobody, ...planSection(existing, sisIds, { sectionId, roleId, status: action }) };
}
