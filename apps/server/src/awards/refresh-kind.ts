/** Reading the survey again as a kind of job: export, wait, fetch, count, store in one step (OP-90). */
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

/** What is done already, for a turn after a crash. */
const checkpoint = z.object({
  /** The export that goes on: there is no second one while Qualtrics knows it. */
  progressId: z.string().nullish(),
  /** When it was asked for, in milliseconds since 1970. */
  startedAt: z.number().nullish(),
  /** How many were asked for. */
  exports: z.number().default(0),
  /** Figures of the receipt, once all is stored. */
  stored: z.array(z.tuple([z.string(), z.number()])).nullish(),
});
type Checkpoint = z.output<typeof checkpoint>;

const NOTHING = 'Cancelled: the figures have not changed.';
const RETRY = 'Try again later. If it keeps happening, contact IT Support.';
/** Milliseconds between two looks at an export, at first and at most. */
const [FIRST_LOOK_MS, LONGEST_LOOK_MS] = [400, 5_000];
/** Longest that an export may take. */
const EXPORT_MS = 900_000;
/** Exports of one refresh: one, and another where Qualtrics has forgotten the first. */
const MOST_EXPORTS = 2;
/** For so long something that does not answer is waited for: someone sits in front of the old figures. */
const PATIENCE_MS = 600_000;
/** Milliseconds between two records of how far it is. */
const RECORD_MS = 400;

export function refreshKind(parts: RefreshParts): JobKind {
  return {
    id: AWARD_REFRESH,
    atOnce: 2,
    keeps: 'work',
    listed: true,
    changes: false,
    begins: 'Asking Qualtrics for the responses',
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

/** Stores what the survey says now. @returns the figures of the receipt */
async function refreshed(
  { qualtrics, surveys, opening }: RefreshParts,
  work: JobWork,
  survey: string,
): Promise<[string, number][]> {
  const signal = AbortSignal.any([work.signal, work.cancel]);
  const { stored } = checkpoint.parse(work.job.checkpoint ?? {});
  if (stored) return stored;
  const fileId = await exported(qualtrics, work, signal);
  const from = (await opening.read())?.opening_date ?? null;
  const counted = await count(qualtrics, work, { fileId, from }, signal);
  const figures = receipt(counted);
  await work.save(
    { checkpoint: { stored: figures } },
    (tx) => surveys.store(tx, survey, { counted, countedFrom: from }),
    { unlessCancelled: NOTHING },
  );
  return figures;
}

/** The file of a finished export: of the one that goes on, or of a new one. */
async function exported(qualtrics: QualtricsClient, work: JobWork, signal: AbortSignal): Promise<string> {
  let at: Checkpoint = checkpoint.parse(work.job.checkpoint ?? {});
  let pause = FIRST_LOOK_MS;
  for (;;) {
    if (!at.progressId) {
      if (at.exports >= MOST_EXPORTS) throw lost();
      const progressId = await qualtrics.startExport(signal);
      at = { progressId, startedAt: Date.now(), exports: at.exports + 1 };
      await work.save({ checkpoint: at, stage: 'Waiting for the export of Qualtrics' });
    }
    const found = await qualtrics.exportState(at.progressId ?? '', signal);
    if (found.state === 'complete') return found.fileId;
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
      // A lost lease ends the work by its signal.
      recording = recording.then(() => work.save({ done })).catch(() => undefined);
    },
  ).catch((error: unknown) => {
    // It is the file that is gone, not the survey.
    throw error instanceof OutsideError && error.kind === 'not-found' ? lost() : error;
  });
  await recording;
  return counted;
}

function lost(): JobFailed {
  return new JobFailed('Qualtrics has lost the export.', RETRY);
}

/** Pauses until the time is over, or the end was asked for. */
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
    ['left out', total - responses],
  ];
}

function ended(figures: [string, number][]): JobEnd {
  return { outcome: 'done', figures };
}

/** What does not answer for too long is said; and what only IT Support can help with is said by its setting. */
function inTime({ job }: JobWork, survey: string, error: unknown): unknown {
  if (!(error instanceof OutsideError)) return error;
  if (error.kind === 'not-found')
    return new JobFailed(`Qualtrics has no survey ${survey}.`, 'Ask IT Support to check BTA_SURVEY_ID.');
  const { message, next } = toAppError(error);
  // Refused at the first call, there is nothing yet to wait for.
  if (error.ofToken && !checkpoint.parse(job.checkpoint ?? {}).progressId)
    return new JobFailed(message, next);
  const { troubleSince } = job;
  if (troubleSince === null || Date.now() - troubleSince.getTime() < PATIENCE_MS) return error;
  return new JobFailed(message, error.ofToken ? next : RETRY);
}
