/** A job kind that reads the survey again: export, wait, download, count, and store in one step (OP-90). */
import { AWARD_REFRESH } from '@lms-admin/contract/awards';
import { opensAt } from '@lms-admin/domain/award-opening';
import type { CountedVotes } from '@lms-admin/domain/award-votes';
import { z } from 'zod';
import type { ActFor } from '../access/acting.ts';
import { Cancelled, type JobEnd, JobFailed, type JobKind, type JobWork } from '../jobs/kind.ts';
import { OutsideError } from '../outbound/errors.ts';
import { toAppError } from '../platform/http-errors.ts';
import { NOT_CONFIGURED, type QualtricsClient } from '../qualtrics/client.ts';
import { countedVotes } from './counting.ts';
import type { Opening } from './opening.ts';
import type { Surveys } from './surveys.ts';

export interface RefreshParts {
  qualtrics: QualtricsClient;
  surveys: Surveys;
  opening: Opening;
  actFor: ActFor;
}

const refreshInput = z.object({ survey: z.string() });

/** Completed steps, so that the job can continue after a crash. */
const checkpoint = z.object({
  /** The running export: a second one is only started if Qualtrics has lost it. */
  progressId: z.string().nullish(),
  /** Time of the request, in milliseconds since 1970. */
  startedAt: z.number().nullish(),
  /** Number of exports requested. */
  exports: z.number().default(0),
  /** Figures of the result, set once everything is stored. */
  stored: z.array(z.tuple([z.string(), z.number()])).nullish(),
});
type Checkpoint = z.output<typeof checkpoint>;

const NOTHING = 'Cancelled: the figures have not changed.';
const RETRY = 'Try again later. If it keeps happening, contact IT Support.';
/** Milliseconds between checks of an export: initial and maximum. */
const [FIRST_LOOK_MS, LONGEST_LOOK_MS] = [400, 5_000];
/** Maximum duration of an export in milliseconds. */
const EXPORT_MS = 900_000;
/** Maximum exports per refresh: one, and another if Qualtrics has lost the first. */
const MOST_EXPORTS = 2;
/** Milliseconds to wait for a system that does not answer: in the meantime the administrator only sees old figures. */
const TIMEOUT_MS = 600_000;
/** Milliseconds between two saves of the progress. */
const RECORD_MS = 400;

export function refreshKind(parts: RefreshParts): JobKind {
  return {
    id: AWARD_REFRESH,
    atOnce: 2,
    keeps: 'work',
    listed: true,
    changes: false,
    begins: 'Requesting the responses from Qualtrics',
    untouched: NOTHING,
    mayCancel: async () => true,
    async run(work) {
      const { qualtrics, actFor } = parts;
      const { survey } = refreshInput.parse(await work.input());
      actFor(work.job);
      if (qualtrics.survey === null) throw new JobFailed(NOT_CONFIGURED.message, NOT_CONFIGURED.next);
      if (qualtrics.survey !== survey)
        throw new JobFailed(
          'The survey of the award has been changed.',
          'Reload the page, and refresh again.',
        );
      try {
        return ended(await refreshed(parts, work, survey));
      } catch (error) {
        work.signal.throwIfAborted();
        if (work.cancel.aborted) throw new Cancelled(NOTHING);
        throw inTime(work, survey, error);
      }
    },
  };
}

/** Reads the survey and stores its votes. @returns the figures of the result */
async function refreshed(
  { qualtrics, surveys, opening }: RefreshParts,
  work: JobWork,
  survey: string,
): Promise<[string, number][]> {
  const signal = AbortSignal.any([work.signal, work.cancel]);
  const { stored } = checkpoint.parse(work.job.checkpoint ?? {});
  if (stored) return stored;
  const { fileId, readAt } = await exported(qualtrics, work, signal);
  const from = (await opening.read())?.opening_date ?? null;
  const counted = await count(qualtrics, work, { fileId, from }, signal);
  const figures = receipt(counted);
  await work.save(
    { checkpoint: { stored: figures } },
    (tx) => surveys.store(tx, survey, { counted, countedFrom: from, readAt }),
    { unlessCancelled: NOTHING },
  );
  return figures;
}

