/**
 * Checks the sections of rows just before the CSV is sent: sections without an SIS ID get one (OP-51), courses without
 * a default section get a section, and sections that have left their course are skipped.
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

/** Number of courses whose sections are prepared at once. */
const COURSES_AT_ONCE = 8;

/** Maximum number of people named for a skipped section; the others are only counted. */
const MOST_NAMED = 20;

export interface SectionToName {
  courseId: number;
  /** SIS ID of the course. */
  course: string;
  /** Names of the people in the section's rows; only called for a skipped section. */
  people: () => readonly string[];
  /** Null for a section that will be created, or an unknown one. */
  id: number | null;
  name: string;
  /** The planned or existing SIS ID; empty for the default section, which rows do not name. */
  sisSectionId: string;
  assign: boolean;
}

export interface NamedSections {
  /**
   * Section IDs for rows, by `sectionKey`: an SIS ID, empty for the default section, or null if rows cannot name it.
   */
  ids: Map<string, string | null>;
  /** Numbers of the created sections, by `sectionKey`. */
  created: Map<string, number>;
  /** Sections that should have got an SIS ID here but already have one from others, by `sectionKey`. */
  others: Set<string>;
  /** One sentence for each section in `others`. */
  kept: string[];
  /** One sentence for each skipped section. */
  failures: string[];
}

type Present = ReadonlyMap<number, LmsSection>;
const named = z.object({ id: z.number().int() });

/**
 * Gives each section its SIS ID. Can be repeated: a section that has an ID keeps it. If a section has been cross-listed
 * away, Canvas would enrol people in its new course, perhaps outside the admin's scope, so it is skipped.
 * @param of `prepared` is notified of each change to a section
 * @throws CanvasError if the LMS is unavailable (down, throttled, token refused): try again later
 */
export async function nameSections(
  canvas: CanvasClient,
  wanted: readonly SectionToName[],
  { token, signal, prepared }: { token: CanvasToken; signal: AbortSignal; prepared: Prepared },
): Promise<NamedSections> {
  const outcomes = await mapLimited([...byCourse(wanted)], COURSES_AT_ONCE, async ([courseId, sections]) => {
    const present = await presentSections(canvas, token, courseId, signal);
    const outcomesOfAll: { one: SectionToName; outcome: Outcome }[] = [];
    // One after the other, because two sections of a course may need the same ID.
    for (const one of sections) {
      const outcome = await sisIdOf(canvas, token, one, present, signal);
      outcomesOfAll.push({ one, outcome });
      // Recorded immediately, so that it is kept if the LMS does not answer for the next section.
      if (typeof outcome === 'object' && 'created' in outcome) prepared.noteCreated(outcome.sisId);
      else if (isOurs(one, outcome)) prepared.given(outcome);
    }
    return outcomesOfAll;
  });
  const ids = new Map<string, string | null>();
  const created = new Map<string, number>();
  const failures: string[] = [];
  const others = new Set<string>();
  const kept: string[] = [];
  for (const { one, outcome } of outcomes.flat()) {
    const key = sectionKey(one.courseId, one.id);
    const isNamed = typeof outcome === 'string' || 'created' in outcome;
    const sisId = typeof outcome === 'string' ? outcome : isNamed ? outcome.sisId : null;
    ids.set(key, sisId);
    if (sisId === suffixed(one) && (one.assign || typeof outcome === 'object'))
      kept.push(
        `${whichSection(one)} was given the SIS ID ${shown(sisId)}, because the SIS ID that the review showed belongs to another section.`,
      );
    if (one.assign && typeof outcome === 'string' && !isOurs(one, outcome)) {
      others.add(key);
      kept.push(
        `${whichSection(one)} keeps the SIS ID ${shown(outcome)}: another import or someone in the LMS has assigned it since the review.`,
      );
    }
    if (!isNamed) failures.push(`${whichSection(one)} was skipped${without(one)}: ${outcome.reason}`);
    else if (typeof outcome === 'object') created.set(key, outcome.created);
  }
  return { ids, created, others, kept, failures };
}

/**
 * Returns which sections the LMS shows as created or as having the SIS ID that LMS Admin gives them.
 * @throws CanvasError if the LMS is unavailable
 */
