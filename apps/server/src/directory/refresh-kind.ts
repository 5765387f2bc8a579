/** Reading the directory again as a kind of job: report, wait, fetch, read, check, swap. */
import { join } from 'node:path';
import { type DirectoryCounts, type Shrunk, shrunkTables } from '@lms-admin/domain/directory';
import { grouped } from '@lms-admin/domain/numbers';
import { z } from 'zod';
import type { Attachments } from '../canvas/attachments.ts';
import { type LmsIdentity, sameLms } from '../canvas/identity.ts';
import { abortReport, beginReport, type LmsReport, readReport } from '../canvas/resources/reports.ts';
import { type CanvasClient, CanvasError } from '../canvas/types.ts';
import { Cancelled, type JobEnd, JobFailed, type JobKind, type JobWork } from '../jobs/kind.ts';
import type { DirectoryConfig } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { clearSpool } from '../platform/zip.ts';
import { BadReport, readReportFile } from './read-report.ts';
import { baseRun, noteSwap, runOf } from './runs.ts';
import { countRows, emptyFilled, REPORT_FILES, swapIn } from './tables.ts';

export const DIRECTORY_REFRESH = 'directory-refresh';

export interface RefreshParts {
  config: { directory: DirectoryConfig; dataFolder: string };
  db: Database;
  canvas: CanvasClient;
  attachments: Attachments;
  identity: LmsIdentity;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** What is done already, for a turn after a crash. */
const checkpoint = z.object({
  /** The report that is waited for or read. */
  report: z.number().nullable().default(null),
  /** Whether it was begun here: another's is not ended by us. */
  own: z.boolean().default(false),
  /** When it was asked for, in milliseconds since 1970. */
  askedAt: z.number().default(0),
  /** How many were asked for, and how often a file was read. */
  reports: z.number().default(0),
  readings: z.number().default(0),
  /** Figures of the receipt, once it is swapped in. */
  swapped: z
    .array(z.tuple([z.string(), z.number()]))
    .nullable()
    .default(null),
});
type Checkpoint = z.output<typeof checkpoint>;

const NOTHING = 'Cancelled: the directory is as it was.';
const LATER =
  'It is asked for again the next day, or with "Refresh now". What is in the directory stays as it is.';
/** Milliseconds between two looks at a report, at first and at most. */
const [FIRST_LOOK_MS, LONGEST_LOOK_MS] = [500, 60_000];
/** Longest that a report may take. After that time the LMS makes another one, too. */
const REPORT_MS = 12 * 3_600_000;
/** Reports of one run: one, and another where the LMS has forgotten the first. */
const MOST_REPORTS = 2;
/** Readings of one run: the file may be cut on its way, and a server may stop in the middle. */
const MOST_READINGS = 5;
/** An address that has ended is asked for again so often. */
const MOST_ADDRESSES = 3;
const ABORT_MS = 10_000;

export function refreshKind(parts: RefreshParts): JobKind {
  return {
    id: DIRECTORY_REFRESH,
    atOnce: 1,
    keeps: 'work',
    listed: false,
    changes: false,
    begins: 'Asking the LMS for a report',
    untouched: NOTHING,
    mayCancel: async () => true,
    async run(work) {
      try {
        return await refreshed(parts, work);
      } catch (error) {
        work.signal.throwIfAborted();
        // A LMS that cannot be asked is asked again, and nothing is recorded meanwhile: what is recorded counts as a step further.
        if (work.cancel.aborted || !(error instanceof CanvasError)) await emptied(work);
        if (work.cancel.aborted) {
          await abortOwn(parts, work);
          throw new Cancelled(NOTHING);
        }
        throw inWords(error);
      }
    },
  };
}

/** Nothing of a report that is not swapped in stays. Where the lease is lost, the next turn sees to it. */
const emptied = (work: JobWork) => work.save({}, emptyFilled).catch(() => undefined);

/** Where the zip is laid down while it is read. */
export const spoolOf = (dataFolder: string) => join(dataFolder, 'directory');

async function refreshed(parts: RefreshParts, work: JobWork): Promise<JobEnd> {
  const { swapped } = checkpoint.parse(work.job.checkpoint ?? {});
  if (swapped) return { outcome: 'done', figures: swapped };
  if (!parts.config.directory.on)
    throw new JobFailed('The directory is switched off.', 'Ask IT Support to set DIRECTORY=on.', true);
  const { db } = parts.db;
  const run = await runOf(db, work.job.id);
  if (!run)
    throw new JobFailed(
      'This refresh is no longer known: the directory was switched off, or a backup restored.',
      'Refresh again.',
    );
  await requireLms(parts, work, run.lms);
  const report = await readWhole(parts, work);
  const counts = await countRows(db, 'filled');
  requirePlausible(counts, await baseRun(db), run);
  await requireLms(parts, work, run.lms);
  const figures = receipt(counts);
  const startedAt = new Date(report.started_at ?? report.created_at ?? parts.now());
  await work.save(
    { checkpoint: { ...checkpoint.parse(work.job.checkpoint ?? {}), swapped: figures } },
    async (tx) => {
      await swapIn(tx);
      await noteSwap(tx, work.job.id, {
        reportId: report.id,
        startedAt,
        swappedAt: new Date(parts.now()),
        counts,
      });
    },
    { unlessCancelled: NOTHING },
  );
  return { outcome: 'done', figures };
}

/** Waits for the report and reads its file; again where the file turns out to be cut. */
async function readWhole(parts: RefreshParts, work: JobWork): Promise<LmsReport> {
  const folder = spoolOf(parts.config.dataFolder);
  for (;;) {
    const report = await finishedReport(parts, work);
    const at = checkpoint.parse(work.job.checkpoint ?? {});
    if (at.readings >= MOST_READINGS)
      throw new JobFailed(
        `The report of the LMS was begun to be read ${MOST_READINGS} times, and never to its end.`,
        LATER,
      );
    // What a process that was killed has left behind.
    await clearSpool(folder, 0);
    const bytes = await bytesOf(parts, work, report);
    try {
      await work.save({ checkpoint: { ...at, readings: at.readings + 1 } });
      await readReportFile(work, folder, bytes, NOTHING);
      return report;
    } catch (error) {
      bytes.destroy();
      work.signal.throwIfAborted();
      await emptied(work);
      if (!(error instanceof BadReport) || at.readings + 1 >= MOST_READINGS) throw error;
      await waited(work, FIRST_LOOK_MS);
    }
  }
}

/** The report once it is complete: the one that goes on, or a new one. */
async function finishedReport({ canvas, now }: RefreshParts, work: JobWork): Promise<LmsReport> {
  let at: Checkpoint = checkpoint.parse(work.job.checkpoint ?? {});
  const reader = { canvas, token: work.token(), signal: signalOf(work) };
  const stage = 'Waiting for the report of the LMS';
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 1.5, LONGEST_LOOK_MS)) {
    if (at.report === null) {
      if (at.reports >= MOST_REPORTS) throw new JobFailed('The LMS has lost the report.', LATER);
      const { report, own } = await beginReport(
        reader,
        REPORT_FILES.map(({ file }) => file),
      );
      at = { ...at, report: report.id, own, askedAt: now(), reports: at.reports + 1 };
      await work.save({ checkpoint: at, stage });
    }
    const found = await readReport(reader, at.report ?? 0);
    if (found?.status === 'complete' && found.attachment) return found;
    if (found === null || found.status === 'deleted') at = { ...at, report: null };
    else if (found.status === 'error') throw new JobFailed('The LMS could not make the report.', LATER);
    else if (found.status === 'aborted') throw new JobFailed('The report was stopped in the LMS.', LATER);
    else if (now() - at.askedAt > REPORT_MS) {
      await abortOwn({ canvas }, work);
      throw new JobFailed(
        `The LMS has not finished the report within ${REPORT_MS / 3_600_000} hours.`,
        LATER,
      );
    } else if (found.progress !== work.job.done || work.job.stage !== stage)
      await work.save({ stage, done: Math.round(found.progress), total: 100, unit: 'percent' });
    await waited(work, pause);
  }
}

