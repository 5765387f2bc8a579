/** A job kind that refreshes the directory: request a report, wait, download, read, check, swap. */
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
  /** Clock, in milliseconds since 1970. */
  now: () => number;
}

/** Completed steps, so that the job can continue after a crash. */
const checkpoint = z.object({
  /** The report that is awaited or read. */
  report: z.number().nullable().default(null),
  /** Whether this job started the report: it only aborts its own. */
  own: z.boolean().default(false),
  /** Time of the request, in milliseconds since 1970. */
  askedAt: z.number().default(0),
  /** Number of reports requested, and of attempts to read a file. */
  reports: z.number().default(0),
  readings: z.number().default(0),
  /** Figures of the result, set once the tables are swapped. */
  swapped: z
    .array(z.tuple([z.string(), z.number()]))
    .nullable()
    .default(null),
});
type Checkpoint = z.output<typeof checkpoint>;

const NOTHING = 'Cancelled: the directory has not changed.';
const LATER =
  'LMS Admin will try again the next day, or when you select "Refresh now". The current contents of the directory are kept.';
/** Milliseconds between checks of a report: initial and maximum. */
const [FIRST_LOOK_MS, LONGEST_LOOK_MS] = [500, 60_000];
/** Maximum duration of a report in milliseconds. After this time the LMS also starts a new one. */
const REPORT_MS = 12 * 3_600_000;
/** Maximum reports per run: one, and another if the LMS has lost the first. */
const MOST_REPORTS = 2;
/** Maximum reads per run: a download may be incomplete, and a server may stop in the middle. */
const MOST_READINGS = 5;
/** Maximum new addresses requested after one has expired. */
const MOST_ADDRESSES = 3;
const ABORT_MS = 10_000;

export function refreshKind(parts: RefreshParts): JobKind {
  return {
    id: DIRECTORY_REFRESH,
    atOnce: 1,
    keeps: 'work',
    listed: false,
    changes: false,
    begins: 'Requesting a report from the LMS',
    untouched: NOTHING,
    mayCancel: async () => true,
    async run(work) {
      try {
        // Files left behind by a killed process, also if this turn reads no file.
        await clearSpool(spoolOf(parts.config.dataFolder), 0);
        return await refreshed(parts, work);
      } catch (error) {
        work.signal.throwIfAborted();
        // If the LMS is unavailable, the job tries again and saves nothing, because a save counts as progress.
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

/** Deletes the rows of a report that was not swapped in. If the lease is lost, the next turn does it. */
const emptied = (work: JobWork) => work.save({}, emptyFilled).catch(() => undefined);

/** Returns the folder for the zip while it is read. */
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
      'This refresh is no longer valid, because the directory was switched off or a backup was restored.',
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

/** Waits for the report and reads its file, again if the file is incomplete. */
async function readWhole(parts: RefreshParts, work: JobWork): Promise<LmsReport> {
  const folder = spoolOf(parts.config.dataFolder);
  for (;;) {
    const report = await finishedReport(parts, work);
    const at = checkpoint.parse(work.job.checkpoint ?? {});
    if (at.readings >= MOST_READINGS)
      throw new JobFailed(
        `LMS Admin tried ${MOST_READINGS} times to read the report from the LMS, but could not read all of it.`,
        LATER,
      );
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

/** Returns the complete report: the running one, or a new one. */
async function finishedReport({ canvas, now }: RefreshParts, work: JobWork): Promise<LmsReport> {
  let at: Checkpoint = checkpoint.parse(work.job.checkpoint ?? {});
  const reader = { canvas, token: work.token(), signal: signalOf(work) };
  const stage = 'Waiting for the report from the LMS';
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 1.5, LONGEST_LOOK_MS)) {
    if (at.report === null) {
      if (at.reports >= MOST_REPORTS) throw new JobFailed('The LMS no longer has the report.', LATER);
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
    else if (found.status === 'error') throw new JobFailed('The LMS could not create the report.', LATER);
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

/** Returns the bytes of the file. Its address expires after an hour; the report then has a new one. */
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
        throw new JobFailed('The LMS does not allow LMS Admin to download its report.', LATER);
    }
    await waited(work, FIRST_LOOK_MS);
    url = (await readReport({ canvas, token: work.token(), signal }, report.id))?.attachment?.url ?? url;
  }
}

/** @throws JobFailed if a different LMS answers than the run was started for */
async function requireLms({ identity }: RefreshParts, work: JobWork, lms: string): Promise<void> {
  if (sameLms(await identity.now(work.token(), { fresh: true }), lms)) return;
  throw new JobFailed(
    'LMS Admin is now connected to a different LMS, or the practice LMS was reset.',
    'LMS Admin reads the directory again automatically.',
  );
}

/** @throws JobFailed if a report has far fewer rows than a school can lose in a day */
function requirePlausible(
  counts: DirectoryCounts,
  base: { lms: string; counts: DirectoryCounts | null } | null,
  { lms, acceptSmaller }: { lms: string; acceptSmaller: boolean },
): void {
  if (counts.users === 0)
    throw new JobFailed(
      'The report from the LMS contains no people.',
      `Check that the service user can see all users. ${LATER}`,
    );
  const known = base !== null && sameLms(base.lms, lms) ? base.counts : null;
  const shrunk = known === null || acceptSmaller ? [] : shrunkTables(known, counts);
  if (shrunk.length === 0) return;
  throw new JobFailed(
    `The report is much smaller than the previous one: ${shrunk.map(inNumbers).join(', ')}. LMS Admin did not use it.`,
    'Check in the LMS whether these numbers are right, and whether the service user can still see everything. If they are right, run "lms-admin directory refresh --accept-smaller".',
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

/** Aborts the report if this job started it and has not begun to read it. Failures are ignored. */
async function abortOwn({ canvas }: Pick<RefreshParts, 'canvas'>, work: JobWork): Promise<void> {
  const { report, own, readings } = checkpoint.parse(work.job.checkpoint ?? {});
  if (report === null || !own || readings > 0) return;
  const signal = AbortSignal.any([work.signal, AbortSignal.timeout(ABORT_MS)]);
  // A report that has ended cannot be aborted, and a running one ends on its own.
  await abortReport({ canvas, token: work.token(), signal }, report).catch(() => undefined);
}

function inWords(error: unknown): unknown {
  if (error instanceof BadReport)
    return new JobFailed(`The file of the report is incomplete: ${error.message}.`, LATER);
  if (error instanceof CanvasError && error.kind === 'refused')
    return new JobFailed(
      'The service user does not have permission to create reports in the LMS.',
      'Ask an administrator of the LMS to give the service user the permission "Reports - manage" on the root account, and refresh again.',
    );
  if (error instanceof CanvasError && error.kind === 'not-found')
    return new JobFailed(
      'The LMS has no provisioning report.',
      'Ask an administrator of the LMS to enable it, or set DIRECTORY=off.',
    );
  return error;
}

const signalOf = (work: JobWork) => AbortSignal.any([work.signal, work.cancel]);

/** Waits until the time has passed or the job is cancelled. */
async function waited(work: JobWork, ms: number): Promise<void> {
  const signal = signalOf(work);
  await Promise.race([
    work.pause(ms),
    new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true })),
  ]);
  signal.throwIfAborted();
}
