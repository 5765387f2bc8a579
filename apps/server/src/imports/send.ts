/** Step 'recorded': makes the CSV and sends it, once. Step 'submitting': finds out whether the LMS has it. */
import { isFinal } from '@lms-admin/domain/import-states';
import { inArray } from 'drizzle-orm';
import type { CanvasError } from '../canvas/types.ts';
import { imports } from '../platform/schema.ts';
import { attachmentName, attachmentOf } from './attachment.ts';
import { LeaseLost } from './lease.ts';
import { isOurs, type LmsImport } from './lms-imports.ts';
import { preparePlan } from './prepare.ts';
import { fromLms } from './record.ts';
import { asCanvasError, finish, finishFailed, pause, tell, type Work } from './work.ts';

/** The LMS's clock may be behind ours by so much (milliseconds); its list of imports is read from that far back. */
const CLOCK_MARGIN_MS = 900_000;
/** How long an import waits for a LMS that does not answer before it is given up, in milliseconds. */
const WAIT_MS = 86_400_000;
/** The same for a token that is refused: it does not come back by waiting. */
const WAIT_SIGNED_OUT_MS = 120_000;

const WAITING =
  'The LMS does not answer at the moment. The import is kept and will be sent as soon as it does.';
const LOST_ANSWER =
  'The answer of the LMS was lost. LMS Admin is checking whether the LMS has the import before anything is sent again.';
const SIGNED_OUT =
  'The LMS no longer accepts your sign-in. Sign in again and submit once more: nothing was sent.';

/** Sends the CSV when it has not been sent, waiting for the LMS where it must. Leaves the record in its next step. */
export async function send(work: Work): Promise<void> {
  const started = Date.now();
  for (let failures = 0; work.row.step === 'recorded'; failures++) {
    try {
      if (!work.row.csvReady) await prepare(work);
      if (work.row.rows === 0) {
        await finishFailed(work, work.row.sectionsNote ?? 'There were no rows to send.');
        return;
      }
      if ((await sendOnce(work)) !== 'not-sent') return;
    } catch (thrown) {
      // Only the preparation throws here: nothing has been sent.
      const error = asCanvasError(work, thrown);
      await work.save({ note: error.kind === 'signed-out' ? SIGNED_OUT : WAITING });
      if (Date.now() - started > patience(error)) {
        await finishFailed(work, error.kind === 'signed-out' ? SIGNED_OUT : gaveUp(error));
        return;
      }
    }
    await pause(work, Math.min(failures + 1, 5));
  }
}

async function prepare(work: Work): Promise<void> {
  const { row, services } = work;
  if (row.planId === null) throw new Error(`import ${row.id} has neither a CSV nor a plan`);
  const prepared = await preparePlan(
    services.db.db,
    services.canvas,
    work.token(),
    row.id,
    { login: row.login, planId: row.planId },
    work.signal,
  );
  await work.save({ csvReady: true, ...prepared });
}

/** One sending. What cannot be known stays in step 'submitting', where it is looked for. */
async function sendOnce(work: Work): Promise<'sent' | 'not-sent' | 'unknown' | 'refused'> {
  const { row, services } = work;
  await work.save({ step: 'submitting', attempts: row.attempts + 1, sentAt: new Date(), note: null });
  // Between taking the lease and sending, this process may have been stopped for long.
  if (work.leaseLeft() <= 0) throw new LeaseLost();
  let got: LmsImport;
  try {
    got = await work.lms.create(work.token(), attachmentOf(services.db.db, row));
  } catch (thrown) {
    const error = asCanvasError(work, thrown);
    services.log.warn(
      { import: row.id, kind: error.kind, sent: error.sent, detail: error.detail },
      'not sent',
    );
    if (error.sent === 'no') {
      await work.save({ step: 'recorded', note: WAITING });
      return 'not-sent';
    }
    if (isRefusal(error)) {
      await tell(work, 'import-refused', { kind: error.kind, detail: error.detail });
      await finishFailed(work, refusalText(error));
      return 'refused';
    }
    await work.save({ note: LOST_ANSWER });
    return 'unknown';
  }
  await taken(work, got, 'import-sent');
  return 'sent';
}

/** The LMS has the import: from here on it is followed. */
async function taken(work: Work, got: LmsImport, event: string): Promise<void> {
  await work.save({ ...fromLms(got), step: 'following', note: null });
  await tell(work, event, { attempts: work.row.attempts });
}

/** A definite no, as opposed to an answer from which nothing follows. */
function isRefusal(error: CanvasError): boolean {
  return error.sent === 'answered' && ['signed-out', 'refused', 'not-found', 'rejected'].includes(error.kind);
}

function refusalText(error: CanvasError): string {
  return error.kind === 'signed-out' ? SIGNED_OUT : `The LMS refused the import: ${error.detail}`;
}

function gaveUp(error: CanvasError): string {
  return `The LMS could not be reached for a day (${error.detail}). Nothing was sent; submit again.`;
}

function patience(error: CanvasError): number {
  return error.kind === 'signed-out' ? WAIT_SIGNED_OUT_MS : WAIT_MS;
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
  let answered = Date.now();
  if (row.note === null) await work.save({ note: LOST_ANSWER });
  for (let failures = 0; ; ) {
    let listed: LmsImport[];
    try {
      listed = await work.lms.since(work.token(), since, work.signal);
      failures = 0;
      answered = Date.now();
    } catch (thrown) {
      const error = asCanvasError(work, thrown);
      if (Date.now() - answered > patience(error)) {
        await finish(work, {
          workflowState: 'failed',
          errors: [
            [
              null,
              `It could not be found out whether the LMS received ${attachmentName(row.id, row.zip)}. ` +
                'Look into the SIS imports of the LMS before submitting again.',
            ],
          ],
          note: null,
        });
        return;
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
      await tell(work, 'import-not-received', { attempts: row.attempts });
      await work.save({ step: 'recorded', note: 'The LMS did not receive the import; it is sent again.' });
      return;
    }
    await pause(work);
  }
}

/** Those that are not the imports of other records. */
async function withoutKnown(work: Work, listed: LmsImport[]): Promise<LmsImport[]> {
  if (listed.length === 0) return [];
  const ids = listed.map((one) => one.id);
  const rows = await work.services.db.db
    .select({ canvasId: imports.canvasId })
    .from(imports)
    .where(inArray(imports.canvasId, ids));
  const known = new Set(rows.map((row) => row.canvasId));
  return listed.filter((one) => !known.has(one.id));
}
