/**
 * Ensures that a file still does what the review showed, and removes no more than was confirmed: when it is submitted,
 * and again right before it is sent, however recent the comparison (SIS-06).
 */

import { MAX_RECOUNTED_ROWS, type SisEffect } from '@lms-admin/contract/sis-effects';
import { counted } from '@lms-admin/domain/numbers';
import { shown } from '@lms-admin/domain/sis-rows';
import { OutsideError } from '../../outbound/errors.ts';
import type { Db } from '../../platform/database.ts';
import { AppError } from '../../platform/errors.ts';
import { badRequest } from '../../platform/http-errors.ts';
import { changed, type PolicyContext } from '../policies/policy.ts';
import type { StoredFile } from '../store.ts';
import { askingBy } from './ask.ts';
import { readEffect } from './effect-store.ts';
import { type IsSent, RowsNow } from './same-rows.ts';
import { MOST_NAMED } from './tally.ts';
import { workOut } from './work-out.ts';

/** Time limit for the comparison within a request, in milliseconds; a longer one is left to the import. */
const RECOUNT_MS = 5_000;

/** The admin's confirmations for a file. */
export interface Confirmed {
  /** The typed number. */
  deletions?: number | undefined;
  /** SIS IDs of courses that the LMS is allowed to create. */
  newCourses?: readonly string[] | undefined;
}

type Brake = SisEffect['brake'];

const allOf = ({ takes }: Brake) => takes.reduce((sum, { count }) => sum + count, 0);

/**
 * Requires that a file still does what was confirmed.
 * @throws AppError conflict if the effect is not known, rows refer to someone else, or more is removed than before;
 * bad-request for a wrong number, or a course that was not allowed
 */
export async function requireUnchanged(
  context: PolicyContext,
  db: Db,
  stored: StoredFile,
  { deletions, newCourses = [] }: Confirmed,
): Promise<void> {
  const known = await knownEffect(db, stored);
  const { effect } = known;
  requireNobodyElse(effect);
  requireNumber(effect, deletions);
  requireAllowed(effect, newCourses);
  // The import compares before it is sent; this check only reports earlier. An admin who leaves the page has
  // submitted in any case, and a slow or silent LMS does not delay anyone.
  if (stored.summary.file.rows > MAX_RECOUNTED_ROWS) return;
  const signal = AbortSignal.timeout(RECOUNT_MS);
  await requireSame({ ...context, signal }, db, stored, known).catch((error: unknown) => {
    const unanswered = signal.aborted || (error instanceof OutsideError && !error.ofToken);
    if (!unanswered) throw error;
  });
}

/**
 * Compares a submitted file again, right before it is sent.
 * @param isSent whether a row is sent: skipped rows do nothing
 * @throws AppError conflict if more is removed than was confirmed, rows do something other than was shown, or that is
 * unknown
 */
export async function requireConfirmed(
  context: PolicyContext,
  db: Db,
  stored: StoredFile,
  isSent: IsSent,
): Promise<void> {
  await requireSame(context, db, stored, await knownEffect(db, stored), isSent);
}

interface Known {
  job: string;
  effect: SisEffect;
}

async function knownEffect(db: Db, { summary }: StoredFile): Promise<Known> {
  const found = await readEffect(db, summary.file.id);
  if (found !== null) return found;
  throw new AppError('conflict', {
    message: 'The file has not been compared with the LMS yet.',
    nothingSent: true,
    next: 'Wait until the comparison is ready, then submit again.',
  });
}

