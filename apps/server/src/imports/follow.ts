/** Step 'following': polls the LMS until the import is final, then stores its messages. */
import type { ImportMessage } from '@lms-admin/contract/imports';
import type { CsvRow } from '@lms-admin/domain/csv-reader';
import { importPhase, isFinal } from '@lms-admin/domain/import-states';
import { FATE_COUNTS, wasBrokenOff } from '@lms-admin/domain/import-verdict';
import { ownRow } from '@lms-admin/domain/sis-rows';
import { and, eq, gt } from 'drizzle-orm';
import { sameLms } from '../canvas/identity.ts';
import type { CanvasToken } from '../canvas/types.ts';
import type { Db } from '../platform/database.ts';
import { importMessages } from '../platform/schema.ts';
import { memberName, partOf } from './attachment.ts';
import { isAnother, isOurs, type LmsImport } from './lms-imports.ts';
import { createLmsQueue } from './lms-queue.ts';
import { insertMessages, type KeptMessage } from './own-messages.ts';
import { withPrepared } from './prepared.ts';
import { fromLms } from './record.ts';
import type { FateOfRow } from './sources.ts';
import { sentRows } from './stored-rows.ts';
import {
  asCanvasError,
  finish,
  finishUnknown,
  giveUpAfter,
  pause,
  preparedFor,
  type Work,
  waitForSignIn,
  withSomeToken,
} from './work.ts';

/** Consecutive failures after which the user sees a note. */
const SILENT_FAILURES = 3;
/** Maximum sentences about the rows of an aborted import. */
const MOST_FATES = 20_000;

/** Number of attempts to read data at the end of an import. */
const TRIES = 3;

const NO_ANSWER = 'The LMS does not answer at the moment. The import may still be running.';
const TOKEN_REFUSED =
  'The LMS does not accept LMS Admin’s token, so LMS Admin cannot check this import. The import may still be running. ' +
  'Ask IT Support to renew the token.';
const SIGN_IN_TO_FOLLOW =
  'The LMS no longer accepts your sign-in. Sign in again to follow this import. The import may still be running.';
const stoppedFollowing = (why: string) =>
  `LMS Admin stopped following this import (${why}). The import may still be running. Check the SIS imports in the LMS.`;
const ANOTHER_CAMPUS =
  'The current LMS does not have this import. LMS Admin is connected to a different LMS, or the practice LMS was reset. The result of the import is unknown.';
const ANOTHER_IMPORT =
  'The LMS has a different import with this number. The result of this one is unknown. Check the SIS imports in the LMS.';
const NAMELESS =
  'The LMS has finished an import with this number, but does not name its file. The result of this one is unknown. Check the SIS imports in the LMS.';

/** Follows an import to its end, whether or not anyone is watching. */
export async function follow(work: Work): Promise<void> {
  const { canvasId } = work.row;
  if (canvasId === null)
    throw new Error(`import ${work.row.id} cannot be followed: its number in the LMS is missing`);
  const { imports } = work.services.config;
  const queue = createLmsQueue(work);
  let unknownSince: number | null = null;
  let namelessSince: number | null = null;
  for (let failures = 0; ; ) {
    let got: LmsImport;
    let lms: string;
    let token: CanvasToken;
    try {
      ({ got, lms, token } = await withSomeToken(work, (one) => lookAt(work, canvasId, one)));
    } catch (thrown) {
      const error = asCanvasError(work, thrown);
      if (error.kind === 'signed-out') {
        await waitForSignIn(work, error, { note: SIGN_IN_TO_FOLLOW });
        return stopFollowing(work, error.detail);
      }
      if (error.kind === 'not-found' && (await isElsewhere(work))) return gone(work, ANOTHER_CAMPUS);
      const why = error.kind === 'token-refused' ? TOKEN_REFUSED : NO_ANSWER;
      const since = await work.job.trouble(why);
      if (since > giveUpAfter(work, error)) return stopFollowing(work, error.detail);
      if (++failures === SILENT_FAILURES) await work.save({ note: why });
      await pause(work, Math.min(failures, 5));
      continue;
    }
    if (!sameLms(work.row.lms, lms)) return gone(work, ANOTHER_CAMPUS);
    if (isAnother(got, work.row.id)) {
      return gone(work, (await isElsewhere(work)) ? ANOTHER_CAMPUS : ANOTHER_IMPORT);
    }
    failures = 0;
    await work.job.fine();
    // A finished import without our file may be someone else's; an aborted one may never have reached its file.
    if (isFinal(got.state) && (isOurs(got, work.row.id) || wasBrokenOff(got.state)))
      return complete(work, got, token);
    if (isFinal(got.state)) {
      namelessSince ??= performance.now();
      if (performance.now() - namelessSince >= imports.graceMs) return gone(work, NAMELESS);
      await pause(work);
      continue;
    }
    const note = await queue.noteOf(got.state, got.id, token);
    if (hasChanged(work, got, note)) await work.save({ ...fromLms(got), note });
    unknownSince = importPhase(got.state) === null ? (unknownSince ?? performance.now()) : null;
    if (unknownSince !== null && performance.now() - unknownSince > imports.giveUpAfterMs) {
      return stopFollowing(work, `its state is ${got.state}`);
    }
    await pause(work);
  }
}

