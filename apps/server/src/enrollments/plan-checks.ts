/** What both kinds of plans check alike: roles, the number of rows, and which courses a CSV can name. */

import type { Course } from '@lms-admin/contract/canvas-objects';
import type { RoleLevel } from '@lms-admin/domain/access';
import { grouped } from '@lms-admin/domain/numbers';
import { mayGiveRole } from '../access/rights.ts';
import type { Scope } from '../access/scope.ts';
import type { Admin } from '../auth/admin.ts';
import type { LmsIdentity } from '../canvas/identity.ts';
import type { Roles } from '../canvas/resources/roles.ts';
import type { CanvasClient } from '../canvas/types.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import { AppError, fieldDetail } from '../platform/errors.ts';
import type { People } from '../users/people.ts';

/** What planning needs. */
export interface PlanServices {
  identity: LmsIdentity;
  canvas: CanvasClient;
  config: Config;
  db: Database;
  scope: Scope;
  people: People;
  roles: Roles;
}

/** A course that a CSV can name. */
export type PlannableCourse = Course & { sis_course_id: string };

/** Whether the people of a course can only read it. */
export const isConcluded = ({ workflow_state }: Pick<Course, 'workflow_state'>): boolean =>
  workflow_state === 'completed';

/** Whether the admin may (still) enrol with this role on this level (OP-34). @throws AppError not-allowed */
export function requireRole(admin: Admin, roleId: number, level: RoleLevel): void {
  if (!mayGiveRole(admin, roleId, level)) {
    throw new AppError('not-allowed', {
      message: 'You do not have access to this role.',
      next: 'Choose one of the roles that are offered.',
      details: [fieldDetail('role_id', `role ${roleId} is not among your roles`)],
    });
  }
}

/** @throws AppError too-many-rows, naming both numbers (K-04, OP-33) */
export function requireRows(rows: number, most: number): void {
  if (rows <= most) return;
  throw new AppError('too-many-rows', {
    message: `These are ${grouped(rows)} rows; one submission can have at most ${grouped(most)}.`,
    next: 'Choose fewer people or fewer courses. Nothing has been sent.',
  });
}

/** Courses that can be planned for, and the others with the reason: out of the admin's reach, or without an SIS ID. */
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
      leftOut.push({ id, reason: 'The course has no SIS ID, so it cannot be named in an import.' });
    else courses.push({ ...course, sis_course_id: course.sis_course_id });
  }
  return { courses, leftOut };
}

const FIGURES = ['add', 'already', 'remove', 'not_enrolled', 'rows'] as const;
type Totals = Record<(typeof FIGURES)[number], number>;

/** The sums over the courses or sections of a plan. */
export function totalsOf(parts: readonly Totals[]): Totals {
  const totals: Totals = { add: 0, already: 0, remove: 0, not_enrolled: 0, rows: 0 };
  for (const part of parts) for (const figure of FIGURES) totals[figure] += part[figure];
  return totals;
}
