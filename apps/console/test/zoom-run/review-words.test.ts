import type { ZoomRunReview } from '@lms-admin/contract/zoom';
import { expect, test } from 'vitest';
import {
  countsOf,
  doesWords,
  isNothing,
  noteWords,
  type Told,
} from '../../src/tools/zoom-run/review-words.ts';

const EVENT: Told = {
  event: 1,
  title: 'All day thing',
  start_at: null,
  does: null,
  published: false,
  problem: null,
  unfit: null,
  waits: false,
  warnings: [],
};
const review = (events: number, told: Partial<Told>[]): ZoomRunReview => ({
  events,
  told: told.map((one) => ({ ...EVENT, ...one })),
  meetings: { made: 0, changed: 0, removed: 0 },
  note: null,
});

test('ZR-05 an event that cannot have a meeting is counted and has its reason beside it; not all are up to date then', () => {
  const unfit = 'This event lasts all day: give it a time in Canvas, and try again.';
  const said = review(9, [{ unfit }]);
  expect([isNothing(said), isNothing(review(9, []))]).toEqual([false, true]);
  expect(countsOf(said)).toBe('9 events: 1 cannot have a meeting, 8 stay as they are.');
  const [told = EVENT] = said.told;
  expect([doesWords(told), noteWords(told)]).toEqual(['Stays as it is', unfit]);
  const both = review(2, [{ unfit, does: 'no-link', published: true }, { problem: 'No.' }]);
  expect(countsOf(both)).toBe('2 events: 1 loses its link, 1 cannot be updated.');
});
