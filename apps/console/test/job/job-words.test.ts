import { describe, expect, test } from 'vitest';
import {
  barOf,
  factsOf,
  figuresText,
  hasEnded,
  howFar,
  importWords,
  numbersOf,
  statusOf,
  toolName,
} from '../../src/components/Job/job-words.ts';
import { jobDetail } from './job.ts';

const clock = () => '14:30';

describe('a job in words', () => {
  test('an ended job is described by its outcome', () => {
    expect(statusOf({ state: 'running', outcome: null })).toBe('running');
    expect(statusOf({ state: 'done', outcome: 'partly' })).toBe('partly');
    expect(hasEnded({ state: 'waiting' })).toBe(false);
    expect(hasEnded({ state: 'cancelled' })).toBe(true);
  });

  test('the numbers come from the record; unknown ones are left out', () => {
    expect(numbersOf({ done: 1_200, total: 4_905, unit: 'courses' })).toBe('1,200 of 4,905');
    expect(numbersOf({ done: 60, total: 100, unit: '%' })).toBe('60%');
    expect(numbersOf({ done: 12, total: null, unit: 'rows' })).toBe('12 rows');
    expect(numbersOf({ done: 0, total: null, unit: 'rows' })).toBe('');
    expect(numbersOf(null)).toBe('');
    expect(barOf({ done: 12, total: null, unit: 'rows' }, null)).toBeNull();
    expect(barOf({ done: 12, total: 48, unit: 'rows' }, null)).toBe(25);
  });

  test("an import's progress is described for its wizard", () => {
    const far = (done: number, total: number | null) =>
      howFar({ state: 'running', progress: { done, total, unit: '%' } });
    expect(far(60, 100)).toBe('is at 60%');
    expect(far(3, null)).toBe('is running');
    expect(howFar({ state: 'waiting', progress: null })).toBe('is waiting');
    expect(howFar({ state: 'queued', progress: null })).toBe('is queued');
    const queued = importWords({ state: 'queued', outcome: null, progress: null }, '14:30');
    expect(queued).toBe('Your import from 14:30 is queued.');
    const partly = importWords({ state: 'done', outcome: 'partly', progress: null }, '14:30');
    expect(partly).toBe('Your import from 14:30 has ended: partly done.');
  });

  test('the text below the bar has the reason for waiting, the time left, the results so far, and notes', () => {
    const pace = { stage: '', done: 50, total: 100, since: 0, from: 0, now: 5_000 };
    expect(
      factsOf(
        jobDetail({
          figures: [
            ['not found', 3],
            ['failed', 0],
          ],
        }),
        pace,
        clock,
      ),
    ).toEqual(['about 5 s left', '3 not found so far']);
    const waiting = jobDetail({
      state: 'waiting',
      waiting: { until: '2026-11-21T14:30:00Z', why: 'The LMS does not answer.' },
      note: 'Two sections were left out.',
    });
    expect(factsOf(waiting, pace, clock)).toEqual([
      'The LMS does not answer. It continues at 14:30.',
      'Two sections were left out.',
    ]);
  });

  test('the text has the figures that are not zero, or all of them if every one is zero', () => {
    expect(
      figuresText([
        ['rows sent', 1_036],
        ['messages', 0],
      ]),
    ).toBe('1,036 rows sent');
    expect(figuresText([['rows sent', 0]])).toBe('0 rows sent');
  });

  test('tools are called by the names of their tabs', () => {
    expect(toolName('sis-import')).toBe('SIS Import');
    expect(toolName('award-import', { 'award-import': 'Awards' })).toBe('Awards');
    expect(toolName('of-a-later-version')).toBe('of-a-later-version');
  });
});
