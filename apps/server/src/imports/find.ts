/** Step 'submitting': it is unknown whether a send succeeded, so the LMS's list of imports is searched. */
import { isFinal } from '@lms-admin/domain/import-states';
import { inArray } from 'drizzle-orm';
import { sameLms } from '../canvas/identity.ts';
import type { CanvasError, CanvasToken } from '../canvas/types.ts';
import { isFromBackup } from '../platform/installation.ts';
import { imports } from '../platform/schema.ts';
import { attachmentName } from './attachment.ts';
import { isOurs, type LmsImport } from './lms-imports.ts';
import { withPrepared } from './prepared.ts';
import {
  ANOTHER_LMS,
  asCanvasError,
  auditEvent,
  finishFailed,
  finishUnknown,
  giveUpAfter,
  LOST_ANSWER,
  pause,
  preparedFor,
  type Sending,
  taken,
  type Work,
  waitForSignIn,
  withSomeToken,
} from './work.ts';

const SIGN_IN_TO_FIND =
  'The LMS no longer accepts your sign-in. Sign in again. LMS Admin will then check whether the LMS has this import.';
const TOKEN_REFUSED =
  'LMS Admin did not receive the LMS’s answer, and the LMS rejects LMS Admin’s token. Ask IT Support to renew the token. LMS Admin will then check whether the LMS has this import.';

/**
 * How long before the send the search through the list of imports starts, in milliseconds by the LMS's clock, which
 * may have been corrected. Older imports are found by their number.
 */
const MARGIN_MS = 86_400_000;
/** A record newer than this (milliseconds) does not come from a backup, unless one has been restored since. */
const SURELY_NEW_MS = 60_000;

/**
 * Searches the LMS's imports of that time. Attachments only appear once an import is processed, so the search waits for
 * imports that may be ours. If none is left after the grace time, the CSV never arrived: it is sent again, or the LMS's
 * rejection is reported. An import that ended without showing a file was never applied, so it does not count.
 */
export async function find(work: Work): Promise<void> {
  const { row, services } = work;
  const { before = 0, refused } = (work.job.job.checkpoint ?? {}) as Sending;
  const started = performance.now();
  if (row.note === null) await work.save({ note: LOST_ANSWER });
  for (let failures = 0; ; ) {
    let listed: LmsImport[] | null;
    try {
      listed = await withSomeToken(work, (token) => listedBy(work, token));
      failures = 0;
      await work.job.fine();
    } catch (thrown) {
      const error = asCanvasError(work, thrown);
      if (error.kind === 'signed-out') {
        await waitForSignIn(work, error, { note: SIGN_IN_TO_FIND });
        return notKnown(work, whyUnknown(error));
      }
      const why = error.kind === 'token-refused' ? TOKEN_REFUSED : (row.note ?? LOST_ANSWER);
      if ((await work.job.trouble(why)) > giveUpAfter(work, error)) {
        return notKnown(work, whyUnknown(error));
      }
      await pause(work, Math.min(++failures, 5));
      continue;
    }
    if (listed === null) return finishUnknown(work, unknown(work, ANOTHER_LMS));
    const ours = listed.find((one) => isOurs(one, row.id));
    if (ours) return taken(work, ours, 'import-found');
    const candidates = await withoutKnown(
      work,
      listed.filter((one) => one.id > before && one.csv.length === 0 && !isFinal(one.state)),
    );
    if (candidates.length === 0 && performance.now() - started >= services.config.imports.graceMs) {
      await auditEvent(work, 'import-not-received', { attempts: row.sendings });
      if (refused !== undefined) return finishFailed(work, withPrepared(refused, await preparedFor(work)));
      await work.save({
        step: 'recorded',
        note: 'The LMS did not receive the import. LMS Admin is sending it again.',
      });
      return;
    }
    await pause(work);
  }
}

/**
 * Finds the import in the LMS for a record that says it was not sent. After a long wait, it may have been sent by the
 * server whose backup was restored.
 * @throws CanvasError
 */
export async function sentBefore(work: Work): Promise<LmsImport | null> {
  const { createdAt } = work.row;
  const isNew = Date.now() - createdAt.getTime() < SURELY_NEW_MS;
  if (isNew && !(await isFromBackup(work.services.db.db, createdAt))) return null;
  const listed = await listedBy(work, work.token());
  return listed?.find((one) => isOurs(one, work.row.id)) ?? null;
}

/** Returns imports that may be ours, or null if a different LMS answers. */
async function listedBy(work: Work, token: CanvasToken): Promise<LmsImport[] | null> {
  const { identity, canvas } = work.services;
  if (!sameLms(work.job.job.lms, await identity.now(token, { fresh: true }))) return null;
  // The LMS's clock may have been set back since.
  const sent = work.row.sentAt ?? work.row.createdAt;
  const since = new Date(Math.min(sent.getTime(), canvas.now().getTime()) - MARGIN_MS);
  return work.lms.since(token, since, work.signal);
}

function whyUnknown(error: CanvasError): string {
  if (error.kind === 'token-refused') {
    return 'The LMS does not accept LMS Admin’s token. Ask IT Support to renew it.';
  }
  if (error.kind === 'signed-out') return `LMS Admin can no longer act for you in the LMS: ${error.detail}.`;
  return `LMS Admin could not reach the LMS: ${error.detail}.`;
}

async function notKnown(work: Work, why: string): Promise<void> {
  await finishUnknown(work, withPrepared(unknown(work, why), await preparedFor(work)));
}

function unknown({ row }: Work, why: string): string {
  return (
    `LMS Admin could not confirm whether the LMS received ${attachmentName(row.id, row.zip)}. ${why} ` +
    'Check the SIS imports in the LMS before you submit again.'
  );
}

/** Removes the imports that belong to other records. */
async function withoutKnown(work: Work, listed: LmsImport[]): Promise<LmsImport[]> {
  if (listed.length === 0) return [];
  const ids = listed.map((one) => one.id);
  const rows = await work.services.db.db
    .select({ canvasId: imports.canvasId, lms: imports.lms })
    .from(imports)
    .where(inArray(imports.canvasId, ids));
  const lms = work.services.identity.known();
  const known = new Set(rows.filter((row) => sameLms(row.lms, lms)).map((row) => row.canvasId));
  return listed.filter((one) => !known.has(one.id));
}
