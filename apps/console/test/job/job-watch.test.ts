import type { JobDetail } from '@lms-admin/contract/jobs';
import { describe, expect, test } from 'vitest';
import { jobRules } from '../../src/components/Job/job-watch.ts';
import { nextPoll, startWatch, watch } from '../../src/components/Job/watch.ts';
import { jobDetail } from './job.ts';

const rules = jobRules(500);
const seen = (...polls: [job: Partial<JobDetail>, now: number][]) =>
  polls.reduce(
    (state, [job, now]) => watch(rules, state, { type: 'seen', answer: { job: jobDetail(job), now } }),
    startWatch(rules),
  );

describe('following a job', () => {
  test('polls immediately, then at the given interval, less often while the job waits, and never after its end', () => {
    expect(nextPoll(rules, startWatch(rules))).toBe(0);
    expect(nextPoll(rules, seen([{ state: 'queued' }, 0]))).toBe(500);
    expect(nextPoll(rules, seen([{ state: 'running' }, 0]))).toBe(500);
    expect(nextPoll(rules, seen([{ state: 'waiting' }, 0]))).toBe(5_000);
    // The job is about to end.
    expect(nextPoll(rules, seen([{ state: 'waiting', cancel: 'asked' }, 0]))).toBe(500);
    for (const state of ['done', 'failed', 'cancelled'] as const)
      expect(nextPoll(rules, seen([{ state, outcome: state }, 0]))).toBeNull();
  });

  test('failed polls are silent, and the pauses grow', () => {
    let state = seen([{ state: 'running' }, 0]);
    const pauses: (number | null)[] = [];
    for (let miss = 0; miss < 3; miss++) {
      state = watch(rules, state, { type: 'missed' });
      pauses.push(nextPoll(rules, state));
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000]);
    expect(state.seen.job?.state).toBe('running');
  });

  test('reconnecting ends the pauses, unless the server has rejected a poll', () => {
    let state = seen([{ state: 'running' }, 0]);
    for (let miss = 0; miss < 5; miss++) state = watch(rules, state, { type: 'missed' });
    expect(nextPoll(rules, state)).toBeGreaterThan(10_000);
    const back = watch(rules, state, { type: 'online' });
    expect(nextPoll(rules, back)).toBe(0);
    expect(nextPoll(rules, watch(rules, back, { type: 'missed' }))).toBe(1_000);
    for (let miss = 0; miss < 30; miss++) state = watch(rules, state, { type: 'missed' });
    expect(nextPoll(rules, state)).toBeNull();
    expect(nextPoll(rules, watch(rules, state, { type: 'online' }))).toBe(0);
    const refused = watch(rules, state, { type: 'refused', error: new Error('gone') });
    expect(nextPoll(rules, watch(rules, refused, { type: 'online' }))).toBeNull();
    const ended = seen([{ state: 'done', outcome: 'done' }, 0]);
    expect(nextPoll(rules, watch(rules, ended, { type: 'online' }))).toBeNull();
  });

  test('keeps its pace within a stage, and starts again with the next one', () => {
    const people = (done: number) => ({
      progress: { done, total: 500, unit: 'people' },
      stage: 'Looking up people',
    });
    const state = seen([people(10), 1_000], [people(60), 2_000]);
    expect(state.seen.pace).toMatchObject({ done: 60, total: 500, since: 1_000, from: 10, now: 2_000 });
    const next = watch(rules, state, {
      type: 'seen',
      answer: {
        job: jobDetail({ stage: 'Comparing', progress: { done: 1, total: 3, unit: 'courses' } }),
        now: 3_000,
      },
    });
    expect(next.seen.pace).toMatchObject({ done: 1, since: 3_000, from: 1 });
  });
});
