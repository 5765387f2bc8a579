/** Courses of the copy, for the course picker while the LMS lists them page by page. */
import type { CopiedCourses } from '@lms-admin/contract/directory';
import { and, asc, gt, inArray, sql } from 'drizzle-orm';
import type { Scope } from '../access/scope.ts';
import type { Admin } from '../auth/admin.ts';
import type { Grants } from '../auth/grants.ts';
import { mayListCourses } from '../canvas/resources/courses.ts';
import type { CanvasClient } from '../canvas/types.ts';
import { AppError } from '../platform/errors.ts';
import { directoryAccounts, directoryCourses } from '../platform/schema.ts';
import { type BaseParts, usableBase } from './base.ts';

export interface CopiedCoursesParts extends BaseParts {
  canvas: CanvasClient;
  grants: Grants;
  scope: Scope;
}

/** Courses read and sent in one batch, so that other requests are served in between. */
const AT_ONCE = 1_000;

/**
 * Yields the courses of an account and the accounts below it, as far as they are in scope. Concluded courses are not in
 * the copy. Yields nothing without a usable copy, or if the LMS does not list the courses of this account to this person.
 * @throws AppError not-found for an account out of scope; CanvasError; the signal's reason
 */
export async function* copiedCourses(
  { canvas, grants, scope, ...parts }: CopiedCoursesParts,
  admin: Admin,
  account: number,
  signal: AbortSignal,
): AsyncGenerator<CopiedCourses, void, void> {
  if (!(await scope.account(admin, account, signal))) throw new AppError('not-found');
  const base = await usableBase(parts);
  if (base === null) return;
  // The list that follows is read with the person's own token as well.
  const own = { canvas, token: grants.ownToken(admin.grantId), signal };
  if (!(await mayListCourses(own, account))) return;
  const asOf = base.startedAt.getTime();
  const accounts = await accountsBelow(parts, account);
  const seen = new Map<number, boolean>();
  for (let last = 0; ; ) {
    signal.throwIfAborted();
    const rows = await parts.db.db
      .select()
      .from(directoryCourses)
      .where(and(inArray(directoryCourses.accountId, accounts), gt(directoryCourses.id, last)))
      .orderBy(asc(directoryCourses.id))
      .limit(AT_ONCE);
    const end = rows.at(-1);
    if (!end) return;
    last = end.id;
    // An account may have been moved out of scope since the report.
    for (const { accountId } of rows)
      if (!seen.has(accountId)) seen.set(accountId, await scope.account(admin, accountId, signal));
    yield {
      as_of: asOf,
      courses: rows
        .filter(({ accountId }) => seen.get(accountId))
        .map(({ id, name, sisId, termId }) => ({
          id,
          name,
          sis_course_id: sisId,
          enrollment_term_id: termId,
        })),
    };
  }
}

/**
 * Returns an account and the accounts below it. Separate from reading courses: a statement that locks courses before
 * accounts could wait for the swap of the copy, which waits for the statement.
 */
async function accountsBelow({ db }: BaseParts, account: number): Promise<number[]> {
  // `union` without `all` ends at an account that is above itself.
  const below = sql`(with recursive below(id) as (
    select ${account}::bigint union select one.id from directory_accounts one join below on one.parent_id = below.id
  ) select id from below)`;
  const rows = await db.db
    .select({ id: directoryAccounts.id })
    .from(directoryAccounts)
    .where(inArray(directoryAccounts.id, below));
  // The report does not contain the root account.
  return [...new Set([account, ...rows.map(({ id }) => id)])];
}