/** Returns the import from the LMS, which LMS that is, and a token that can read it. */
async function lookAt(work: Work, canvasId: number, token: CanvasToken) {
  const got = await work.lms.get(token, canvasId, work.signal);
  // Checked after the answer, which came from this LMS or from the one before it.
  const lms = await work.services.identity.now(token, { fresh: isFinal(got.state) });
  return { got, lms, token };
}

/** Returns whether a different LMS answers than the one with the import; false if none answers. */
async function isElsewhere(work: Work): Promise<boolean> {
  try {
    return !sameLms(work.row.lms, await work.services.identity.now(work.token(), { fresh: true }));
  } catch {
    return false;
  }
}

async function gone(work: Work, message: string): Promise<void> {
  // A different LMS does not have the sections created for the import.
  const isHere = message !== ANOTHER_CAMPUS;
  await finishUnknown(work, isHere ? withPrepared(message, await preparedFor(work)) : message);
}

async function stopFollowing(work: Work, why: string): Promise<void> {
  await finish(work, { note: withPrepared(stoppedFollowing(why), await preparedFor(work)) });
}

function hasChanged({ row }: Work, got: LmsImport, note: string | null): boolean {
  return row.workflowState !== got.state || row.progress !== got.progress || row.note !== note;
}

/** Stores the messages about rows, and then the end itself. */
async function complete(work: Work, got: LmsImport, token: CanvasToken): Promise<void> {
  const remarks = got.warnings.length + got.errors.length + (got.counts.warning_count ?? 0);
  const read = remarks > 0 ? ((await readMessages(work, got, token)) ?? listed(got)) : [];
  const messages = read.map((one) => ofStored(work, one));
  const fates = wasBrokenOff(got.state) ? await readFates(work, token, got.id) : null;
  if (messages.length > 0 || fates !== null)
    await storeMessages(work.services.db.db, work.row.id, [...messages, ...worthKeeping(work, fates ?? [])]);
  const reported = new Set(messages.flatMap(({ row }) => row ?? []));
  const astray = fates === null ? await readAstray(work, got, { token, reported }) : [];
  const prepared = wasBrokenOff(got.state) ? (await preparedFor(work)).words() : '';
  const notes = [work.row.sectionsNote ?? '', ...astray, prepared].filter(Boolean);
  const { counts, ...rest } = fromLms(got);
  await finish(work, {
    ...rest,
    counts: { ...counts, ...fateCounts(fates) },
    note: null,
    ...(notes.length > 0 && { sectionsNote: notes.join(' ') }),
  });
}

/** Returns sentences about rows of a plan that the LMS applied somewhere other than reviewed. */
async function readAstray(
  work: Work,
  got: LmsImport,
  { token, reported }: { token: CanvasToken; reported: ReadonlySet<number> },
): Promise<string[]> {
  const { planId, tool } = work.row;
  if (planId === null) return [];
  const source = work.sources.plans.of(tool);
  for (let attempt = 1; ; attempt++) {
    try {
      return await source.astray(token, { plan: planId, importId: got.id, reported }, work.signal);
    } catch (thrown) {
      const error = asCanvasError(work, thrown);
      work.services.log.warn({ import: work.row.id, kind: error.kind, detail: error.detail }, 'not checked');
      if (attempt === TRIES) return [source.unchecked];
      await pause(work, attempt);
    }
  }
}

/** Results of the rows in one CSV of the import, or the number of rows if they cannot be looked up. */
type PartFates = { part: number } & ({ fates: readonly FateOfRow[] } | { fates: null; rows: number });

