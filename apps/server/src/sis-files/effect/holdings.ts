/** Contents of the LMS in the courses and sections of a file. */
import { ownDefault } from '@lms-admin/domain/enrollment-plan';
import type { HeldEnrolment } from '@lms-admin/domain/sis-effect/held-place';
import type { HeldSection } from '@lms-admin/domain/sis-effect/sections';
import { enrollmentPages } from '../../canvas/resources/enrollments.ts';
import { type Answer, answered } from '../../canvas/resources/reading.ts';
import {
  type LmsSection,
  sectionBySisId as readSection,
  sectionsOf as readSections,
} from '../../canvas/resources/sections.ts';
import { ownText } from '../../platform/text.ts';
import type { Asking } from './ask.ts';

const NO_GROUPS: readonly number[] = [];

export interface FoundEnrolment extends HeldEnrolment {
  courseId: number;
  name: string | null;
  /** The person's groups in the course. */
  groups: readonly number[];
  /** SIS ID of the course; null if it has none. */
  courseSisId: string | null;
  /** Whether this upload moves its section to another course. */
  moves?: boolean;
}

export interface FoundSection extends HeldSection {
  sisId: string | null;
  courseId: number;
  /** Number of the course that the section was cross-listed from. */
  home: number | null;
}

/** Current state of a course or section. */
export interface Holding {
  enrolments: FoundEnrolment[];
  sections: FoundSection[];
  /** Sections that the upload deletes, removed from the list above. */
  gone: FoundSection[];
  defaultSection: number | null;
  /** SIS ID of the section that the upload moves here as the new default one; null for none. */
  broughtIn: string | null;
  /** Sections that may be the default one, if the LMS does not show it. */
  maybeDefault: ReadonlySet<number>;
}

/** Reads the sections of a course. */
export function sectionsOf(
  asking: Asking,
  course: { id: number; sisId: string },
): Promise<Answer<FoundSection[]>> {
  return answered(asking, async () => {
    const all = await readSections(asking, course.id);
    return all.map((found) => heldAs(found, course.sisId));
  });
}

/** Finds a section, whatever its course. */
export async function sectionBySisId(asking: Asking, sisId: string): Promise<Answer<FoundSection>> {
  const found = await answered(asking, () => readSection(asking, sisId));
  return typeof found === 'object' ? heldAs(found, found.sis_course_id) : found;
}

/** Reads a place's or person's enrolments, without deleted ones. @param path `courses/7`, `sections/9` or `users/3` */
export function enrolmentsOf(asking: Asking, path: string): Promise<Answer<FoundEnrolment[]>> {
  return answered(asking, async () => {
    const all: FoundEnrolment[] = [];
    for await (const { data } of enrollmentPages(asking, path, { groups: true })) {
      for (const found of data) {
        // Enrolments in a deleted section or course are reported as deleted.
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
          start: found.start_at ?? null,
          end: found.end_at ?? null,
          observes: found.associated_user_id ?? null,
          limited: found.limit_privileges_to_course_section ?? false,
          groups: found.user?.group_ids ?? NO_GROUPS,
        });
      }
    }
    return all;
  });
}

/** Returns the state of a course, with its possible default sections. */
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
  // A renamed default section, or one without a unique name, can be any of these, most likely one without an SIS ID.
  const own = sections.filter(({ crossListed }) => !crossListed);
  const unnamed = own.filter(({ sisId }) => sisId === null);
  const [maybe = []] = [unnamed, own, sections].filter(({ length }) => length > 0);
  return {
    enrolments,
    sections,
    gone: [],
    defaultSection: fallback?.id ?? null,
    broughtIn: null,
    maybeDefault: new Set(fallback ? [] : maybe.map((one) => one.id)),
  };
}

function heldAs(found: LmsSection, course: string | null): FoundSection {
  return {
    id: found.id,
    name: found.name,
    sisId: found.sis_section_id || null,
    course,
    courseId: found.course_id,
    home: found.nonxlist_course_id,
    crossListed: found.nonxlist_course_id !== null,
    start: found.start_at,
    end: found.end_at,
    integrationId: found.integration_id,
    limited: found.restrict_enrollments_to_section_dates ?? null,
  };
}