/** The file as it comes. Its address ends after an hour, and then the report has another one. */
async function bytesOf({ canvas, attachments }: RefreshParts, work: JobWork, report: LmsReport) {
  const signal = signalOf(work);
  let url = report.attachment?.url ?? '';
  for (let tries = 1; ; tries++) {
    try {
      return await attachments.read(url, signal);
    } catch (error) {
      const ended = error instanceof AppError && error.code === 'not-found' && attachments.mayRead(url);
      if (!ended) throw error;
      if (tries >= MOST_ADDRESSES)
        throw new JobFailed('The LMS does not give out the file of its report.', LATER);
    }
    await waited(work, FIRST_LOOK_MS);
    url = (await readReport({ canvas, token: work.token(), signal }, report.id))?.attachment?.url ?? url;
  }
}

/** @throws JobFailed when another LMS answers than the one that the run is for */
async function requireLms({ identity }: RefreshParts, work: JobWork, lms: string): Promise<void> {
  if (sameLms(await identity.now(work.token(), { fresh: true }), lms)) return;
  throw new JobFailed(
    'Another LMS answers now, or the practice LMS was reset.',
    'The directory is read again by itself.',
  );
}

/** @throws JobFailed for a report that has less in it than a school loses from one day to the next */
function requirePlausible(
  counts: DirectoryCounts,
  base: { lms: string; counts: DirectoryCounts | null } | null,
  { lms, acceptSmaller }: { lms: string; acceptSmaller: boolean },
): void {
  if (counts.users === 0)
    throw new JobFailed(
      'The report of the LMS names no people.',
      `Check that the service user can see all users. ${LATER}`,
    );
  const known = base !== null && sameLms(base.lms, lms) ? base.counts : null;
  const shrunk = known === null || acceptSmaller ? [] : shrunkTables(known, counts);
  if (shrunk.length === 0) return;
  throw new JobFailed(
    `The report is much smaller than the one before: ${shrunk.map(inNumbers).join(', ')}. It was not taken over.`,
    'Check in the LMS whether this is right, and whether the service user can still see everything. If it is right, run "lms-admin directory refresh --accept-smaller".',
  );
}

