/** Step 'recorded': makes the CSV and sends it, once. Step 'submitting': finds out whether the LMS has it. */
import { isFinal } from '@lms-admin/domain/import-states';
import { inArray } from 'drizzle-orm';
import { sameLms } from '../canvas/identity.ts';
import type { CanvasError, CanvasForm } from '../canvas/types.ts';
import { storePieces } from '../files/pieces.ts';
import { Cancelled } from '../jobs/kind.ts';
import { LeaseLost } from '../jobs/lease.ts';
import { imports } from '../platform/schema.ts';
import { attachmentName, attachmentOf } from './attachment.ts';
import { isOurs, type LmsImport } from './lms-imports.ts';
import { storeOwnMessages } from './own-messages.ts';
import { fromLms } from './record.ts';
import { asCanvasError, auditEvent, finish, finishFailed, patience, pause, type Work } from './work.ts';

/**
 * A sending is noted by the clock of the LMS; its list of imports is read from so much before (milliseconds), since what it said last
 * of its time may be a while ago.
 */
const CLOCK_MARGIN_MS = 900_000;
/** Sections left out that an import's note names. */
const MOST_TOLD = 5;

const WAITING =
  'The LMS does not answer at the moment. The import is kept and will be sent as soon as it does.';
const LOST_ANSWER =
  'The answer of the LMS was lost. LMS Admin is checking whether the LMS has the import before anything is sent again.';
const TOKEN_REFUSED =
  'The LMS refuses the token of LMS Admin. Ask IT Support to renew it, and submit once more: nothing was sent.';
const CANCELLED = 'Cancelled before anything was sent: nothing in the LMS has changed.';
const ANOTHER_LMS =
  'This was made for another LMS, or for the practice campus before it was reset. Nothing was sent to the LMS of now: begin again.';

/** Sends the CSV when it has not been sent, waiting for the LMS where it must. Leaves the record in its next step. */
export async function send(work: Work): Promise<void> {
  for (let failures = 1; work.row.step === 'recorded'; failures++) {
    if (work.job.cancel.aborted) await cancelled(work);
    try {
      if (!(await isSameLms(work))) return finishFailed(work, ANOTHER_LMS);
      if (!work.row.csvReady) await prepare(work);
      if (work.row.rows === 0) {
        return finishFailed(work, work.row.sectionsNote ?? 'There were no rows to send.');
      }
      await work.job.fine();
      await sendOnce(work);
    } catch (thrown) {
      if (thrown instanceof Cancelled) await cancelled(work);
      // Nothing has been sent: what may have been is in the next step.
      const error = asCanvasError(work, thrown);
      const why = error.ofToken ? refusal(error) : WAITING;
      if ((await work.job.trouble(why)) > patience(work, error)) {
        return finishFailed(work, error.ofToken ? why : gaveUp(error));
      }
      if (work.row.note !== why) await work.save({ note: why });
      await Promise.race([pause(work, Math.min(failures, 5)), asked(work.job.cancel)]);
    }
  }
}

