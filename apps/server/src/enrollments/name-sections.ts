/**
 * Sections that rows name, looked at once more just before the CSV is sent: those without a SIS id are given one (OP-51),
 * and those that are not in their course any more are left out.
 */
import { section } from '@lms-admin/contract/canvas-objects';
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import { z } from 'zod';
import { type CanvasClient, CanvasError, type CanvasToken } from '../canvas/types.ts';
import { mapLimited } from '../platform/limited.ts';

/** Courses whose sections are seen to at once. */
const COURSES_AT_ONCE = 8;

export interface SectionToName {
  courseId: number;
  id: number;
  name: string;
  /** The id that it had when the plan was made, or is to be given. */
  sisSectionId: string;
  assign: boolean;
}

export interface NamedSections {
  /** SIS id by section id; null where rows cannot name the section. */
  ids: Map<number, string | null>;
  /** One sentence for each section that is left out. */
  failures: string[];
}

const sections = z.array(section);
const named = z.object({ id: z.number().int() });

/**
 * Gives each section its SIS id. May be repeated: a section that has one by now keeps it. Canvas would take rows for a
 * section that was cross-listed away since, and enrol where it now is, perhaps out of reach: such a section is left out.
 * @throws CanvasError when the LMS cannot be asked at the moment (down, throttled, token refused): try again later
 */
export async function nameSections(
  canvas: CanvasClient,
  token: CanvasToken,
  wanted: readonly SectionToName[],
  signal: AbortSignal,
): Promise<NamedSections> {
  const outcomes = await mapLimited([...byCourse(wanted)], COURSES_AT_ONCE, async ([courseId, those]) => {
    const present = await presentSections(canvas, token, courseId, signal);
    const told: { one: SectionToName; outcome: Outcome }[] = [];
    // One after the other: two of a course may want the same id.
    for (const one of those) told.push({ one, outcome: await sisIdOf(canvas, token, one, present, signal) });
    return told;
  });
  const ids = new Map<number, string | null>();
  const failures: string[] = [];
  for (const { one, outcome } of outcomes.flat()) {
    ids.set(one.id, typeof outcome === 'string' ? outcome : null);
    if (typeof outcome !== 'string')
      failures.push(`Section '${one.name}' (${one.id}) was left out: ${outcome.reason}`);
  }
  return { ids, failures };
}

type Outcome = string | { reason: string };

async function sisIdOf(
  canvas: CanvasClient,
  token: CanvasToken,
  one: SectionToName,
  present: ReadonlyMap<number, string | null> | null,
  signal: AbortSignal,
): Promise<Outcome> {
  if (present === null) return { reason: 'its course can no longer be read in the LMS.' };
  const given = present.get(one.id);
  if (given === undefined) return { reason: 'it is no longer a section of its course.' };
  if (given !== null) return given;
  if (!one.assign) return { reason: 'it has lost its SIS id since the plan was made.' };
  return nameOne(canvas, token, one, signal);
}

/** SIS ids of the course's sections now; null when the LMS says that the course cannot be read. */
async function presentSections(
  canvas: CanvasClient,
  token: CanvasToken,
  courseId: number,
  signal: AbortSignal,
) {
  try {
    const found = await canvas.list({
      token,
      method: 'GET',
      path: `courses/${courseId}/sections`,
      query: [['per_page', String(LMS_PAGE_SIZE)]],
      answer: sections,
      signal,
    });
    return new Map(found.map((one) => [one.id, one.sis_section_id]));
  } catch (error) {
    if (isDefinite(error)) return null;
    throw error;
  }
}

/** The SIS id that the section got, or why it got none. A taken id is tried once more with the section's number. */
async function nameOne(
  canvas: CanvasClient,
  token: CanvasToken,
  { id, sisSectionId }: SectionToName,
  signal: AbortSignal,
): Promise<Outcome> {
  const put = async (value: string) => {
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
  };
  try {
    return await put(sisSectionId);
  } catch (error) {
    if (!isDefinite(error)) throw error;
    if (!/in use/i.test(error.detail)) return { reason: error.detail };
  }
  try {
    return await put(`${sisSectionId}-${id}`);
  } catch (error) {
    if (!isDefinite(error)) throw error;
    return { reason: error.detail };
  }
}

/** A definite no about this section, as opposed to a LMS that cannot be asked now. */
function isDefinite(error: unknown): error is CanvasError {
  return error instanceof CanvasError && ['refused', 'not-found', 'rejected'].includes(error.kind);
}

function byCourse(wanted: readonly SectionToName[]): Map<number, SectionToName[]> {
  const courses = new Map<number, Map<number, SectionToName>>();
  for (const one of wanted) {
    // A section may be there with several roles.
    const those = courses.get(one.courseId) ?? new Map<number, SectionToName>();
    courses.set(one.courseId, those.set(one.id, one));
  }
  return new Map([...courses].map(([id, those]) => [id, [...those.values()]]));
}
