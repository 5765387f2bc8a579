import { describe, expect, test } from 'vitest';
import { advance, percent, secondsLeft } from '../../src/components/Job/pace.ts';

describe('CE-22 SIS-08 progress of counted work', () => {
  const at = (done: number, stage = 'people') => ({ stage, done, total: 500 });

  test('never goes back, and starts again with the next stage', () => {
    const first = advance(null, at(312), 1_000);
    expect(first).toMatchObject({ stage: 'people', done: 312, total: 500, since: 1_000 });
    expect(advance(first, at(300), 2_000).done).toBe(312);
    expect(advance(first, at(2, 'courses'), 3_000)).toMatchObject({
      stage: 'courses',
      done: 2,
      since: 3_000,
    });
  });

  test('percentage and estimate come from the real numbers', () => {
    const half = { ...advance(null, at(0), 0), done: 250, now: 10_000 };
    expect(percent(half)).toBe(50);
    expect(secondsLeft(half)).toBe(10);
    expect(secondsLeft({ ...half, now: 500 })).toBeNull();
    expect(secondsLeft({ ...half, done: 500 })).toBeNull();
    expect(percent({ done: 0, total: 0 })).toBe(0);
    expect(percent({ done: 7, total: null })).toBeNull();
    expect(secondsLeft({ ...half, total: null })).toBeNull();
  });

  test('work done before the first poll does not make the pace look faster', () => {
    // 400 of 500 were done when the page was reloaded; since then 10 a second.
    const later = advance(advance(null, at(400), 0), at(450), 5_000);
    expect(secondsLeft(later)).toBe(5);
  });
});