const inNumbers = ({ table, before, after }: Shrunk) =>
  `${grouped(after)} ${table} instead of ${grouped(before)}`;

function receipt(counts: DirectoryCounts): [string, number][] {
  return [
    ['people', counts.users],
    ['logins', counts.logins],
    ['courses', counts.courses],
    ['sections', counts.sections],
  ];
}

/** What is asked of the LMS is not waited for once it is not needed any more. */
async function abortOwn({ canvas }: Pick<RefreshParts, 'canvas'>, work: JobWork): Promise<void> {
  const { report, own, readings } = checkpoint.parse(work.job.checkpoint ?? {});
  if (report === null || !own || readings > 0) return;
  const signal = AbortSignal.any([work.signal, AbortSignal.timeout(ABORT_MS)]);
  // One that has ended cannot be ended; and it ends by itself.
  await abortReport({ canvas, token: work.token(), signal }, report).catch(() => undefined);
}

function inWords(error: unknown): unknown {
  if (error instanceof BadReport)
    return new JobFailed(`The file of the report is not complete: ${error.message}.`, LATER);
  if (error instanceof CanvasError && error.kind === 'refused')
    return new JobFailed(
      'The service user may not make reports in the LMS.',
      'Ask an administrator of the LMS for the right "Reports - manage" on the root account for it, and refresh again.',
    );
  if (error instanceof CanvasError && error.kind === 'not-found')
    return new JobFailed(
      'The LMS has no provisioning report.',
      'Ask an administrator of the LMS to enable it, or set DIRECTORY=off.',
    );
  return error;
}

const signalOf = (work: JobWork) => AbortSignal.any([work.signal, work.cancel]);

/** Pauses until the time is over, or the end was asked for. */
async function waited(work: JobWork, ms: number): Promise<void> {
  const signal = signalOf(work);
  await Promise.race([
    work.pause(ms),
    new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true })),
  ]);
  signal.throwIfAborted();
}
