/** People assigned to the sections of courses (SE-07, SE-10, SE-11), and what is asked of the server for them. Pure. */
import type { Section } from '@lms-admin/contract/canvas-objects';
import type { SectionPlanRequest } from '@lms-admin/contract/enrollments';
import { messages } from '@lms-admin/contract/messages';
import { isPersonSisId, sisIdEntries, splitSisIds } from '@lms-admin/domain/sis-ids';
import { z } from 'zod';
import { type PickedCourse, pickedCourse } from '../../components/CoursePicker/picker-state.ts';
import { counted } from '../../components/Wizard/wizard-state.ts';
import { texts } from './texts.ts';

export const sectionEntry = z.object({
  /** Canvas id of the section. */
  section: z.number(),
  name: z.string(),
  sisId: z.string().nullable(),
  /** SIS ids of people, as they were typed; separated by commas once the field has been left. */
  text: z.string(),
  role: z.object({ id: z.number(), label: z.string() }).nullable(),
  status: z.enum(['active', 'deleted']).nullable(),
});
/** What is asked for in one section. */
export type SectionEntry = z.infer<typeof sectionEntry>;
export type Role = NonNullable<SectionEntry['role']>;

export const assignment = z.object({
  course: pickedCourse,
  /** The sub-accounts that were chosen then: with others it is not known whether the course is listed. */
  accounts: z.array(z.number()),
  /** Only sections with people. */
  entries: z.array(sectionEntry),
});
/** What is assigned in one course. */
export type Assignment = z.infer<typeof assignment>;

/** Ids of the fields of a section, for the focus after an alert. */
export const fieldId = (section: number, part: 'ids' | 'role' | 'action') => `section-${section}-${part}`;

export interface ReadIds {
  /** SIS ids that can be looked up, each once. */
  ids: readonly string[];
  /** Entries that hold signs that no SIS id may have here. */
  invalid: readonly string[];
}

/** Most letters of texts that are remembered. */
const MOST_REMEMBERED = 2_000_000;
const read = new Map<string, ReadIds>();
let remembered = 0;

/** The ids in a text. Remembered, since the same texts are read at every draw. */
export function readIds(text: string): ReadIds {
  const known = read.get(text);
  if (known) return known;
  const entries = splitSisIds(text);
  const result = {
    ids: entries.filter(isPersonSisId),
    invalid: entries.filter((entry) => !isPersonSisId(entry)),
  };
  remembered += text.length;
  if (remembered > MOST_REMEMBERED) {
    read.clear();
    remembered = text.length;
  }
  read.set(text, result);
  return result;
}

/** The text as it is kept: its entries separated by commas, each once (SE-11). */
export function tidyIds(text: string): string {
  return splitSisIds(text).join(', ');
}

/** How many entries of a text stand in it more than once. */
export function repeatedIds(text: string): number {
  return sisIdEntries(text).length - splitSisIds(text).length;
}

/**
 * A text with something pasted into it: a list goes in as entries of its own, and so does a single id after the last one.
 * Null when the paste mends an entry and so is to go in as it is.
 */
export function pasteIds(before: string, pasted: string, after: string): string | null {
  const isList = /[\s,;]/.test(pasted.trim());
  const inside = /[^\s,;]$/.test(before) && after.trim() !== '';
  const atStart = before.trim() === '' && /^[^\s,;]/.test(after);
  if (!isList && (inside || atStart)) return null;
  return `${before}\n${pasted}\n${after}`;
}

/** As much of a section as an entry holds. */
export type SectionName = Pick<Section, 'id' | 'name' | 'sis_section_id'>;

const blanks = new WeakMap<SectionName, SectionEntry>();

/** What has been entered in a section; the same object for as long as nothing of it changes. */
export function entryOf(entries: readonly SectionEntry[], section: SectionName): SectionEntry {
  const { id, name, sis_section_id: sisId } = section;
  const known = entries.find((entry) => entry.section === id);
  if (known) return known.name === name && known.sisId === sisId ? known : { ...known, name, sisId };
  const blank = blanks.get(section) ?? { section: id, name, sisId, text: '', role: null, status: null };
  blanks.set(section, blank);
  return blank;
}

/** Entries that name somebody, as they are kept and compared. */
export function filledEntries(entries: readonly SectionEntry[]): SectionEntry[] {
  return entries.flatMap((entry) => {
    const text = tidyIds(entry.text);
    return text === '' ? [] : [text === entry.text ? entry : { ...entry, text }];
  });
}

/** Whether both assign the same people in the same way. */
export function sameEntries(a: readonly SectionEntry[], b: readonly SectionEntry[]): boolean {
  const key = ({ section, text, role, status }: SectionEntry) => [section, text, role?.id, status].join('\n');
  const keys = new Set(filledEntries(a).map(key));
  const others = filledEntries(b).map(key);
  return keys.size === others.length && others.every((one) => keys.has(one));
}

/** Why the entries cannot be saved, and the field to go to; null when they can (SE-10, SE-11). */
export function entriesProblem(entries: readonly SectionEntry[]): { message: string; field: string } | null {
  for (const entry of filledEntries(entries)) {
    const [invalid] = readIds(entry.text).invalid;
    if (invalid !== undefined)
      return { message: texts.invalidIn(entry.name, invalid), field: fieldId(entry.section, 'ids') };
    if (entry.role === null || entry.status === null) {
      const part = entry.role === null ? 'role' : 'action';
      return { message: messages.sections.error(entry.name), field: fieldId(entry.section, part) };
    }
  }
  return null;
}

export interface AssignedCount {
  sections: number;
  /** People as they are counted in each section. */
  people: number;
}

export function countAssigned(entries: readonly SectionEntry[]): AssignedCount {
  let [sections, people] = [0, 0];
  for (const { text } of entries) {
    const { ids, invalid } = readIds(text);
    if (ids.length + invalid.length === 0) continue;
    sections++;
    people += ids.length;
  }
  return { sections, people };
}

/** `2 sections · 14 people`. */
export function assignedWords({ sections, people }: AssignedCount): string {
  return `${counted(sections, 'section', 'sections')} · ${counted(people, 'person', 'people')}`;
}

/** What is planned: the sections of chosen courses only (OP-31); null when there is nothing to plan. */
export function planRequestOf(
  courses: readonly PickedCourse[],
  assigned: readonly Assignment[],
): SectionPlanRequest | null {
  const chosen = new Set(courses.map(({ id }) => id));
  const sections = assigned
    .filter(({ course }) => chosen.has(course.id))
    .flatMap(({ course, entries }) =>
      entries.flatMap(({ section, text, role, status }) => {
        const { ids } = readIds(text);
        if (role === null || status === null || ids.length === 0) return [];
        return [{ course: course.id, section, role_id: role.id, status, users: [...ids] }];
      }),
    );
  return sections.length === 0 ? null : { sections };
}

const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Order of sections: 'Group 2' before 'Group 10', whichever way the LMS sorts. */
export function byName(a: { id: number; name: string }, b: { id: number; name: string }): number {
  return compare(a.name, b.name) || a.id - b.id;
}
