/** Sections named in hand-made rows: each has to be one of its course. */
import { type Course, section } from '@lms-admin/contract/canvas-objects';
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import { z } from 'zod';
import type { Admin } from '../access/admin.ts';
import type { CanvasClient } from '../canvas/types.ts';
import { mapLimited } from '../platform/limited.ts';

/** Courses whose sections are read at once. */
const AT_ONCE = 16;
const sections = z.array(section);

/**
 * Sections that their course does not have. Canvas takes a row with a section that has been cross-listed away from the
 * course and enrols in the course where the section now is, which may be out of reach.
 * @param named rows by SIS id of the section, by SIS id of the course
 * @throws CanvasError when sections cannot be read
 */
export async function foreignSections(
  canvas: CanvasClient,
  admin: Admin,
  courses: ReadonlyMap<string, Course>,
  named: ReadonlyMap<string, ReadonlyMap<string, number[]>>,
  signal?: AbortSignal,
): Promise<{ section: string; rows: number[] }[]> {
  const foreign = await mapLimited([...named], AT_ONCE, async ([courseSisId, those]) => {
    const course = courses.get(courseSisId);
    if (!course) return [];
    const present = await canvas.list({
      token: admin.token,
      method: 'GET',
      path: `courses/${course.id}/sections`,
      query: [['per_page', String(LMS_PAGE_SIZE)]],
      answer: sections,
      ...(signal ? { signal } : {}),
    });
    const own = new Set(present.map((one) => one.sis_section_id));
    return [...those].flatMap(([id, rows]) => (own.has(id) ? [] : [{ section: id, rows }]));
  });
  return foreign.flat();
}