/** Resolves when the end is asked for: that does not wait until the LMS answers again. */
function asked(cancel: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (cancel.aborted) resolve();
    else cancel.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Ends the import, and its job with these words. */
async function cancelled(work: Work): Promise<never> {
  await finish(work, { workflowState: 'aborted', errors: [[null, CANCELLED]], note: null });
  throw new Cancelled(CANCELLED);
}

/** Whether the LMS of now is the one that the import was made for: another one has other courses under the same numbers. */
async function isSameLms(work: Work): Promise<boolean> {
  return sameLms(work.job.job.lms, await work.services.identity.now(work.token(), { fresh: true }));
}

/** Makes the CSV of a plan. May be run again. */
async function prepare(work: Work): Promise<void> {
  const { row, services } = work;
  if (row.planId === null) throw new Error(`import ${row.id} has neither a CSV nor a plan`);
  const { rows, texts, leftOut } = await work.plans.csv(work.token(), row.login, row.planId, work.signal);
  await storeOwnMessages(services.db.db, row.id, leftOut);
  await storePieces(services.db.db, row.id, texts);
  await work.save({ csvReady: true, rows, sectionsNote: noteOf(leftOut) });
}

/** What the import says about sections, in short; all of it is among its messages. */
function noteOf(leftOut: readonly string[]): string | null {
  if (leftOut.length === 0) return null;
  const more = leftOut.length - MOST_TOLD;
  return [...leftOut.slice(0, MOST_TOLD), ...(more > 0 ? [`${more} more sections were left out.`] : [])].join(
    ' ',
  );
}

/**
 * One sending. What cannot be known stays in step 'submitting', where it is looked for.
 * @throws CanvasError when it was certainly not sent
 */
async function sendOnce(work: Work): Promise<void> {
  const { row, services } = work;
  await work.save(
    { step: 'submitting', sendings: row.sendings + 1, sentAt: services.canvas.now(), note: null },
    { unlessCancelled: CANCELLED },
  );
  // Between taking the lease and sending, this process may have been stopped for long.
  if (work.job.leaseLeft() <= 0) throw new LeaseLost();
  let got: LmsImport;
  try {
    const form = attachmentOf(services.db.db, row);
    const content = whileOurs(work, form.content);
    got = await work.lms.create(work.token(), { ...form, content }, work.signal);
  } catch (thrown) {
    const error = asCanvasError(work, thrown);
    services.log.warn(
      { import: row.id, kind: error.kind, sent: error.sent, detail: error.detail },
      'not sent',
    );
    if (isRefusal(error)) {
      await auditEvent(work, 'import-refused', { kind: error.kind, detail: error.detail });
      return finishFailed(work, refusal(error));
    }
    if (error.sent === 'no') {
      await work.save({ step: 'recorded' });
      throw error;
    }
    return work.save({ note: LOST_ANSWER });
  }
  await taken(work, got, 'import-sent');
}

/**
 * The content, for as long as the lease holds. A process that was stopped in the middle of a sending, and goes on when another one
 * has long taken the import over, breaks off what it sends: the LMS does not get it whole.
 */
async function* whileOurs(work: Work, content: CanvasForm['content']): AsyncGenerator<string | Uint8Array> {
  for await (const piece of typeof content === 'string' ? [content] : content) {
    if (work.job.leaseLeft() <= 0) throw new LeaseLost();
    yield piece;
  }
}

/** The LMS has the import: from here on it is followed. */
async function taken(work: Work, got: LmsImport, event: string): Promise<void> {
  await work.save({ ...fromLms(got), lms: work.services.identity.known(), step: 'following', note: null });
  await auditEvent(work, event, { attempts: work.row.sendings });
}

/** A definite no, as opposed to an answer from which nothing follows. */
function isRefusal(error: CanvasError): boolean {
  if (error.ofToken) return true;
  return error.sent === 'answered' && ['refused', 'not-found', 'rejected'].includes(error.kind);
}

function refusal(error: CanvasError): string {
  if (error.ofToken) return error.kind === 'signed-out' ? signedOut(error) : TOKEN_REFUSED;
  return `The LMS refused the import: ${error.detail}`;
}

function signedOut(error: CanvasError): string {
  return `LMS Admin can no longer act for you in the LMS: ${error.detail}. Nothing was sent. Sign in again and submit once more.`;
}

function gaveUp(error: CanvasError): string {
  return `The LMS could not be reached for a day (${error.detail}). Nothing was sent; submit again when it answers.`;
}

/**
 * The fate of a sending is unknown: looks through the LMS's imports of that time. Attachments show only once an import
 * is processed, so while one that may be ours is not, this waits. Without any left after the grace time, the CSV never
 * arrived and is sent again. An import that ended without ever showing a file was never applied, so it does not count.
 */
export async function find(work: Work): Promise<void> {
  const { row } = work;
  const since = new Date((row.sentAt ?? row.createdAt).getTime() - CLOCK_MARGIN_MS);
  const started = Date.now();
  if (row.note === null) await work.save({ note: LOST_ANSWER });
  for (let failures = 0; ; ) {
    let listed: LmsImport[];
    try {
      if (!(await isSameLms(work))) return finishFailed(work, unknown(work, ANOTHER_LMS));
      listed = await work.lms.since(work.token(), since, work.signal);
      failures = 0;
      await work.job.fine();
    } catch (thrown) {
      const error = asCanvasError(work, thrown);
      if ((await work.job.trouble(LOST_ANSWER)) > patience(work, error)) {
        return finishFailed(work, unknown(work, `The LMS could not be asked: ${error.detail}.`));
      }
      await pause(work, Math.min(++failures, 5));
      continue;
    }
    const ours = listed.find((one) => isOurs(one, row.id));
    if (ours) {
      await taken(work, ours, 'import-found');
      return;
    }
    const candidates = await withoutKnown(
      work,
      listed.filter((one) => one.csv.length === 0 && !isFinal(one.state)),
    );
    if (candidates.length === 0 && Date.now() - started >= work.services.config.imports.graceMs) {
      await auditEvent(work, 'import-not-received', { attempts: row.sendings });
      await work.save({ step: 'recorded', note: 'The LMS did not receive the import; it is sent again.' });
      return;
    }
    await pause(work);
  }
}

function unknown({ row }: Work, why: string): string {
  return (
    `It could not be found out whether the LMS received ${attachmentName(row.id, row.zip)}. ${why} ` +
    'Look into the SIS imports of the LMS before submitting again.'
  );
}

/** Those that are not the imports of other records. */
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