/** A finished export. It contains the responses at the time of the request, which can be hours ago. */
interface Exported {
  fileId: string;
  readAt: Date;
}

/** Returns the file of the running export, or of a new one. */
async function exported(qualtrics: QualtricsClient, work: JobWork, signal: AbortSignal): Promise<Exported> {
  let at: Checkpoint = checkpoint.parse(work.job.checkpoint ?? {});
  let pause = FIRST_LOOK_MS;
  for (;;) {
    if (!at.progressId) {
      if (at.exports >= MOST_EXPORTS) throw lost();
      const startedAt = Date.now();
      const progressId = await qualtrics.startExport(signal);
      at = { progressId, startedAt, exports: at.exports + 1 };
      await work.save({ checkpoint: at, stage: 'Waiting for the export from Qualtrics' });
    }
    const found = await qualtrics.exportState(at.progressId ?? '', signal);
    if (found.state === 'complete')
      return { fileId: found.fileId, readAt: new Date(at.startedAt ?? Date.now()) };
    if (found.state === 'failed') throw new JobFailed('Qualtrics could not create the export.', RETRY);
    if (found.state === 'gone') at = { exports: at.exports };
    else if (Date.now() - (at.startedAt ?? 0) > EXPORT_MS) {
      throw new JobFailed('Qualtrics has not finished the export within 15 minutes.', RETRY);
    }
    await waited(work, pause, signal);
    pause = Math.min(pause * 1.5, LONGEST_LOOK_MS);
  }
}

async function count(
  qualtrics: QualtricsClient,
  work: JobWork,
  { fileId, from }: { fileId: string; from: string | null },
  signal: AbortSignal,
): Promise<CountedVotes> {
  await work.save({ stage: 'Counting the responses', done: 0, total: null, unit: 'responses' });
  let [recorded, recording] = [Date.now(), Promise.resolve()];
  const counted = await countedVotes(
    qualtrics.rows(fileId, signal),
    from === null ? null : opensAt(from),
    (done) => {
      if (Date.now() - recorded < RECORD_MS) return;
      recorded = Date.now();
      // A lost lease ends the work through its signal.
      recording = recording.then(() => work.save({ done })).catch(() => undefined);
    },
  ).catch((error: unknown) => {
    // The file is missing, not the survey.
    throw error instanceof OutsideError && error.kind === 'not-found' ? lost() : error;
  });
  await recording;
  return counted;
}

function lost(): JobFailed {
  return new JobFailed('Qualtrics no longer has the export.', RETRY);
}

/** Waits until the time has passed or the job is cancelled. */
async function waited(work: JobWork, ms: number, signal: AbortSignal): Promise<void> {
  await Promise.race([
    work.pause(ms),
    new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true })),
  ]);
  signal.throwIfAborted();
}

function receipt({ responses, total }: CountedVotes): [string, number][] {
  return [
    ['responses counted', responses],
    ['responses excluded', total - responses],
  ];
}

function ended(figures: [string, number][]): JobEnd {
  return { outcome: 'done', figures };
}

/** Turns lasting outages, and problems that only IT Support can solve, into failures that say what to do. */
function inTime({ job }: JobWork, survey: string, error: unknown): unknown {
  if (!(error instanceof OutsideError)) return error;
  if (error.kind === 'not-found')
    return new JobFailed(`Qualtrics has no survey ${survey}.`, 'Ask IT Support to check BTA_SURVEY_ID.');
  const { message, next } = toAppError(error);
  // If the very first call is refused, waiting would not help.
  if (error.ofToken && !checkpoint.parse(job.checkpoint ?? {}).progressId)
    return new JobFailed(message, next);
  const { troubleSince } = job;
  if (troubleSince === null || Date.now() - troubleSince.getTime() < TIMEOUT_MS) return error;
  return new JobFailed(message, error.ofToken ? next : RETRY);
}
