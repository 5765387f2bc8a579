/** Requests for Section Enrollment plans: checks them, and finds their existing sections (SE-06, OP-14). */
import type { SectionPlan, SectionPlanRequest } from '@lms-admin/contract/enrollments';
import { type KnownSection, type SectionTarget, sectionTargets } from '@lms-admin/domain/enrollment-plan';
import type { EnrollmentDates, EnrollmentState, RowStatus } from '@lms-admin/domain/enrollment-states';
import { namedTargets } from '@lms-admin/domain/section-plan';
import type { Scope } from '../access/scope.ts';
import type { Admin } from '../auth/admin.ts';
import type { CanvasClient } from '../canvas/types.ts';
import { fieldDetail } from '../platform/errors.ts';
import { badRequest } from '../platform/http-errors.ts';
import { mapLimited } from '../platform/limited.ts';
import { type PlannableCourse, reachableCourses } from './plan-checks.ts';
import { readOrWhy, readSections } from './read-lms.ts';

/** Number of courses whose sections are read at once; the client limits the calls in flight. */
const COURSES_AT_ONCE = 32;

export interface RequestedSection {
  courseId: number;
  sectionId: number;
  roleId: number;
  status: RowStatus;
  /** Requested SIS IDs, without duplicates. */
  users: string[];
  /** Set if the request undoes rows of an import. */
  undoes?: UndoneState;
  /** Whether the undone rows named the section: if it has since lost its SIS ID, it looks like the default one. */
  named?: boolean;
}

/** End times of imports in milliseconds since 1970, by their ids in the LMS. */
export type OwnImports = ReadonlyMap<number, number>;

/** Change that an import made to some people in one section. */
export interface UndoneState {
  /** States before and after the import. */
  before: EnrollmentState;
  left: RowStatus;
  /** Enrolments' own dates before and after the import, by the SIS IDs in the import. */
  dates?: { before: ReadonlyMap<string, EnrollmentDates>; left: ReadonlyMap<string, EnrollmentDates> };
  /** The import and all imports that undo or redo it: their end times by the LMS's clock, by their ids there. */
  ours?: OwnImports;
}

/** A requested section that exists. */
export interface PlannableSection extends RequestedSection {
  course: PlannableCourse;
  target: SectionTarget;
}

/**
 * `always`: rows name every section, even the default one (SE-12); `where-needed`: rows do not name the default one.
 */
export type Naming = 'always' | 'where-needed';

/** Returns the requested sections with unique people. @throws AppError bad-request if a section has a role twice */
export function readRequested(request: SectionPlanRequest): RequestedSection[] {
  const seen = new Set<string>();
  return request.sections.map((one, index) => {
    const key = `${one.section} ${one.role_id}`;
    if (seen.has(key)) {
      const message = `section ${one.section} appears twice with role ${one.role_id}`;
      throw badRequest([fieldDetail(`sections.${index}.section`, message)]);
    }
    seen.add(key);
    return {
      courseId: one.course,
      sectionId: one.section,
      roleId: one.role_id,
      status: one.status,
      users: [...new Set(one.users)],
    };
  });
}

/**
 * Returns the requested sections in the admin's scope with the SIS IDs for their rows, and the others with the reason.
 * @throws the signal's reason, or CanvasError if the courses cannot be read
 */
export async function reachableSections(
  { canvas, scope }: { canvas: CanvasClient; scope: Scope },
  { admin, requested, naming }: { admin: Admin; requested: readonly RequestedSection[]; naming: Naming },
  signal: AbortSignal,
): Promise<{ sections: PlannableSection[]; leftOut: SectionPlan['left_out'] }> {
  const courseIds = [...new Set(requested.map((one) => one.courseId))];
  const { courses, leftOut: coursesLeftOut } = await reachableCourses(scope, admin, courseIds, signal);
  const courseById = new Map(courses.map((course) => [course.id, course]));
  const known = new Map<number, KnownSection[]>();
  const whyNot = new Map(coursesLeftOut.map(({ id, reason }) => [id, { reason, unanswered: false }]));
  await mapLimited(courses, COURSES_AT_ONCE, async (course) => {
    const what = { read: 'sections', of: 'this course' };
    const read = await readOrWhy(what, signal, () => readSections(canvas, course.id, { admin, signal }));
    if ('unread' in read) whyNot.set(course.id, { reason: read.unread, unanswered: read.unanswered });
    else known.set(course.id, read);
  });
  const leftOut: SectionPlan['left_out'] = [];
  const present: (RequestedSection & { course: PlannableCourse; section: KnownSection })[] = [];
  for (const one of requested) {
    const course = courseById.get(one.courseId);
    const section = known.get(one.courseId)?.find(({ id }) => id === one.sectionId);
    if (course && section) present.push({ ...one, course, section });
    else {
      const why = whyNot.get(one.courseId) ?? { reason: 'The section was not found.', unanswered: false };
      leftOut.push({ course: one.courseId, section: one.sectionId, ...why });
    }
  }
  const taken = [...known.values()].flat().flatMap(({ sisSectionId }) => sisSectionId ?? []);
  const distinct = new Map(present.map((one) => [one.sectionId, one]));
  const named = new Set(present.flatMap((one) => (one.named ? [one.sectionId] : [])));
  const targets =
    naming === 'always'
      ? namedTargets(
          [...distinct.values()].map(({ section, course }) => ({
            section,
            sisCourseId: course.sis_course_id,
          })),
          taken,
        )
      : new Map(
          courses.flatMap(({ id, name, sis_course_id: sisCourseId }) => [
            ...sectionTargets({ name, sisCourseId, sections: known.get(id) ?? [] }, named),
          ]),
        );
  const sections = present.flatMap((one) => {
    const target = targets.get(one.sectionId);
    return target ? { ...one, target } : [];
  });
  return { sections, leftOut };
}
