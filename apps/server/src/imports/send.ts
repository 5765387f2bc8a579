/** Step 'recorded': prepares the rows that are still valid, and sends them once. */

import { sameLms } from '../canvas/identity.ts';
import type { CanvasError } from '../canvas/types.ts';
import { Cancelled } from '../jobs/kind.ts';
import { LeaseLost } from '../jobs/lease.ts';
import type { Db } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { attachmentOf } from './attachment.ts';
import { sentBefore } from './find.ts';
import type { LmsImport } from './lms-imports.ts';
import { lmsCaughtUp } from './lms-turn.ts';
import { storeOwnMessages } from './own-messages.ts';
import { type Prepared, withPrepared } from './prepared.ts';
import { cancelRequested, takeTurn } from './queue.ts';
import { prepareSend, type Ready, whileLeased } from './recheck.ts';
import {
  ANOTHER_LMS,
  asCanvasError,
  auditEvent,
  CANCELLED,
  finish,
  finishFailed,
  giveUpAfter,
  LOST_ANSWER,
  NONE_APPLIED,
  pause,
  preparedByNow,
  preparedFor,
  taken,
  type Work,
  waitForSignIn,
} from './work.ts';

const WAITING =
  'The LMS does not answer at the moment. LMS Admin keeps the import. When the LMS answers, LMS Admin compares the import with the LMS again and sends it. Other imports do not wait for this one.';
const WAITING_FOR_TOKEN =
  'The LMS does not accept LMS Admin’s token. Nothing has been sent. Ask IT Support to renew the token. LMS Admin then compares the import with the LMS again and sends it.';
const SIGN_IN_TO_SEND =
  'The LMS no longer accepts your sign-in. Nothing has been sent. Sign in again. LMS Admin then compares the import with the LMS again and sends it.';
const REFUSED_ANSWER = 'The LMS rejected the import. LMS Admin is checking whether the LMS has it anyway.';
const NOTHING_TO_SEND =
  'Since the review, another import or someone in the LMS has made the same change, so nothing was sent.';
const NO_ROWS_SENT = 'Cancelled before any row was sent: no enrolment has changed.';
const TOKEN_REFUSED =
  'The LMS does not accept LMS Admin’s token. Nothing was sent. Ask IT Support to renew the token, and submit again.';

/** Sends the valid rows unless they were sent before, waiting for the LMS if necessary. Sets the record's next step. */
export async function send(work: Work): Promise<void> {
  // Changes made in the LMS are reported even if the rows are not sent in the end.
  const prepared = await preparedFor(work);
  let looked = false;
  for (let failures = 1; work.row.step === 'recorded'; failures++) {
    if (work.job.cancel.aborted) await cancelled(work, prepared);
    try {
      if (!(await isSameLms(work))) return finishFailed(work, ANOTHER_LMS);
      const sent = looked ? null : await sentBefore(work);
      looked = true;
      if (sent) return taken(work, sent, 'import-found');
      await takeTurn(work);
      // An admin without permission to see imports must not send one, because its result could not be read.
      const before = await lmsCaughtUp(work);
      const ready = await prepareSend(work, work.services.actFor(work.job.job), prepared);
      prepared.whole = true;
      await work.job.fine();
      if (ready.rows === 0) return nothingLeft(work, ready, prepared);
      await sendOnce(work, ready, { before, prepared });
    } catch (thrown) {
      if (thrown instanceof Cancelled) await cancelled(work, prepared);
      if (thrown instanceof AppError && thrown.code !== 'internal')
        return finishFailed(work, withPrepared(mayNot(thrown), await preparedByNow(work, prepared)));
      // Nothing has been sent: after a possible send, the record is in the next step.
      const error = asCanvasError(work, thrown);
      if (error.kind === 'refused')
        return finishFailed(work, withPrepared(mayNotAsk(error), await preparedByNow(work, prepared)));
      const isSignedOut = error.kind === 'signed-out';
      if (isSignedOut) await waitForSignIn(work, error, { note: SIGN_IN_TO_SEND, claimed: false });
      const why = error.ofToken ? WAITING_FOR_TOKEN : WAITING;
      if (isSignedOut || (await work.job.trouble(why)) > giveUpAfter(work, error)) {
        const words = error.ofToken ? refusal(error) : gaveUp(error);
        return finishFailed(work, withPrepared(words, await preparedByNow(work, prepared)));
      }
      // Other imports do not need to wait for this one, because this one compares again before it sends.
      if (work.row.note !== why || work.row.claimed) await work.save({ note: why, claimed: false });
      await Promise.race([pause(work, Math.min(failures, 5)), cancelRequested(work.job.cancel)]);
    }
  }
}

/** Ends the import and its job with this text. */
async function cancelled(work: Work, prepared: Prepared): Promise<never> {
  await preparedByNow(work, prepared);
  const words = prepared.words() === '' ? CANCELLED : withPrepared(NO_ROWS_SENT, prepared);
  await finish(work, {
    workflowState: 'aborted',
    errors: [[null, words]],
    counts: NONE_APPLIED,
    note: null,
  });
  throw new Cancelled(words);
}

