/** Right before a file is submitted: that its effect is known, and that no more goes by it than was confirmed (SIS-06). */
import {
  EFFECT_FIELD,
  EFFECT_HOLDS_MS,
  MAX_RECOUNTED_ROWS,
  type SisEffect,
} from '@lms-admin/contract/sis-effects';
import type { Db } from '../../platform/database.ts';
import { AppError } from '../../platform/errors.ts';
import { badRequest } from '../../platform/http-errors.ts';
import { changed, type PolicyContext } from '../policies/policy.ts';
import type { StoredFile } from '../store.ts';
import { readEffect } from './effect-store.ts';
import { workOut } from './work-out.ts';

/** Milliseconds within which a request counts once more; what takes longer is work for a job. */
const RECOUNT_MS = 20_000;

const allOf = ({ takes }: SisEffect['brake']) => takes.reduce((sum, { count }) => sum + count, 0);

/**
 * @param typed the number that was typed
 * @throws AppError conflict where the effect is not known, or of long ago, rows mean somebody else, or more goes now than then; bad-request
 * for another number than is asked for
 */
export async function requireStill(
  context: PolicyContext,
  db: Db,
  { summary, files }: StoredFile,
  typed: number | undefined,
): Promise<void> {
  const { file } = summary;
  const found = await readEffect(db, file.id);
  if (found === null) {
    throw new AppError('conflict', {
      message: 'What the file does has not been worked out yet. Nothing has been sent.',
      next: 'Wait until its review is ready, and send it then.',
    });
  }
  const { effect } = found;
  requireNobodyElse(effect);
  requireNumber(effect, typed);
  if (Date.now() - found.madeAt.getTime() < EFFECT_HOLDS_MS) return;
  if (file.rows > MAX_RECOUNTED_ROWS) throw tooOld();
  const limit = AbortSignal.timeout(RECOUNT_MS);
  const signal = AbortSignal.any([context.signal, limit]);
  const asking = { services: context.services, admin: context.admin, signal };
  // Whoever comes to be meant by a row is asked about too, where users are in the file.
  const onlyTaking = !file.parts.some(({ kind }) => kind === 'user');
  const { tally } = await workOut(asking, db, { file, files }, { onlyTaking }).catch((error: unknown) => {
    throw limit.aborted && !context.signal.aborted ? tooOld() : error;
  });
  if (tally.refused > 0) requireNobodyElse({ refused: tally.refused });
  const [before, now] = [allOf(effect.brake), tally.all];
  if (now <= before) return;
  throw changed(
    `By this file ${now} in all ${now === 1 ? 'goes' : 'go'} now, not ${before} as when it was checked.`,
  );
}

/** Comparing is a job, which may take its time. */
function tooOld(): AppError {
  const message = 'What the file does was worked out more than ten minutes ago.';
  return new AppError('conflict', {
    message: `${message} Nothing has been sent.`,
    next: 'Compare it again, and submit it then.',
    details: [{ row: null, field: EFFECT_FIELD, message }],
  });
}

function requireNobodyElse({ refused }: Pick<SisEffect, 'refused'>): void {
  if (refused === 0) return;
  const rows = refused === 1 ? '1 row means' : `${refused.toLocaleString('en-GB')} rows mean`;
  throw changed(`${rows} somebody else than the SIS id says.`);
}

function requireNumber({ brake }: SisEffect, typed: number | undefined): void {
  const { confirm } = brake;
  if (confirm === null || confirm === typed) return;
  const goes = confirm === 1 ? 'goes' : 'go';
  const message =
    typed === undefined
      ? `By this file ${confirm} in all ${goes}: type this number to send it.`
      : `By this file ${confirm} in all ${goes}, not ${typed}.`;
  throw badRequest([{ row: null, field: 'deletions', message }]);
}
