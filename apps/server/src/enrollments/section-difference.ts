/** One section of a plan: reads what the LMS holds there and works out who gets a row. */
import { planSection, type SectionDifference } from '@lms-admin/domain/section-plan';
import type { CanvasClient } from '../canvas/types.ts';
import type { AskedSection } from './asked-sections.ts';
import { type Reading, readEnrollments, readOrWhy } from './read-lms.ts';

/** A person of a section by the SIS id that was asked for. */
export interface AskedPerson {
  /** Id in the LMS. */
  id: number;
  sisUserId: string;
}

export interface ReadSectionDifference extends SectionDifference {
  /** Why the section could not be read, for people; null when it was. Everybody then gets a row. */
  unread: string | null;
}

/**
 * Who gets a row in one section, as indexes into `people`. In a section that cannot be read, everybody.
 * @throws the signal's reason, or CanvasError when a token is refused
 */
export async function sectionDifference(
  canvas: CanvasClient,
  asked: AskedSection,
  people: readonly AskedPerson[],
  reading: Reading,
): Promise<ReadSectionDifference> {
  if (people.length === 0) return { rows: [], untouched: [], unread: null };
  const sisIdOf = new Map(people.map((person) => [person.id, person.sisUserId]));
  const existing = await readOrWhy({ read: 'enrolments', of: 'this section' }, reading.signal, () =>
    readEnrollments(canvas, `sections/${asked.sectionId}`, { ...asked, sisIdOf }, reading),
  );
  if ('unread' in existing) return { rows: [...people.keys()], untouched: [], unread: existing.unread };
  const sisIds = people.map((person) => person.sisUserId);
  return { ...planSection(existing, sisIds, asked), unread: null };
}
