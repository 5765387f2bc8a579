/** The documented call that sets the SIS ID of a section (LMS-14), accepting only the generated id (OP-51). */
import { type Section, section } from '@lms-admin/contract/canvas-objects';
import { generatedSectionSisId } from '@lms-admin/domain/sections';
import type { Scope } from '../access/scope.ts';
import type { Admin } from '../auth/admin.ts';
import type { Reader } from '../canvas/resources/reading.ts';
import { sectionById } from '../canvas/resources/sections.ts';
import { type CanvasClient, CanvasError } from '../canvas/types.ts';
import { AppError, fieldDetail } from '../platform/errors.ts';

/** Already checked by the registry's schema. */
interface Payload {
  course_section: { sis_section_id: string };
}

/**
 * Gives a section without an SIS ID the generated one. A section that has this id already is returned unchanged.
 * @throws AppError not-found (also out of scope), conflict (it has another id), bad-request (not the generated id)
 */
export async function giveSectionSisId(
  { canvas, scope }: { canvas: CanvasClient; scope: Scope },
  admin: Admin,
  sectionId: number,
  payload: Payload,
  signal: AbortSignal,
): Promise<Section> {
  const path = `sections/${sectionId}`;
  const wanted = payload.course_section.sis_section_id;
  const found = await read({ canvas, token: admin.token, signal }, sectionId);
  // Without the cache, since this is the last check: the course may just have moved out of scope.
  const course = found && (await scope.withoutCache().course(admin, found.course_id, signal));
  if (!found || !course) throw new AppError('not-found');
  if (found.sis_section_id === wanted) return section.parse(found);
  if (found.sis_section_id !== null) {
    throw new AppError('conflict', {
      message: 'The section already has a different SIS ID.',
      next: 'Use the SIS ID that it has.',
    });
  }
  const plain = course.sis_course_id && generatedSectionSisId(found, course.sis_course_id);
  if (!plain || (wanted !== plain && wanted !== `${plain}-${sectionId}`)) {
    const detail = plain ? `should be ${plain}, or ${plain}-${sectionId}` : 'its course has no SIS ID';
    throw new AppError('bad-request', { details: [fieldDetail('sis_section_id', detail)] });
  }
  const { data } = await canvas.call({
    token: admin.token,
    method: 'PUT',
    path,
    body: { course_section: { sis_section_id: wanted }, enable_sis_reactivation: true },
    answer: section,
    signal,
  });
  return data;
}

async function read(reader: Reader, sectionId: number): Promise<Section | null> {
  try {
    return await sectionById(reader, sectionId);
  } catch (error) {
    if (error instanceof CanvasError && (error.kind === 'not-found' || error.kind === 'refused')) return null;
    throw error;
  }
}
