/** Texts for a job: its state, its progress, and notes while it runs. Pure. */

import type { Job } from '@lms-admin/contract/jobs';
import { TOOLS, type ToolId } from '@lms-admin/contract/tools';
import { grouped } from '@lms-admin/domain/numbers';
import { type Pace, percent, secondsLeft } from './pace.ts';
import { texts } from './texts.ts';

/** The outcome of a finished job, or the state of any other. */
export type JobStatus = 'queued' | 'running' | 'waiting' | 'done' | 'partly' | 'failed' | 'cancelled';

export function statusOf({ state, outcome }: Pick<Job, 'state' | 'outcome'>): JobStatus {
  return outcome ?? state;
}

/** Tells whether the job has reached its final state. */
export function hasEnded({ state }: Pick<Job, 'state'>): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled';
}

/** Formats progress as `12 of 42`, `60%`, or `12 rows` while the total is unknown; empty if nothing is counted. */
export function numbersOf(progress: Job['progress']): string {
  if (progress === null) return '';
  const { done, total, unit } = progress;
  if (unit === '%') return texts.percent(done);
  return total === null ? (done > 0 ? texts.sofar(done, unit) : '') : texts.of(done, total);
}

/**
 * Formats the figures of a job as `36 rows sent · 34 enrolments`: the figures that are not zero, or all figures if every
 * one of them is zero.
 */
export function figuresText(figures: Job['figures']): string {
  const some = figures.filter(([, count]) => count > 0);
  return (some.length > 0 ? some : figures).map(([word, count]) => `${grouped(count)} ${word}`).join(' · ');
}

/** Lists the sentences below the bar of a running job. @param clock formats a moment */
export function factsOf(job: Job, pace: Pace | null, clock: (iso: string) => string): string[] {
  const left = pace === null ? null : secondsLeft(pace);
  const found = figuresText(job.figures.filter(([, count]) => count > 0));
  return [
    ...(job.waiting === null ? [] : [waitingText(job.waiting, clock)]),
    ...(left === null || job.waiting !== null ? [] : [texts.left(left)]),
    ...(found === '' ? [] : [texts.soFar(found)]),
    ...(job.note === null ? [] : [job.note]),
  ];
}

function waitingText({ why, until }: NonNullable<Job['waiting']>, clock: (iso: string) => string): string {
  return until === null ? why : texts.waitingUntil(why, clock(until));
}

/** Returns the percentage of the bar; null while the duration is unknown. */
export function barOf(progress: Job['progress'], pace: Pace | null): number | null {
  if (progress === null) return null;
  return percent(pace ?? progress);
}

/** Formats progress as `is at 60%`, for the sentence in a wizard about its import. */
export function howFar({ state, progress }: Pick<Job, 'state' | 'progress'>): string {
  if (state === 'waiting') return texts.isWaiting;
  if (state === 'queued') return texts.isQueued;
  if (progress === null || progress.total === null || progress.total === 0) return texts.isRunning;
  return texts.isAt(`${percent({ done: progress.done, total: progress.total })}%`);
}

/**
 * Describes the progress or result of the administrator's own import, which another tab may have sent.
 * @param at when it was sent, as text
 */
export function importWords(one: Pick<Job, 'state' | 'outcome' | 'progress'>, at: string): string {
  return hasEnded(one)
    ? texts.endedImport(at, one.outcome ?? 'failed')
    : texts.runningImport(at, howFar(one));
}

/** Tells whether the outcome of a job needs attention. */
export const endedBadly = ({ outcome }: Pick<Job, 'outcome'>) => outcome === 'partly' || outcome === 'failed';

const NAMES = new Map<string, string | null>(TOOLS.map(({ id, tab }) => [id, tab]));

/** Returns the displayed name of a tool; `names` contains those without a tab. */
export function toolName(id: string, names: Partial<Record<ToolId, string>> = {}): string {
  return NAMES.get(id) ?? (names as Partial<Record<string, string>>)[id] ?? id;
}
