/** Sections without a SIS id, which a CSV cannot name: they are given one just before the CSV is sent (OP-51). */
import { section } from '@lms-admin/contract/canvas-objects';
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import { z } from 'zod';
import { type CanvasClient, CanvasError, type CanvasToken } from '../canvas/types.ts';

export interface SectionToName {
  courseId: number;
  id: number;
  name: string;
  sisSectionId: string;
}

export interface NamedSections {
  /** SIS id by section id; null where the section could not be given one. */
  ids: Map<number, string | null>;
  /** One sentence for each section that is left out. */
  failures: string[];
}

const sections = z.array(section);
const named = z.object({ id: z.number().int() });

/**
 * Gives each section its SIS id. May be repeated: a section that has one by now keeps it.
 * @throws CanvasError when the LMS cannot be asked at the moment (down, throttled, token refused): try again later
 */
export async function nameSections(
  canvas: CanvasClient,
  token: CanvasToken,
  wanted: readonly SectionToName[],
  signal: AbortSignal,
): Promise<NamedSections> {
  const ids = new Map<number, string | null>();
  const failures: string[] = [];
  for (const [courseId, those] of byCourse(wanted)) {
    const present = await presentSections(canvas, token, courseId, signal);
    for (const one of those) {
      const given = present?.get(one.id);
      const outcome = given ?? (await nameOne(canvas, token, one, signal));
      if (typeof outcome === 'string') ids.set(one.id, outcome);
      else {
        ids.set(one.id, null);
        failures.push(`Section '${one.name}' (${one.id}) was left out: ${outcome.reason}`);
      }
    }
  }
  return { ids, failures };
}

/** SIS ids of the course's sections now; null when the course cannot be read, which naming will then tell. */
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
): Promise<string | { reason: string }> {
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
  const courses = new Map<number, SectionToName[]>();
  for (const one of wanted) courses.set(one.courseId, [...(courses.get(one.courseId) ?? []), one]);
  return courses;
}
