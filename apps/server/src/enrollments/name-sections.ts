/**
 * Where rows land, asked again just before the CSV is sent: sections without an SIS ID are given one (OP-51), courses
 * without a default section get a section, and sections that are not in their course any more are left out.
 */
import { grouped } from '@lms-admin/domain/numbers';
import { shown } from '@lms-admin/domain/sis-rows';
import { z } from 'zod';
import { isDefinite } from '../canvas/resources/reading.ts';
import { type LmsSection, sectionsOf } from '../canvas/resources/sections.ts';
import type { CanvasClient, CanvasToken } from '../canvas/types.ts';
import type { Prepared } from '../imports/prepared.ts';
import { mapLimited } from '../platform/limited.ts';
import { sectionKey } from './plan-store.ts';

/** Courses whose sections are seen to at once. */
const COURSES_AT_ONCE = 8;

/** People of a section that is left out who are named; of others only the number. */
const MOST_NAMED = 20;

export interface SectionToName {
  courseId: number;
  /** SIS ID of the course. */
  course: string;
  /** Names of the people of its rows: asked only of a section that is left out. */
  people: () => readonly string[];
  /** Null for a section that is to be made, and where no one knows which it is. */
  id: number | null;
  name: string;
  /** The id that it had when the plan was made, or is to be given; empty for the default section, which rows do not name. */
  sisSectionId: string;
  assign: boolean;
}

export interface NamedSections {
  /** What rows say, by `sectionKey`: an SIS ID, nothing for the default section; null where they cannot name the section. */
  ids: Map<string, string | null>;
  /** Numbers of the sections that were made, by `sectionKey`. */
  made: Map<string, number>;
  /** Which of those that were to be given an SIS ID have got one from others since, by `sectionKey`. */
  others: Set<string>;
  /** A sentence for each of these. */
  kept: string[];
  /** One sentence for each section that is left out. */
  failures: string[];
}

type Present = ReadonlyMap<number, LmsSection>;
const named = z.object({ id: z.number().int() });

/**
 * Gives each section its SIS ID. May be repeated: a section that has one by now keeps it. Canvas would take rows for a
 * section that was cross-listed away since, and enrol where it now is, perhaps out of reach: such a section is left out.
 * @param of `prepared` is told what is done to sections, as it is done
 * @throws CanvasError when the LMS cannot be asked at the moment (down, throttled, token refused): try again later
 */
export async function nameSections(
  canvas: CanvasClient,
  wanted: readonly SectionToName[],
  { token, signal, prepared }: { token: CanvasToken; signal: AbortSignal; prepared: Prepared },
): Promise<NamedSections> {
  const outcomes = await mapLimited([...byCourse(wanted)], COURSES_AT_ONCE, async ([courseId, those]) => {
    const present = await presentSections(canvas, token, courseId, signal);
    const told: { one: SectionToName; outcome: Outcome }[] = [];
    // One after the other: two of a course may want the same id.
    for (const one of those) {
      const outcome = await sisIdOf(canvas, token, one, present, signal);
      told.push({ one, outcome });
      // At once: what was done stays also where the LMS does not answer about the next one.
      if (typeof outcome === 'object' && 'made' in outcome) prepared.made(outcome.sisId);
      else if (isOurs(one, outcome)) prepared.given(outcome);
    }
    return told;
  });
  const ids = new Map<string, string | null>();
  const made = new Map<string, number>();
  const failures: string[] = [];
  const others = new Set<string>();
  const kept: string[] = [];
  for (const { one, outcome } of outcomes.flat()) {
    const key = sectionKey(one.courseId, one.id);
    const isNamed = typeof outcome === 'string' || 'made' in outcome;
    const sisId = typeof outcome === 'string' ? outcome : isNamed ? outcome.sisId : null;
    ids.set(key, sisId);
    if (sisId === suffixed(one) && (one.assign || typeof outcome === 'object'))
      kept.push(
        `${whichSection(one)} was given the SIS ID ${shown(sisId)}: the one that the review showed belongs to another section.`,
      );
    if (one.assign && typeof outcome === 'string' && !isOurs(one, outcome)) {
      others.add(key);
      kept.push(
        `${whichSection(one)} keeps the SIS ID ${shown(outcome)}: another import, or a person in the LMS, has given it that one since the review.`,
      );
    }
    if (!isNamed) failures.push(`${whichSection(one)} was skipped${without(one)}: ${outcome.reason}`);
    else if (typeof outcome === 'object') made.set(key, outcome.made);
  }
  return { ids, made, others, kept, failures };
}

/**
 * Which of the sections have been created, or given their SIS ID, as the LMS shows them.
 * @throws CanvasError when the LMS cannot be asked at the moment
 */
export async function sectionsDone(
  canvas: CanvasClient,
  wanted: readonly SectionToName[],
  { token, signal, prepared }: { token: CanvasToken; signal: AbortSignal; prepared: Prepared },
): Promise<void> {
  const open = wanted.filter(
    ({ assign, id, sisSectionId }) => sisSectionId !== '' && (assign || id === null),
  );
  await mapLimited([...byCourse(open)], COURSES_AT_ONCE, async ([courseId, those]) => {
    const present = (await presentSections(canvas, token, courseId, signal)) ?? new Map<number, LmsSection>();
    for (const one of those) {
      const sisId = one.id === null ? madeBefore(one, present)?.sisId : present.get(one.id)?.sis_section_id;
      if (sisId == null || !generatedIds(one).includes(sisId)) continue;
      if (one.id === null) prepared.made(sisId);
      else prepared.given(sisId);
    }
  });
}

