/** Step 'recorded': makes ready what still holds, and sends it, once. */

import { sameLms } from '../canvas/identity.ts';
import type { CanvasError } from '../canvas/types.ts';
import { Cancelled } from '../jobs/kind.ts';
import { LeaseLost } from '../jobs/lease.ts';
import type { Db } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { makeReady, type Ready, whileLeased } from './again.ts';
import { attachmentOf } from './attachment.ts';
import { sentBefore } from './find.ts';
import type { LmsImport } from './lms-imports.ts';
import { lmsCaughtUp } from './lms-turn.ts';
import { storeOwnMessages } from './own-messages.ts';
import { type Prepared, withPrepared } from './prepared.ts';
import { cancelAsked, takeTurn } from './queue.ts';
import {
  ANOTHER_LMS,
  asCanvasError,
  auditEvent,
  CANCELLED,
  finish,
  finishFailed,
  LOST_ANSWER,
  NONE_APPLIED,
  patience,
  pause,
  preparedFor,
  taken,
  type Work,
} from './work.ts';

const WAITING =
  'The LMS does not answer at the moment. The import is kept and will be sent as soon as it does, after it has been compared with the LMS again. Other imports do not wait for it.';
const WAITING_FOR_TOKEN =
  'The LMS does not accept the token of LMS Admin, or your sign-in, at the moment. Nothing has been sent. This is tried again for two minutes, and sent if the LMS accepts it then.';
const REFUSED_ANSWER =
  'The LMS answered with a refusal. LMS Admin is checking whether the LMS has the import all the same.';
const NOTHING_TO_SEND =
  'Nothing had to be sent: since the review, others have made the same change in the LMS.';
const NO_ROWS_SENT = 'Cancelled before any row was sent: no enrolment has changed.';
const TOKEN_REFUSED =
  'The LMS refuses the token of LMS Admin. Ask IT Support to renew it, and submit once more: nothing was sent.';

/** Sends what holds when it has not been sent, waiting for the LMS where it must. Leaves the record in its next step. */
export async function send(work: Work): Promise<void> {
  // What was done in the LMS for rows that are not sent in the end is told.
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
      // Whoever may not look imports up must not send one: what became of it could not be found out.
      const before = await lmsCaughtUp(work);
      const ready = await makeReady(work, work.services.actFor(work.job.job), prepared);
      await work.job.fine();
      if (ready.rows === 0) return nothingLeft(work, ready, prepared);
      await sendOnce(work, ready, { before, prepared });
    } catch (thrown) {
      if (thrown instanceof Cancelled) await cancelled(work, prepared);
      if (thrown instanceof AppError && thrown.code !== 'internal')
        return finishFailed(work, withPrepared(mayNot(thrown), prepared));
      // Nothing has been sent: what may have been is in the next step.
      const error = asCanvasError(work, thrown);
      if (error.kind === 'refused') return finishFailed(work, withPrepared(mayNotAsk(error), prepared));
      const why = error.ofToken ? WAITING_FOR_TOKEN : WAITING;
      if ((await work.job.trouble(why)) > patience(work, error)) {
        const words = error.ofToken ? refusal(error) : gaveUp(error);
        return finishFailed(work, withPrepared(words, prepared));
      }
      // Others need not wait for it meanwhile: it compares again before it sends.
      if (work.row.note !== why || work.row.claimed) await work.save({ note: why, claimed: false });
      await Promise.race([pause(work, Math.min(failures, 5)), cancelAsked(work.job.cancel)]);
    }
  }
}

/** Ends the import, and its job with these words. */
async function cancelled(work: Work, prepared: Prepared): Promise<never> {
  const words = prepared.words() === '' ? CANCELLED : withPrepared(NO_ROWS_SENT, prepared);
  await finish(work, {
    workflowState: 'aborted',
    errors: [[null, words]],
    counts: NONE_APPLIED,
    note: null,
  });
  throw new Cancelled(words);
}

/** Whether the LMS of now is the one that the import was made for: another one has other courses under the same numbers. */
async function isSameLms(work: Work): Promise<boolean> {
  return sameLms(work.job.job.lms, await work.services.identity.now(work.token(), { fresh: true }));
}

/** What is told when the admin may not send it any more. */
function mayNot({ message, next }: AppError): string {
  const nothing = /nothing (has been|was) sent/i.test(message) ? '' : ' Nothing was sent.';
  return `${message}${nothing} ${next}`;
}

const record = ({ rows, files, note }: Ready) => ({ csvReady: true, rows, files, sectionsNote: note });

async function nothingLeft(work: Work, ready: Ready, prepared: Prepared): Promise<void> {
  const more = async (tx: Db) => {
    await storeOwnMessages(tx, work.row.id, ready.messages);
    // What an earlier try was about to send was not sent.
    await ready.record?.(tx);
  };
  if (ready.settled && ready.note !== null) {
    // Others have made the same change meanwhile: all is as it was asked for.
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
 * One sending. What cannot be known stays in step 'submitting', where it is looked for.
 * @param before the highest number that the LMS has given to an import; what was done in the LMS for this one
 * @throws CanvasError when it was certainly not sent
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
      // Which rows are left out, and what was there before the others, is written with the sending that does so.
      async more(tx) {
        await storeOwnMessages(tx, row.id, ready.messages);
        await ready.record?.(tx);
      },
    },
  );
  // Between taking the lease and sending, this process may have been stopped for long.
  if (work.job.leaseLeft() <= 0) throw new LeaseLost();
  let got: LmsImport;
  try {
    const form = attachmentOf(services.db.db, work.row);
    // A process that was stopped in the middle of a sending, and goes on when another one has long taken the import over, breaks
    // off what it sends: the LMS does not get it whole.
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
    // It may have done the import all the same: only its list of imports tells.
    await auditEvent(work, 'import-refused', { kind: error.kind, detail: error.detail });
    return work.save({ note: REFUSED_ANSWER }, { sending: { before, refused: refusal(error) } });
  }
  await taken(work, got, 'import-sent');
}

/** The LMS has looked at the request and found it wrong, as opposed to an answer from which nothing follows. */
function isDefinite(error: CanvasError): boolean {
  return error.sent === 'answered' && ['not-found', 'rejected'].includes(error.kind);
}

function refusal(error: CanvasError): string {
  if (error.ofToken) return error.kind === 'signed-out' ? signedOut(error) : TOKEN_REFUSED;
  const said = error.detail.replace(/\.$/, '');
  return `The LMS refused the import: ${said}. None of its rows was carried out. Please contact IT Support, then submit again.`;
}

function signedOut(error: CanvasError): string {
  return `LMS Admin can no longer act for you in the LMS: ${error.detail}. Nothing was sent. Sign in again and submit once more.`;
}

function mayNotAsk(error: CanvasError): string {
  return `The LMS does not permit what has to be asked before the import is sent: ${error.detail}. Nothing was sent. Ask IT Support.`;
}

function gaveUp(error: CanvasError): string {
  return `The LMS could not be reached for a day (${error.detail}). Nothing was sent; submit again when it answers.`;
}
