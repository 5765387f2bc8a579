/** What the LMS holds in the courses and sections that a file names. */
import { section as sectionOfLms } from '@lms-admin/contract/canvas-objects';
import { ownDefault } from '@lms-admin/domain/enrollment-plan';
import type { HeldEnrolment } from '@lms-admin/domain/sis-effect/held-place';
import type { HeldSection } from '@lms-admin/domain/sis-effect/sections';
import { z } from 'zod';
import { sisSegment } from '../../canvas/sis-path.ts';
import { ownText } from '../../platform/text.ts';
import { type Answer, type Asking, answered, id, one, pages, text } from './ask.ts';

const STATES = ['active', 'invited', 'creation_pending', 'inactive', 'completed', 'rejected'];

const enrolment = z.object({
  id,
  user_id: id,
  course_id: id,
  course_section_id: id,
  role_id: id,
  enrollment_state: z.string(),
  sis_user_id: text,
  sis_course_id: text,
  start_at: text,
  end_at: text,
  associated_user_id: id.nullish(),
  limit_privileges_to_course_section: z.boolean().nullish(),
  user: z.object({ name: z.string(), group_ids: z.array(id).nullish() }).nullish(),
});
const section = sectionOfLms.extend({
  nonxlist_course_id: z.number().int().nullish(),
  start_at: text,
  end_at: text,
  integration_id: text,
  restrict_enrollments_to_section_dates: z.boolean().nullish(),
});
type Section = z.output<typeof section>;

const NO_GROUPS: readonly number[] = [];

export interface FoundEnrolment extends HeldEnrolment {
  courseId: number;
  name: string | null;
  /** Groups of the course that the person is in. */
  groups: readonly number[];
  /** SIS id of the course; null where it has none. */
  courseSisId: string | null;
  /** Whether its section goes to another course by this upload. */
  moves?: boolean;
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
  /** Sections that the upload deletes: they are among the others no more. */
  gone: FoundSection[];
  defaultSection: number | null;
  /** Sections that may be the default one, where it does not show. */
  maybeDefault: ReadonlySet<number>;
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

/** The enrolments of a place or person that are not deleted. @param path `courses/7`, `sections/9` or `users/3` */
export function enrolmentsOf(asking: Asking, path: string): Promise<Answer<FoundEnrolment[]>> {
  return answered(asking, async () => {
    const all: FoundEnrolment[] = [];
    const states = STATES.map((state) => ['state[]', state] as const);
    const query = [...states, ['include[]', 'group_ids'] as const];
    for await (const { data } of pages(asking, `${path}/enrollments`, enrolment, query)) {
      for (const found of data) {
        // What is in a deleted section or course reads as deleted.
        if (found.enrollment_state === 'deleted') continue;
        all.push({
          id: found.id,
          courseId: found.course_id,
          courseSisId: found.sis_course_id,
          user: found.sis_user_id ?? '',
          userId: found.user_id,
          name: found.user ? ownText(found.user.name) : null,
          roleId: found.role_id,
          sectionId: found.course_section_id,
          state: found.enrollment_state,
          start: found.start_at,
          end: found.end_at,
          observes: found.associated_user_id ?? null,
          limited: found.limit_privileges_to_course_section ?? false,
          groups: found.user?.group_ids ?? NO_GROUPS,
        });
      }
    }
    return all;
  });
}

/** What a course holds, with what can be told of its default section. */
export function holdingOf(
  course: { name: string },
  sections: FoundSection[],
  enrolments: FoundEnrolment[],
): Holding {
  const known = sections.map((found) => ({
    id: found.id,
    name: found.name,
    sisSectionId: found.sisId,
    crossListed: found.crossListed,
  }));
  const fallback = ownDefault({ name: course.name, sections: known });
  // A default section that was renamed, or several of one name: any without an SIS id may be it, or one that was given an SIS id.
  const own = sections.filter(({ crossListed }) => !crossListed);
  const unnamed = own.filter(({ sisId }) => sisId === null);
  const [maybe = []] = [unnamed, own, sections].filter(({ length }) => length > 0);
  return {
    enrolments,
    sections,
    gone: [],
    defaultSection: fallback?.id ?? null,
    maybeDefault: new Set(fallback ? [] : maybe.map((one) => one.id)),
  };
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
    limited: found.restrict_enrollments_to_section_dates ?? null,
  };
}