/** Whether a section that was to be given an SIS ID has the one that it gets here. */
function isOurs(one: SectionToName, outcome: Outcome): outcome is string {
  return one.assign && typeof outcome === 'string' && generatedIds(one).includes(outcome);
}

/** The SIS IDs that a section may be given here. */
const generatedIds = (one: SectionToName): string[] => [one.sisSectionId, suffixed(one)];

/** Where the first one belongs to another section. */
export function suffixed({
  id,
  courseId,
  sisSectionId,
}: Pick<SectionToName, 'id' | 'courseId' | 'sisSectionId'>) {
  return `${sisSectionId}-${id ?? courseId}`;
}

/** How rows name a section, of one that was made with its number; or why they cannot. */
type Outcome = string | { sisId: string; made: number } | { reason: string };

/** `Section 'Evening group' (7) of course "MBA26-1"` */
function whichSection({ course, id, name, sisSectionId }: SectionToName): string {
  if (id === null && sisSectionId === '') return `A section of course ${shown(course)}`;
  return `Section '${name}'${id === null ? '' : ` (${id})`} of course ${shown(course)}`;
}

/** Who is left out with a section: the first of them by name. */
function without({ people }: SectionToName): string {
  const names = people();
  if (names.length === 0) return '';
  const rest = names.length - MOST_NAMED;
  return ` with ${names.slice(0, MOST_NAMED).join(', ')}${rest > 0 ? ` and ${grouped(rest)} more` : ''}`;
}

async function sisIdOf(
  canvas: CanvasClient,
  token: CanvasToken,
  one: SectionToName,
  present: Present | null,
  signal: AbortSignal,
): Promise<Outcome> {
  if (present === null) return { reason: 'its course can no longer be read in the LMS.' };
  const { id, sisSectionId } = one;
  if (id === null) {
    if (sisSectionId === '') return { reason: 'the LMS does not show which it is.' };
    return makeOne(canvas, token, one, present, signal);
  }
  const now = present.get(id);
  if (!now) return { reason: 'it is no longer a section of its course.' };
  // The LMS takes rows without a section there; an SIS ID that it was given since changes nothing in that.
  if (sisSectionId === '') return '';
  if (now.sis_section_id !== null) return now.sis_section_id;
  if (!one.assign) return { reason: 'it has lost its SIS ID since the plan was made.' };
  return setOrSuffix(sisSectionId, id, (value) => nameOne(canvas, token, id, value, signal));
}

/** The course's sections now, by id; null when the LMS says that the course cannot be read. */
async function presentSections(
  canvas: CanvasClient,
  token: CanvasToken,
  courseId: number,
  signal: AbortSignal,
): Promise<Present | null> {
  try {
    const found = await sectionsOf({ canvas, token, signal }, courseId);
    return new Map(found.map((one) => [one.id, one]));
  } catch (error) {
    if (isDefinite(error)) return null;
    throw error;
  }
}

/** The SIS ID that was set, or why none was. A taken one is tried again with a number. */
async function setOrSuffix(
  sisId: string,
  number: number,
  set: (value: string) => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await set(sisId);
  } catch (error) {
    if (!isDefinite(error)) throw error;
    if (!/in use/i.test(error.detail)) return { reason: error.detail };
  }
  try {
    return await set(`${sisId}-${number}`);
  } catch (error) {
    if (!isDefinite(error)) throw error;
    return { reason: error.detail };
  }
}

async function nameOne(
  canvas: CanvasClient,
  token: CanvasToken,
  id: number,
  value: string,
  signal: AbortSignal,
): Promise<string> {
  await canvas.call({
    token,
    method: 'PUT',
    path: `sections/${id}`,
    // The LMS takes the second field only for new sections; it is part of the documented call (LMS-14).
    body: { course_section: { sis_section_id: value }, enable_sis_reactivation: true },
    answer: named,
    signal,
  });
  return value;
}

/** Makes the section of a course that shows no default one, unless an earlier try did. */
async function makeOne(
  canvas: CanvasClient,
  token: CanvasToken,
  one: SectionToName,
  present: Present,
  signal: AbortSignal,
): Promise<Outcome> {
  const { courseId, name, sisSectionId } = one;
  const before = madeBefore(one, present);
  if (before !== null) return before;
  return setOrSuffix(sisSectionId, courseId, async (value) => {
    const { data } = await canvas.call({
      token,
      method: 'POST',
      path: `courses/${courseId}/sections`,
      body: { course_section: { name, sis_section_id: value } },
      answer: named,
      signal,
    });
    return { sisId: value, made: data.id };
  });
}

/** The section, if an earlier try made it. */
function madeBefore(one: SectionToName, present: Present): { sisId: string; made: number } | null {
  const ours = generatedIds(one);
  for (const { id, sis_section_id: sisId } of present.values())
    if (sisId !== null && ours.includes(sisId)) return { sisId, made: id };
  return null;
}

function byCourse(wanted: readonly SectionToName[]): Map<number, SectionToName[]> {
  const courses = new Map<number, Map<number | null, SectionToName>>();
  for (const one of wanted) {
    // A section may be there with several roles.
    const those = courses.get(one.courseId) ?? new Map<number | null, SectionToName>();
    courses.set(one.courseId, those.set(one.id, one));
  }
  return new Map([...courses].map(([id, those]) => [id, [...those.values()]]));
}
