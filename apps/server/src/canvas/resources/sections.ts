/** Sections of the LMS. */
import { section as sectionOfContract } from '@lms-admin/contract/canvas-objects';
import type { KnownSection } from '@lms-admin/domain/enrollment-plan';
import { z } from 'zod';
import { sisSegment } from '../sis-path.ts';
import { listed, one, type Reader } from './reading.ts';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? null);

const section = sectionOfContract.extend({
  /** Number of the section's original course, if the section is cross-listed. */
  nonxlist_course_id: z
    .number()
    .int()
    .nullish()
    .transform((value) => value ?? null),
  start_at: text,
  end_at: text,
  integration_id: text,
  restrict_enrollments_to_section_dates: z.boolean().nullish(),
});
export type LmsSection = z.output<typeof section>;

/** Returns the sections of a course, without deleted ones. @throws CanvasError */
export function sectionsOf(reader: Reader, courseId: number): Promise<LmsSection[]> {
  return listed(reader, `courses/${courseId}/sections`, section);
}

/** Returns a section by its number, in any course. @throws CanvasError */
export function sectionById(reader: Reader, id: number): Promise<LmsSection> {
  return one(reader, `sections/${id}`, section);
}

/** Returns a section by its SIS ID, in any course. @throws CanvasError */
export function sectionBySisId(reader: Reader, sisId: string): Promise<LmsSection> {
  return one(reader, `sections/${sisSegment('section', sisId)}`, section);
}

/** Returns the details of a section that the default-section rules need. */
export function knownSection(found: LmsSection): KnownSection {
  return {
    id: found.id,
    name: found.name,
    sisSectionId: found.sis_section_id,
    crossListed: found.nonxlist_course_id !== null,
  };
}