/** Returns the results of the rows for each file, or null if none could be looked up. */
async function readFates(work: Work, token: CanvasToken, importId: number): Promise<PartFates[] | null> {
  const { row, services } = work;
  const found: PartFates[] = [];
  try {
    for (let part = 0; part < (row.zip ? (row.files ?? []).length : 1); part++) {
      const rows = () => sentRows(services.db.db, row.id, part, row.files?.[part]?.leftOut);
      const fates = await fatesOf(work, token, importId, rows);
      found.push(fates === null ? { part, fates, rows: await countRows(rows()) } : { part, fates });
    }
  } catch (thrown) {
    const error = asCanvasError(work, thrown);
    services.log.warn({ import: row.id, kind: error.kind, detail: error.detail }, 'rows not looked up');
    return null;
  }
  return found.some(({ fates }) => fates !== null) ? found : null;
}

/** Uses the first source that can look up the rows; for a plan, only its own source. */
async function fatesOf(
  work: Work,
  token: CanvasToken,
  importId: number,
  rows: () => AsyncIterable<CsvRow[]>,
): Promise<FateOfRow[] | null> {
  const { row, sources, signal } = work;
  const planSources = row.planId === null ? sources.plans.all : [sources.plans.of(row.tool)];
  for (const source of planSources) {
    const fates = await source.fates(token, { plan: row.planId, importId }, rows(), signal);
    if (fates !== null) return fates;
  }
  for (const source of row.planId === null ? sources.rows : []) {
    const fates = (await source.fates?.(token, row.tool, rows(), signal)) ?? null;
    if (fates !== null) return fates;
  }
  return null;
}

/** Counts rows without the header. */
async function countRows(batches: AsyncIterable<readonly unknown[]>): Promise<number> {
  let rows = -1;
  for await (const batch of batches) rows += batch.length;
  return Math.max(0, rows);
}

function fateCounts(parts: readonly PartFates[] | null): Record<string, number> {
  if (parts === null) return {};
  const all = parts.flatMap(({ fates }) => fates ?? []);
  const uncounted = parts.reduce((sum, one) => sum + (one.fates === null ? one.rows : 0), 0);
  const names = Object.entries(FATE_COUNTS);
  return Object.fromEntries(
    names.map(([fate, name]) => {
      const count = all.filter((one) => one.fate === fate).length;
      return [name, fate === 'unknown' ? count + uncounted : count];
    }),
  );
}

/** Converts results to messages in row order. If there are very many, keeps those that were not applied. */
function worthKeeping({ row: { id, zip, files } }: Work, parts: readonly PartFates[]): KeptMessage[] {
  const all = parts.reduce((sum, { fates }) => sum + (fates?.length ?? 0), 0);
  const messages: KeptMessage[] = [];
  for (const one of parts) {
    const name = files?.[one.part]?.name ?? '';
    const file = zip ? memberName(id, one.part, name) : null;
    if (one.fates === null) {
      messages.push({ file, message: `Unknown: the rows of ${name} could not be looked up.`, row: null });
      continue;
    }
    const kept = all > MOST_FATES ? one.fates.filter(({ fate }) => fate !== 'applied') : one.fates;
    for (const { row, text, fate } of kept) messages.push({ file, message: text, row, fate });
  }
  return messages.slice(0, MOST_FATES);
}

/** Returns all messages with their rows, or null if the LMS does not provide them. */
async function readMessages(work: Work, got: LmsImport, token: CanvasToken): Promise<ImportMessage[] | null> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    try {
      const messages = await work.lms.messages(token, got.id, work.signal);
      return messages.length > 0 ? messages : null;
    } catch (thrown) {
      const error = asCanvasError(work, thrown);
      work.services.log.warn({ import: work.row.id, kind: error.kind, detail: error.detail }, 'no messages');
      if (attempt < TRIES) await pause(work, attempt);
    }
  }
  return null;
}

/** Returns the short list that comes with the import, with about 24 messages of each kind at most. */
function listed(got: LmsImport): ImportMessage[] {
  return [...got.errors, ...got.warnings].map(([file, message]) => ({ file, message, row: null }));
}

async function storeMessages(db: Db, importId: string, messages: readonly KeptMessage[]): Promise<void> {
  await db
    .delete(importMessages)
    .where(and(eq(importMessages.importId, importId), gt(importMessages.seq, 0)));
  await insertMessages(db, importId, messages, 1);
}

/** Converts the LMS's row number, which counts the sent rows, to that of the stored row. */
function ofStored({ row }: Work, message: ImportMessage): ImportMessage {
  const part = row.zip ? partOf(message.file, row.id) : 0;
  const leftOut = part === null ? undefined : row.files?.[part]?.leftOut;
  return message.row === null || !leftOut ? message : { ...message, row: ownRow(message.row, leftOut) };
}
