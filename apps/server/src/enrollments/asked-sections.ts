/** What a plan of Section Enrollment asks for, checked, and the sections of it that are there (SE-06, OP-14). */
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

/** Courses whose sections are read at once; the client decides how many calls of them are in flight. */
const COURSES_AT_ONCE = 32;

export interface AskedSection {
  courseId: number;
  sectionId: number;
  roleId: number;
  status: RowStatus;
  /** SIS IDs, each once. */
  users: string[];
  /** Where it undoes rows of an import. */
  undoes?: UndoneState;
  /** Whether the rows that are undone named the section: it may have lost its SIS ID since, and look like the default one. */
  named?: boolean;
}

/** When imports ended, in milliseconds since 1970, by their numbers in the LMS. */
export type OwnImports = ReadonlyMap<number, number>;

/** What an import made of some people of one section. */
export interface UndoneState {
  /** The state before it, and the one that it left behind. */
  before: EnrollmentState;
  left: RowStatus;
  /** Who had dates of their own before it, and to whom it gave some: by the SIS IDs of the import. */
  dates?: { before: ReadonlyMap<string, EnrollmentDates>; left: ReadonlyMap<string, EnrollmentDates> };
  /** The import, and those that undo it and its undo: their ends by the clock of the LMS, by their numbers there. */
  ours?: OwnImports;
}

/** An asked section that is there. */
export interface PlannableSection extends AskedSection {
  course: PlannableCourse;
  target: SectionTarget;
}

/** `always`: rows name the section, the default section too (SE-12); `where-needed`: rows leave the default section out. */
export type Naming = 'always' | 'where-needed';

/** What is asked, each person once a section. @throws AppError bad-request: a section twice with the same role */
export function readAsked(request: SectionPlanRequest): AskedSection[] {
  const seen = new Set<string>();
  return request.sections.map((one, index) => {
    const key = `${one.section} ${one.role_id}`;
    if (seen.has(key)) {
      const message = `section ${one.section} is there twice with role ${one.role_id}`;
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
 * The asked sections that exist in the admin's reach, with the SIS ID that rows name them by; the others with the reason.
 * @throws the signal's reason, or CanvasError when the courses cannot be read
 */
export async function reachableSections(
  { canvas, scope }: { canvas: CanvasClient; scope: Scope },
  { admin, asked, naming }: { admin: Admin; asked: readonly AskedSection[]; naming: Naming },
  signal: AbortSignal,
): Promise<{ sections: PlannableSection[]; leftOut: SectionPlan['left_out'] }> {
  const courseIds = [...new Set(asked.map((one) => one.courseId))];
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
  const present: (AskedSection & { course: PlannableCourse; section: KnownSection })[] = [];
  for (const one of asked) {
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