/** Compares the file again: every row of a small file; only removals and the people in user rows of a large one. */
async function requireSame(
  { services, admin, signal }: PolicyContext,
  db: Db,
  { summary: { file }, files }: StoredFile,
  { job, effect }: Known,
  isSent: IsSent = () => true,
): Promise<void> {
  // The people in user rows are always compared.
  const all = file.rows <= MAX_RECOUNTED_ROWS || file.parts.some(({ kind }) => kind === 'user');
  const sink = new RowsNow(file.rows);
  const options = { onlyTaking: !all, sink };
  const { tally } = await workOut(askingBy({ services, admin, signal }), db, { file, files }, options);
  if (tally.refused > 0) requireNobodyElse({ refused: tally.refused });
  requireAllowed(
    { new_courses: [...tally.newCourses.values()] },
    effect.new_courses.map((one) => one.sis_course_id),
  );
  requireNoMore(effect.brake, tally.brake());
  // With very many students, LMS Admin does not look up all observers, and the order varies. Notes about observers then
  // differ although nothing has changed.
  const comparesObservers = all && !tally.observersUnknown;
  await sink.requireAsShown(db, { file: file.id, job }, { comparesObservers, isSent });
  if (comparesObservers) requireNoNews(effect.notes, tally.ownNotes);
}

/** Requires that all important notes have been shown. */
function requireNoNews(before: readonly string[], now: readonly string[]): void {
  const fresh = now.filter((note) => !before.includes(note));
  if (fresh.length === 0) return;
  const [first = ''] = fresh;
  throw changed(
    `The LMS has changed since the review. The review would now also say: ${first}`,
    fresh.map((note): [string, string] => ['file', note]),
  );
}

/** Requires that no table or course loses more than was shown: in a total, a gain elsewhere could hide a loss. */
function requireNoMore(before: Brake, now: Brake): void {
  const [was, is] = [allOf(before), allOf(now)];
  if (is > was) {
    throw changed(
      `This file would now remove ${counted(is, 'item')}. When it was checked, the number was ${was}.`,
    );
  }
  const more =
    now.takes.some(({ kind, count }) => count > countOf(before.takes, kind)) ||
    now.uncompared.some(({ kind, count }) => count > countOf(before.uncompared, kind));
  if (more)
    throw changed(
      'This file would now remove different items from those it would have removed when it was checked.',
    );
  // With very many courses, only the largest losses are recorded; the others lose no more than the last of these.
  const last = before.courses.length < MOST_NAMED ? undefined : before.courses.at(-1);
  const known = new Map(before.courses.map((course) => [nameOf(course), course]));
  for (const course of now.courses) {
    const { taken, members } = known.get(nameOf(course)) ?? last ?? { taken: 0, members: 0 };
    if (course.taken <= taken && course.members <= members) continue;
    throw changed(`This file would now remove more from course ${nameOf(course)} than when it was checked.`);
  }
}

const countOf = (of: Brake['takes'], kind: Brake['takes'][number]['kind']): number =>
  of.find((one) => one.kind === kind)?.count ?? 0;
const nameOf = ({ sis_course_id, name }: Brake['courses'][number]): string => sis_course_id || (name ?? '');

function requireNobodyElse({ refused }: Pick<SisEffect, 'refused'>): void {
  if (refused === 0) return;
  const rows = refused === 1 ? '1 row' : `${refused.toLocaleString('en-GB')} rows`;
  throw changed(`In ${rows}, the SIS ID and another cell refer to different people.`);
}

function requireNumber({ brake }: SisEffect, typed: number | undefined): void {
  const { confirm } = brake;
  if (confirm === null || confirm === typed) return;
  const removes = `This file removes ${counted(confirm, 'item')}`;
  const message =
    typed === undefined ? `${removes}. Type this number to send the file.` : `${removes}, not ${typed}.`;
  throw badRequest([{ row: null, field: 'deletions', message }]);
}

/**
 * Requires that every course created by a cross-listing was named and allowed, because a mistyped id in one creates a
 * course.
 */
function requireAllowed({ new_courses }: Pick<SisEffect, 'new_courses'>, allowed: readonly string[]): void {
  const others = new_courses.filter((one) => !allowed.includes(one.sis_course_id));
  if (others.length === 0) return;
  throw badRequest(
    others.slice(0, 100).map(({ sis_course_id }) => ({
      row: null,
      field: 'new_courses',
      message: `The LMS has no course ${shown(sis_course_id)} and would create it for a cross-listing. Allow the new course in the review, or correct the SIS ID.`,
    })),
  );
}
