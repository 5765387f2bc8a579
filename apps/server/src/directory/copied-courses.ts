/** Courses of the copy, for the course picker while the LMS lists them page by page. */
import type { CopiedCourses } from '@lms-admin/contract/directory';
import { asc, inArray, sql } from 'drizzle-orm';
import type { Scope } from '../access/scope.ts';
import type { Admin } from '../auth/admin.ts';
import type { Grants } from '../auth/grants.ts';
import { mayListCourses } from '../canvas/resources/courses.ts';
import type { CanvasClient } from '../canvas/types.ts';
import { AppError } from '../platform/errors.ts';
import { directoryCourses } from '../platform/schema.ts';
import { type BaseParts, usableBase } from './base.ts';

export interface CopiedCoursesParts extends BaseParts {
  canvas: CanvasClient;
  grants: Grants;
  scope: Scope;
}

const NONE: CopiedCourses = { as_of: null, courses: [] };

/**
 * Returns the courses of an account and the accounts below it, as far as they are in scope; concluded courses are not in
 * the copy. No courses without a usable copy, and none if the LMS does not list the courses of this account to this person.
 * @throws AppError not-found for an account out of scope; CanvasError; the signal's reason
 */
export async function copiedCourses(
  { canvas, grants, scope, ...parts }: CopiedCoursesParts,
  admin: Admin,
  account: number,
  signal: AbortSignal,
): Promise<CopiedCourses> {
  if (!(await scope.account(admin, account, signal))) throw new AppError('not-found');
  const base = await usableBase(parts);
  if (base === null) return NONE;
  // The list that follows is read with the person's own token as well.
  const own = { canvas, token: grants.ownToken(admin.grantId), signal };
  if (!(await mayListCourses(own, account))) return NONE;
  const { db } = parts.db;
  // `union` without `all` ends at an account that is above itself.
  const below = sql`(with recursive below(id) as (
    select ${account}::bigint union select one.id from directory_accounts one join below on one.parent_id = below.id
  ) select id from below)`;
  const rows = await db
    .select()
    .from(directoryCourses)
    .where(inArray(directoryCourses.accountId, below))
    .orderBy(asc(directoryCourses.id));
  const open = new Set<number>();
  // An account may have been moved out of scope since the report.
  for (const id of new Set(rows.map(({ accountId }) => accountId)))
    if (await scope.account(admin, id, signal)) open.add(id);
  return {
    as_of: base.startedAt.getTime(),
    courses: rows
      .filter(({ accountId }) => open.has(accountId))
      .map(({ id, name, sisId, termId }) => ({ id, name, sis_course_id: sisId, enrollment_term_id: termId })),
  };
}
