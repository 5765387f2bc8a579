/** Checks shared by both kinds of plans: roles, the number of rows, and courses that a CSV can name. */

import type { RoleLevel } from '@lms-admin/domain/access';
import { grouped } from '@lms-admin/domain/numbers';
import { mayGiveRole } from '../access/rights.ts';
import type { Scope } from '../access/scope.ts';
import type { Admin } from '../auth/admin.ts';
import type { LmsIdentity } from '../canvas/identity.ts';
import type { ReachedCourse } from '../canvas/resources/courses.ts';
import type { Roles } from '../canvas/resources/roles.ts';
import type { CanvasClient } from '../canvas/types.ts';
import type { CopiedPeople } from '../directory/copied-people.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import { AppError, fieldDetail } from '../platform/errors.ts';
import type { People } from '../users/people.ts';

/** Services needed for planning. */
export interface PlanServices {
  identity: LmsIdentity;
  canvas: CanvasClient;
  config: Config;
  db: Database;
  scope: Scope;
  people: People;
  copied: CopiedPeople;
  roles: Roles;
}

/** A course that a CSV can name. */
export type PlannableCourse = ReachedCourse & { sis_course_id: string };

type CourseEnd = Pick<
  ReachedCourse,
  'workflow_state' | 'end_at' | 'restrict_enrollments_to_course_dates' | 'term'
>;

/** Returns whether people can only read the course: it was concluded, or its dates (or those of its term) have ended. */
export function isConcluded(course: CourseEnd): boolean {
  if (course.workflow_state === 'completed') return true;
  const own = course.restrict_enrollments_to_course_dates === true ? course.end_at : null;
  const end = own ?? course.term?.end_at ?? null;
  return end !== null && Date.parse(end) < Date.now();
}

/** Checks that the admin can (still) enrol with this role at this level (OP-34). @throws AppError not-allowed */
export function requireRole(admin: Admin, roleId: number, level: RoleLevel): void {
  if (!mayGiveRole(admin, roleId, level)) {
    throw new AppError('not-allowed', {
      message: 'You do not have permission to use this role.',
      next: 'Choose one of the available roles.',
      details: [fieldDetail('role_id', `role ${roleId} is not among your roles`)],
    });
  }
}

/** @throws AppError too-many-rows, with both numbers (K-04, OP-33) */
export function requireRows(rows: number, most: number): void {
  if (rows <= most) return;
  throw new AppError('too-many-rows', {
    message: `There are ${grouped(rows)} rows. One submission can have at most ${grouped(most)}.`,
    next: 'Choose fewer people or fewer courses. Nothing has been sent.',
  });
}

/** Returns courses that can be planned, and the others with the reason: outside the admin's scope, or no SIS ID. */
export async function reachableCourses(
  scope: Scope,
  admin: Admin,
  ids: readonly number[],
  signal: AbortSignal,
): Promise<{ courses: PlannableCourse[]; leftOut: { id: number; reason: string }[] }> {
  const known = await scope.courses(admin, ids, signal);
  const courses: PlannableCourse[] = [];
  const leftOut: { id: number; reason: string }[] = [];
  for (const id of ids) {
    const course = known.get(id);
    if (!course) leftOut.push({ id, reason: 'The course was not found.' });
    else if (course.sis_course_id === null)
      leftOut.push({ id, reason: 'The course has no SIS ID, so an import cannot refer to it.' });
    else courses.push({ ...course, sis_course_id: course.sis_course_id });
  }
  return { courses, leftOut };
}

const FIGURES = ['add', 'already', 'remove', 'not_enrolled', 'rows'] as const;
type Totals = Record<(typeof FIGURES)[number], number>;

/** Returns the totals over the courses or sections of a plan. */
export function totalsOf(parts: readonly Totals[]): Totals {
  const totals: Totals = { add: 0, already: 0, remove: 0, not_enrolled: 0, rows: 0 };
  for (const part of parts) for (const figure of FIGURES) totals[figure] += part[figure];
  return totals;
}