/** Returns whether the current LMS is the one that the import was made for: numbers of courses differ in another. */
async function isSameLms(work: Work): Promise<boolean> {
  return sameLms(work.job.job.lms, await work.services.identity.now(work.token(), { fresh: true }));
}

/** Returns the text for an admin who can no longer send the import. */
function mayNot({ message, nothingSent, next }: AppError): string {
  return `${message}${nothingSent ? '' : ' Nothing was sent.'} ${next}`;
}

const record = ({ rows, files, note }: Ready) => ({ csvReady: true, rows, files, sectionsNote: note });

async function nothingLeft(work: Work, ready: Ready, prepared: Prepared): Promise<void> {
  const more = async (tx: Db) => {
    await storeOwnMessages(tx, work.row.id, ready.messages);
    // The rows of an earlier attempt were not sent.
    await ready.record?.(tx);
  };
  if (ready.settled && ready.note !== null) {
    // Others have made the same change, so the LMS is already as requested.
    await work.save({ ...record(ready), sectionsNote: null }, { more });
    return finish(work, {
      workflowState: 'imported',
      progress: 100,
      note: withPrepared(`${NOTHING_TO_SEND} ${ready.note}`, prepared),
    });
  }
  await work.save(record(ready), { more });
  await finishFailed(work, withPrepared(ready.note ?? 'There were no rows to send.', prepared));
}

/**
 * Makes one attempt to send. If the result is unknown, the record stays in step 'submitting', which looks for it.
 * @param before the highest import number in the LMS, and the changes made in the LMS for this import
 * @throws CanvasError if it was certainly not sent
 */
async function sendOnce(
  work: Work,
  ready: Ready,
  { before, prepared }: { before: number; prepared: Prepared },
): Promise<void> {
  const { row, services } = work;
  await work.save(
    {
      ...record(ready),
      step: 'submitting',
      sendings: row.sendings + 1,
      sentAt: services.canvas.now(),
      note: null,
    },
    {
      unlessCancelled: CANCELLED,
      sending: { before },
      // The skipped rows, and the state before the rows that are sent, are recorded together with the send.
      async more(tx) {
        await storeOwnMessages(tx, row.id, ready.messages);
        await ready.record?.(tx);
      },
    },
  );
  // The process may have been suspended between taking the lease and sending.
  if (work.job.leaseLeft() <= 0) throw new LeaseLost();
  let got: LmsImport;
  try {
    const form = attachmentOf(services.db.db, work.row);
    // If a process is suspended during a send and another one takes over the import, the send is aborted, so that the
    // LMS does not get a complete file.
    const content = whileLeased(work, form.content as AsyncIterable<string | Uint8Array>);
    got = await work.lms.create(work.token(), { ...form, content }, work.signal);
  } catch (thrown) {
    const error = asCanvasError(work, thrown);
    services.log.warn(
      { import: row.id, kind: error.kind, sent: error.sent, detail: error.detail },
      'not sent',
    );
    if (error.sent === 'no') {
      await work.save({ step: 'recorded' });
      throw error;
    }
    if (isDefinite(error)) {
      await auditEvent(work, 'import-refused', { kind: error.kind, detail: error.detail });
      return finishFailed(work, withPrepared(refusal(error), prepared));
    }
    if (!error.ofToken && error.kind !== 'refused') return work.save({ note: LOST_ANSWER });
    // The LMS may have created the import anyway, which only its list of imports shows.
    await auditEvent(work, 'import-refused', { kind: error.kind, detail: error.detail });
    return work.save({ note: REFUSED_ANSWER }, { sending: { before, refused: refusal(error) } });
  }
  await taken(work, got, 'import-sent');
}

/** Returns whether the LMS checked the request and rejected it, rather than giving an answer that proves nothing. */
function isDefinite(error: CanvasError): boolean {
  return error.sent === 'answered' && ['not-found', 'rejected'].includes(error.kind);
}

function refusal(error: CanvasError): string {
  if (error.ofToken) return error.kind === 'signed-out' ? signedOut(error) : TOKEN_REFUSED;
  const detail = error.detail.replace(/\.$/, '');
  return `The LMS rejected the import: ${detail}. None of its rows was applied. Contact IT Support, then submit again.`;
}

function signedOut(error: CanvasError): string {
  return `LMS Admin can no longer act for you in the LMS: ${error.detail}. Nothing was sent. Sign in again and submit again.`;
}

function mayNotAsk(error: CanvasError): string {
  return `LMS Admin does not have permission to check the LMS before sending: ${error.detail}. Nothing was sent. Contact IT Support.`;
}

function gaveUp(error: CanvasError): string {
  return `The LMS could not be reached for a day (${error.detail}). Nothing was sent. Submit again when the LMS answers.`;
}
