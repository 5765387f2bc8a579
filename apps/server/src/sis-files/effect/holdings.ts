/** What the LMS holds in the courses and sections that a file names. */
import { section as sectionOfLms } from '@lms-admin/contract/canvas-objects';
import { ownDefault } from '@lms-admin/domain/enrollment-plan';
import type { HeldEnrolment } from '@lms-admin/domain/sis-effect/enrolments';
import type { HeldSection } from '@lms-admin/domain/sis-effect/places';
import { z } from 'zod';
import { sisSegment } from '../../canvas/sis-path.ts';
import { ownText } from '../../platform/text.ts';
import { type Answer, type Asking, answered, id, one, pages, text } from './ask.ts';

const STATES = ['active', 'invited', 'creation_pending', 'inactive', 'completed', 'rejected'];

const enrolment = z.object({
  user_id: id,
  course_section_id: id,
  role_id: id,
  enrollment_state: z.string(),
  sis_user_id: text,
  start_at: text,
  end_at: text,
  user: z.object({ name: z.string() }).nullish(),
});
const section = sectionOfLms.extend({
  nonxlist_course_id: z.number().int().nullish(),
  start_at: text,
  end_at: text,
  integration_id: text,
});
type Section = z.output<typeof section>;

export interface FoundEnrolment extends HeldEnrolment {
  userId: number;
  name: string | null;
}

export interface FoundSection extends HeldSection {
  sisId: string | null;
  courseId: number;
  /** Number of the course that it was cross-listed from. */
  home: number | null;
}

/** A course or section as it is now. */
export interface Holding {
  enrolments: FoundEnrolment[];
  sections: FoundSection[];
  defaultSection: number | null;
}

/** The sections of a course. */
export function sectionsOf(
  asking: Asking,
  course: { id: number; sisId: string },
): Promise<Answer<FoundSection[]>> {
  return answered(asking, async () => {
    const all: FoundSection[] = [];
    for await (const { data } of pages(asking, `courses/${course.id}/sections`, section))
      all.push(...data.map((found) => heldAs(found, course.sisId)));
    return all;
  });
}

/** A section wherever it is now. */
export async function sectionBySisId(asking: Asking, sisId: string): Promise<Answer<FoundSection>> {
  const found = await answered(asking, () =>
    one(asking, `sections/${sisSegment('section', sisId)}`, section),
  );
  return typeof found === 'object' ? heldAs(found, found.sis_course_id) : found;
}

/** The enrolments of a place that are not deleted. @param path `courses/7` or `sections/9` */
export function enrolmentsOf(asking: Asking, path: string): Promise<Answer<FoundEnrolment[]>> {
  return answered(asking, async () => {
    const all: FoundEnrolment[] = [];
    const states = STATES.map((state) => ['state[]', state] as const);
    for await (const { data } of pages(asking, `${path}/enrollments`, enrolment, states)) {
      for (const found of data) {
        all.push({
          user: found.sis_user_id ?? '',
          userId: found.user_id,
          name: found.user ? ownText(found.user.name) : null,
          roleId: found.role_id,
          sectionId: found.course_section_id,
          state: found.enrollment_state,
          start: found.start_at,
          end: found.end_at,
        });
      }
    }
    return all;
  });
}

/** A course with its sections and enrolments. */
export async function courseHolding(
  asking: Asking,
  course: { id: number; sisId: string; name: string },
): Promise<Answer<Holding>> {
  const [sections, enrolments] = await Promise.all([
    sectionsOf(asking, course),
    enrolmentsOf(asking, `courses/${course.id}`),
  ]);
  if (typeof sections === 'string') return sections;
  if (typeof enrolments === 'string') return enrolments;
  const known = sections.map((found) => ({
    id: found.id,
    name: found.name,
    sisSectionId: found.sisId,
    crossListed: found.crossListed,
  }));
  const fallback = ownDefault({ name: course.name, sections: known });
  return { enrolments, sections, defaultSection: fallback?.id ?? null };
}

function heldAs(found: Section, course: string | null): FoundSection {
  return {
    id: found.id,
    name: found.name,
    sisId: found.sis_section_id || null,
    course,
    courseId: found.course_id,
    home: found.nonxlist_course_id ?? null,
    crossListed: (found.nonxlist_course_id ?? null) !== null,
    start: found.start_at,
    end: found.end_at,
    integrationId: found.integration_id,
  };
}
