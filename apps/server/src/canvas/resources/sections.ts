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
  /** Number of the course that it was cross-listed from. */
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

/** The sections of a course; deleted ones are not among them. @throws CanvasError */
export function sectionsOf(reader: Reader, courseId: number): Promise<LmsSection[]> {
  return listed(reader, `courses/${courseId}/sections`, section);
}

/** A section by its number, wherever it is now. @throws CanvasError */
export function sectionById(reader: Reader, id: number): Promise<LmsSection> {
  return one(reader, `sections/${id}`, section);
}

/** A section by its SIS ID, wherever it is now. @throws CanvasError */
export function sectionBySisId(reader: Reader, sisId: string): Promise<LmsSection> {
  return one(reader, `sections/${sisSegment('section', sisId)}`, section);
}

/** What the rules of default sections know of a section. */
export function knownSection(found: LmsSection): KnownSection {
  return {
    id: found.id,
    name: found.name,
    sisSectionId: found.sis_section_id,
    crossListed: found.nonxlist_course_id !== null,
  };
}
