/** Step 'following': asks the LMS until the import is final, then keeps what it said. */
import type { ImportMessage } from '@lms-admin/contract/imports';
import { importPhase, isFinal } from '@lms-admin/domain/import-states';
import { and, eq, gt } from 'drizzle-orm';
import type { CanvasError } from '../canvas/types.ts';
import type { Db } from '../platform/database.ts';
import { importMessages } from '../platform/schema.ts';
import type { LmsImport } from './lms-imports.ts';
import { fromLms } from './record.ts';
import { asCanvasError, finish, pause, type Work } from './work.ts';

/** Failures in a row after which the person watching is told. */
const SILENT_FAILURES = 3;
/** How long a LMS that does not answer, or a state that nobody knows (OP-35), is followed: milliseconds. */
const PATIENCE_MS = 86_400_000;
/** The same for a refused token and for an import that the LMS says it does not have. */
const SHORT_PATIENCE_MS = 120_000;
/** Messages written in one statement. */
const MESSAGES_AT_ONCE = 500;

const NO_ANSWER = 'The LMS does not answer at the moment. The import may still be running.';
const GIVEN_UP =
  'LMS Admin stopped following this import; it may still be running. Look into the SIS imports of the LMS.';

/** Follows an import to its end, whoever watches. */
export async function follow(work: Work): Promise<void> {
  const { canvasId } = work.row;
  if (canvasId === null) throw new Error(`import ${work.row.id} is followed without a number of the LMS`);
  let answered = Date.now();
  let unknownSince: number | null = null;
  for (let failures = 0; ; ) {
    let got: LmsImport;
    try {
      got = await work.lms.get(work.token(), canvasId, work.signal);
    } catch (thrown) {
      const error = asCanvasError(work, thrown);
      if (Date.now() - answered > patience(error)) {
        await finish(work, { note: GIVEN_UP });
        return;
      }
      if (++failures === SILENT_FAILURES) await work.save({ note: NO_ANSWER });
      await pause(work, Math.min(failures, 5));
      continue;
    }
    failures = 0;
    answered = Date.now();
    if (isFinal(got.state)) {
      await complete(work, got);
      return;
    }
    if (hasChanged(work, got)) await work.save({ ...fromLms(got), note: null });
    unknownSince = importPhase(got.state) === null ? (unknownSince ?? Date.now()) : null;
    if (unknownSince !== null && Date.now() - unknownSince > PATIENCE_MS) {
      await finish(work, { note: GIVEN_UP });
      return;
    }
    await pause(work);
  }
}

function hasChanged({ row }: Work, got: LmsImport): boolean {
  return row.workflowState !== got.state || row.progress !== got.progress || row.note !== null;
}

function patience(error: CanvasError): number {
  return error.kind === 'signed-out' || error.kind === 'not-found' ? SHORT_PATIENCE_MS : PATIENCE_MS;
}

/** Keeps the messages about rows, then the end itself. */
async function complete(work: Work, got: LmsImport): Promise<void> {
  const said = got.warnings.length + got.errors.length + (got.counts.warning_count ?? 0);
  if (said > 0) {
    await storeMessages(work.services.db.db, work.row.id, (await readMessages(work, got)) ?? listed(got));
  }
  await finish(work, { ...fromLms(got), ...(got.endedAt ? { endedAt: got.endedAt } : {}), note: null });
}

/** Every message with its row; null when the LMS does not give them. */
async function readMessages(work: Work, got: LmsImport): Promise<ImportMessage[] | null> {
  for (let attempt = 1; attempt <= 3; attempt++) {
    try {
      const messages = await work.lms.messages(work.token(), got.id, work.signal);
      return messages.length > 0 ? messages : null;
    } catch (thrown) {
      const error = asCanvasError(work, thrown);
      work.services.log.warn({ import: work.row.id, kind: error.kind, detail: error.detail }, 'no messages');
      if (attempt < 3) await pause(work, attempt);
    }
  }
  return null;
}

/** The short list that comes with the import, at most some 24 of each. */
function listed(got: LmsImport): ImportMessage[] {
  return [...got.errors, ...got.warnings].map(([file, message]) => ({ file, message, row: null }));
}

async function storeMessages(db: Db, importId: string, messages: readonly ImportMessage[]): Promise<void> {
  await db
    .delete(importMessages)
    .where(and(eq(importMessages.importId, importId), gt(importMessages.seq, 0)));
  for (let at = 0; at < messages.length; at += MESSAGES_AT_ONCE) {
    await db.insert(importMessages).values(
      messages.slice(at, at + MESSAGES_AT_ONCE).map(({ file, message, row }, offset) => ({
        importId,
        seq: at + offset + 1,
        file,
        message,
        row,
      })),
    );
  }
}