export async function sectionsDone(
  canvas: CanvasClient,
  wanted: readonly SectionToName[],
  { token, signal, prepared }: { token: CanvasToken; signal: AbortSignal; prepared: Prepared },
): Promise<void> {
  const open = wanted.filter(
    ({ assign, id, sisSectionId }) => sisSectionId !== '' && (assign || id === null),
  );
  await mapLimited([...byCourse(open)], COURSES_AT_ONCE, async ([courseId, sections]) => {
    const present = (await presentSections(canvas, token, courseId, signal)) ?? new Map<number, LmsSection>();
    for (const one of sections) {
      const sisId =
        one.id === null ? existingSection(one, present)?.sisId : present.get(one.id)?.sis_section_id;
      if (sisId == null || !generatedIds(one).includes(sisId)) continue;
      if (one.id === null) prepared.noteCreated(sisId);
      else prepared.given(sisId);
    }
  });
}

/** Returns whether a section has the SIS ID that LMS Admin gives it. */
function isOurs(one: SectionToName, outcome: Outcome): outcome is string {
  return one.assign && typeof outcome === 'string' && generatedIds(one).includes(outcome);
}

/** Returns the SIS IDs that LMS Admin can give a section. */
const generatedIds = (one: SectionToName): string[] => [one.sisSectionId, suffixed(one)];

/** Creates an SIS ID that is used if another section has the first one. */
export function suffixed({
  id,
  courseId,
  sisSectionId,
}: Pick<SectionToName, 'id' | 'courseId' | 'sisSectionId'>) {
  return `${sisSectionId}-${id ?? courseId}`;
}

/** The section ID for the rows, with the number of a created section; or why rows cannot name the section. */
type Outcome = string | { sisId: string; created: number } | { reason: string };

/** Names a section: `Section 'Evening group' (7) of course "MBA26-1"` */
function whichSection({ course, id, name, sisSectionId }: SectionToName): string {
  if (id === null && sisSectionId === '') return `A section of course ${shown(course)}`;
  return `Section '${name}'${id === null ? '' : ` (${id})`} of course ${shown(course)}`;
}

/** Names the first few people who are skipped along with a section. */
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
    if (sisSectionId === '') return { reason: 'the LMS does not show its SIS ID.' };
    return makeOne(canvas, token, one, present, signal);
  }
  const now = present.get(id);
  if (!now) return { reason: 'it is no longer in this course.' };
  // The LMS puts rows without a section into the default section, even if it has received an SIS ID since.
  if (sisSectionId === '') return '';
  if (now.sis_section_id !== null) return now.sis_section_id;
  if (!one.assign) return { reason: 'it has lost its SIS ID since the review.' };
  return setOrSuffix(sisSectionId, id, (value) => nameOne(canvas, token, id, value, signal));
}

/** Returns the current sections of the course by id, or null if the LMS rejects the request. */
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

/** Returns the SIS ID that was set, or why none was. If the ID is taken, a number is appended. */
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
    // The LMS only uses the second field for new sections, but it is part of the documented call (LMS-14).
    body: { course_section: { sis_section_id: value }, enable_sis_reactivation: true },
    answer: named,
    signal,
  });
  return value;
}

/** Creates a section for a course that shows no default section, unless an earlier attempt did. */
async function makeOne(
  canvas: CanvasClient,
  token: CanvasToken,
  one: SectionToName,
  present: Present,
  signal: AbortSignal,
): Promise<Outcome> {
  const { courseId, name, sisSectionId } = one;
  const before = existingSection(one, present);
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
    return { sisId: value, created: data.id };
  });
}

/** Returns the section if an earlier attempt created it. */
function existingSection(one: SectionToName, present: Present): { sisId: string; created: number } | null {
  const ours = generatedIds(one);
  for (const { id, sis_section_id: sisId } of present.values())
    if (sisId !== null && ours.includes(sisId)) return { sisId, created: id };
  return null;
}

function byCourse(wanted: readonly SectionToName[]): Map<number, SectionToName[]> {
  const courses = new Map<number, Map<number | null, SectionToName>>();
  for (const one of wanted) {
    // A section may occur with several roles.
    const sections = courses.get(one.courseId) ?? new Map<number | null, SectionToName>();
    courses.set(one.courseId, sections.set(one.id, one));
  }
  return new Map([...courses].map(([id, sections]) => [id, [...sections.values()]]));
}
