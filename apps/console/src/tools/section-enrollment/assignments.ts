/** People assigned to the sections of courses (SE-07, SE-10, SE-11), and the request for their plan. Pure. */

import type { Section } from '@lms-admin/contract/canvas-objects';
import type { SectionPlanRequest } from '@lms-admin/contract/enrollments';
import { sectionEnrollmentMessages } from '@lms-admin/contract/messages/section-enrollment';
import { counted } from '@lms-admin/domain/numbers';
import { z } from 'zod';
import { chipsState, NO_CHIPS, refusal, settled } from '../../components/ChipsInput/chips-state.ts';
import { type PickedCourse, pickedCourse } from '../../components/CoursePicker/picker-state.ts';
import { type Missing } from '../../components/Wizard/wizard-state.ts';
import { texts } from './texts.ts';

export const sectionEntry = z.object({
  /** Canvas ID of the section. */
  section: z.number(),
  name: z.string(),
  sisId: z.string().nullable(),
  /** SIS IDs of people. */
  people: chipsState,
  role: z.object({ id: z.number(), label: z.string() }).nullable(),
  status: z.enum(['active', 'deleted']).nullable(),
});
/** The entries for one section. */
export type SectionEntry = z.infer<typeof sectionEntry>;
export type Role = NonNullable<SectionEntry['role']>;

export const assignment = z.object({
  course: pickedCourse,
  /** The sub-accounts that were chosen at the time. If others are chosen, the course may not be listed. */
  accounts: z.array(z.number()),
  /** Only sections with people. */
  entries: z.array(sectionEntry),
});
/** The assignments in one course. */
export type Assignment = z.infer<typeof assignment>;

/** Returns the ID of a field of a section, for the focus after an alert. */
export const fieldId = (section: number, part: 'ids' | 'role' | 'action') => `section-${section}-${part}`;

/** The fields of a section that an entry contains. */
export type SectionName = Pick<Section, 'id' | 'name' | 'sis_section_id'>;

const blanks = new WeakMap<SectionName, SectionEntry>();

/** Finds the entries in a section; the same object as long as they do not change. */
export function entryOf(entries: readonly SectionEntry[], section: SectionName): SectionEntry {
  const { id, name, sis_section_id: sisId } = section;
  const known = entries.find((entry) => entry.section === id);
  if (known) return known.name === name && known.sisId === sisId ? known : { ...known, name, sisId };
  const blank = blanks.get(section) ?? {
    section: id,
    name,
    sisId,
    people: NO_CHIPS,
    role: null,
    status: null,
  };
  blanks.set(section, blank);
  return blank;
}

/**
 * Returns the entries with people, in the form in which they are stored and compared: as if every field had been left.
 */
export function filledEntries(entries: readonly SectionEntry[]): SectionEntry[] {
  return entries.flatMap((entry) => {
    const people = settled('sis-id', entry.people);
    if (people.chips.length === 0 && people.text === '') return [];
    return [people === entry.people ? entry : { ...entry, people }];
  });
}

/** Tells whether both assign the same people in the same way. */
export function sameEntries(a: readonly SectionEntry[], b: readonly SectionEntry[]): boolean {
  const key = ({ section, people, role, status }: SectionEntry) =>
    JSON.stringify([section, people.chips, people.text, role?.id, status]);
  const keys = new Set(filledEntries(a).map(key));
  const others = filledEntries(b).map(key);
  return keys.size === others.length && others.every((one) => keys.has(one));
}

/** Explains why the entries cannot be saved, and the field to go to; null if they can (SE-10, SE-11). */
export function entriesProblem(entries: readonly SectionEntry[]): Missing | null {
  for (const { section, name, people, role, status } of filledEntries(entries)) {
    const refused = refusal('sis-id', people);
    if (refused !== null) return { message: texts.refusedIn(name, refused), field: fieldId(section, 'ids') };
    if (role === null || status === null)
      return {
        message: sectionEnrollmentMessages.error(name),
        field: fieldId(section, role === null ? 'role' : 'action'),
      };
  }
  return null;
}

export interface AssignedCount {
  sections: number;
  /** Number of people; a person in two sections counts once. */
  people: number;
  /** Total number of people in all sections; a person in two sections counts twice. */
  rows: number;
}

export function countAssigned(entries: readonly SectionEntry[]): AssignedCount {
  const filled = filledEntries(entries);
  return {
    sections: filled.length,
    people: new Set(filled.flatMap(({ people }) => people.chips)).size,
    rows: filled.reduce((sum, { people }) => sum + people.chips.length, 0),
  };
}

/** Formats counts as `2 sections · 14 people`. */
export function assignedWords({ sections, people }: AssignedCount): string {
  return `${counted(sections, 'section', 'sections')} · ${counted(people, 'person', 'people')}`;
}

/** Builds the request for a plan: only sections of chosen courses (OP-31); null when there is nothing to plan. */
export function planRequestOf(
  courses: readonly PickedCourse[],
  assigned: readonly Assignment[],
): SectionPlanRequest | null {
  const chosen = new Set(courses.map(({ id }) => id));
  const sections = assigned
    .filter(({ course }) => chosen.has(course.id))
    .flatMap(({ course, entries }) =>
      entries.flatMap(({ section, people, role, status }) => {
        if (role === null || status === null || people.chips.length === 0) return [];
        return [{ course: course.id, section, role_id: role.id, status, users: people.chips }];
      }),
    );
  return sections.length === 0 ? null : { sections };
}

const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Orders sections by name: 'Group 2' before 'Group 10', regardless of their order in the LMS. */
export function byName(a: { id: number; name: string }, b: { id: number; name: string }): number {
  return compare(a.name, b.name) || a.id - b.id;
}
