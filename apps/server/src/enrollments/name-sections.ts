/**
 * Where rows land, asked once more just before the CSV is sent: sections without a SIS id are given one (OP-51), courses
 * without a default section get a section, and sections that are not in their course any more are left out.
 */
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

export interface SectionToName {
  courseId: number;
  /** Null for a section that is to be made, and where nobody knows which it is. */
  id: number | null;
  name: string;
  /** The id that it had when the plan was made, or is to be given; empty for the default section, which rows do not name. */
  sisSectionId: string;
  assign: boolean;
}

export interface NamedSections {
  /** What rows say, by `sectionKey`: a SIS id, nothing for the default section; null where they cannot name the section. */
  ids: Map<string, string | null>;
  /** Numbers of the sections that were made, by `sectionKey`. */
  made: Map<string, number>;
  /** Which of those that were to be given a SIS id have got one from others since, by `sectionKey`. */
  others: Set<string>;
  /** A sentence for each of these. */
  kept: string[];
  /** One sentence for each section that is left out. */
  failures: string[];
}

type Present = ReadonlyMap<number, LmsSection>;
const named = z.object({ id: z.number().int() });

/**
 * Gives each section its SIS id. May be repeated: a section that has one by now keeps it. Canvas would take rows for a
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
        `${whichSection(one)} was given the SIS id ${shown(sisId)}: the one that the review showed belongs to another section.`,
      );
    if (one.assign && typeof outcome === 'string' && !isOurs(one, outcome)) {
      others.add(key);
      kept.push(
        `${whichSection(one)} keeps the SIS id ${shown(outcome)}: others have given it that one since the review.`,
      );
    }
    if (!isNamed) failures.push(`${whichSection(one)} was left out: ${outcome.reason}`);
    else if (typeof outcome === 'object') made.set(key, outcome.made);
  }
  return { ids, made, others, kept, failures };
}

/** Whether a section that was to be given a SIS id has the one that it gets here. */
function isOurs(one: SectionToName, outcome: Outcome): outcome is string {
  return one.assign && typeof outcome === 'string' && generatedIds(one).includes(outcome);
}

/** The SIS ids that a section may be given here. */
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

/** `Section 'Evening group' (7)` */
function whichSection({ courseId, id, name, sisSectionId }: SectionToName): string {
  if (id !== null) return `Section '${name}' (${id})`;
  return sisSectionId === '' ? `A section of course ${courseId}` : `Section '${name}' of course ${courseId}`;
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
  // The LMS takes rows without a section there; a SIS id that it was given since changes nothing in that.
  if (sisSectionId === '') return '';
  if (now.sis_section_id !== null) return now.sis_section_id;
  if (!one.assign) return { reason: 'it has lost its SIS id since the plan was made.' };
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

/** The SIS id that was set, or why none was. A taken one is tried once more with a number. */
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
  const ours = new Set(generatedIds(one));
  for (const { id, sis_section_id: sisId } of present.values())
    if (sisId !== null && ours.has(sisId)) return { sisId, made: id };
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

function byCourse(wanted: readonly SectionToName[]): Map<number, SectionToName[]> {
  const courses = new Map<number, Map<number | null, SectionToName>>();
  for (const one of wanted) {
    // A section may be there with several roles.
    const those = courses.get(one.courseId) ?? new Map<number | null, SectionToName>();
    courses.set(one.courseId, those.set(one.id, one));
  }
  return new Map([...courses].map(([id, those]) => [id, [...those.values()]]));
}
