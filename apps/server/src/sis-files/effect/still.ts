/**
 * That a file does what was shown, and removes no more than was confirmed: asked when it is submitted, and again right before it is sent, however
 * new the comparison is (SIS-06).
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

/** Milliseconds within which a request compares; what takes longer is left to the import itself. */
const RECOUNT_MS = 5_000;

/** What someone has confirmed of a file. */
export interface Confirmed {
  /** The number that was typed. */
  deletions?: number | undefined;
  /** SIS IDs of courses that the LMS may create. */
  newCourses?: readonly string[] | undefined;
}

type Brake = SisEffect['brake'];

const allOf = ({ takes }: Brake) => takes.reduce((sum, { count }) => sum + count, 0);

/**
 * Whether a file may be submitted.
 * @throws AppError conflict where the effect is not known, rows mean someone else, or more is removed now than then; bad-request
 * for another number than is asked for, or a course that no one allowed
 */
export async function requireStill(
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
  // The import compares before it is sent; this only tells sooner. Who leaves the page meanwhile has still submitted, and an
  // LMS that takes its time or does not answer keeps no one waiting.
  if (stored.summary.file.rows > MAX_RECOUNTED_ROWS) return;
  const signal = AbortSignal.timeout(RECOUNT_MS);
  await requireSame({ ...context, signal }, db, stored, known).catch((error: unknown) => {
    const unanswered = signal.aborted || (error instanceof OutsideError && !error.ofToken);
    if (!unanswered) throw error;
  });
}

/**
 * Compares a submitted file again, right before it is sent.
 * @param isSent whether a row is sent: what is left out does nothing
 * @throws AppError conflict where more is removed now than was confirmed, rows do something else than was shown, or that is not known
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
    message: 'The file has not been compared with the LMS yet. Nothing has been sent.',
    next: 'Wait until the comparison is ready, then submit again.',
  });
}

/** Compares every row of a file of moderate size; of a large one the rows that remove something, and whom rows of users mean. */
async function requireSame(
  { services, admin, signal }: PolicyContext,
  db: Db,
  { summary: { file }, files }: StoredFile,
  { job, effect }: Known,
  isSent: IsSent = () => true,
): Promise<void> {
  // Whom rows of users mean is compared for all of them.
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
  // Of very many students not all are asked about, and in no fixed order: notes about observers differ without a change then.
  const said = all && !tally.observersUnknown;
  await sink.requireAsShown(db, { file: file.id, job }, { said, isSent });
  if (said) requireNoNews(effect.notes, tally.ownNotes);
}

/** What is worth knowing was shown. */
function requireNoNews(before: readonly string[], now: readonly string[]): void {
  const fresh = now.filter((note) => !before.includes(note));
  if (fresh.length === 0) return;
  const [first = ''] = fresh;
  throw changed(
    `The LMS has changed since the review, which would now say: ${first}`,
    fresh.map((note): [string, string] => ['file', note]),
  );
}

/** No kind of things, and no course, may lose more than was shown: one may gain what another has lost meanwhile. */
function requireNoMore(before: Brake, now: Brake): void {
  const [was, is] = [allOf(before), allOf(now)];
  if (is > was) {
    throw changed(`This file would now remove ${counted(is, 'item')}. When it was checked, it was ${was}.`);
  }
  const more =
    now.takes.some(({ kind, count }) => count > countOf(before.takes, kind)) ||
    now.uncompared.some(({ kind, count }) => count > countOf(before.uncompared, kind));
  if (more) throw changed('This file would now remove other items than when it was checked.');
  // Of very many courses those that lose most are known, and the others lose no more than the last of them.
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
  const rows = refused === 1 ? '1 row means' : `${refused.toLocaleString('en-GB')} rows mean`;
  throw changed(`${rows} somebody else than the SIS ID says.`);
}

function requireNumber({ brake }: SisEffect, typed: number | undefined): void {
  const { confirm } = brake;
  if (confirm === null || confirm === typed) return;
  const removes = `This file removes ${counted(confirm, 'item')}`;
  const message =
    typed === undefined ? `${removes}. Type this number to send the file.` : `${removes}, not ${typed}.`;
  throw badRequest([{ row: null, field: 'deletions', message }]);
}

/** A mistyped id in a cross-listing makes a course: only one that was named and allowed is created. */
function requireAllowed({ new_courses }: Pick<SisEffect, 'new_courses'>, allowed: readonly string[]): void {
  const others = new_courses.filter((one) => !allowed.includes(one.sis_course_id));
  if (others.length === 0) return;
  throw badRequest(
    others.slice(0, 100).map(({ sis_course_id }) => ({
      row: null,
      field: 'new_courses',
      message: `The LMS has no course ${shown(sis_course_id)} and would create it for a cross-listing. Allow it, or correct the SIS ID.`,
    })),
  );
}
