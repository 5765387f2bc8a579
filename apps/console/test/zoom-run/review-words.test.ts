import type { ZoomRunReview } from '@lms-admin/contract/zoom-runs';
import { expect, test } from 'vitest';
import {
  countsOf,
  doesWords,
  failingOf,
  isNothing,
  noteWords,
  type ReportedEvent,
} from '../../src/tools/zoom-run/review-words.ts';
import { texts } from '../../src/tools/zoom-run/texts.ts';

const EVENT: ReportedEvent = {
  event: 1,
  title: 'All day thing',
  start_at: null,
  does: null,
  removes: [],
  published: false,
  problem: null,
  unfit: null,
  waits: false,
  warnings: [],
};
const review = (events: number, told: Partial<ReportedEvent>[]): ZoomRunReview => ({
  events,
  told: told.map((one) => ({ ...EVENT, ...one })),
  meetings: { made: 0, changed: 0, removed: 0 },
  note: null,
  until: null,
});

test('ZR-05 an event that cannot have a meeting is counted with its reason, and then not everything is up to date', () => {
  const unfit = 'This event lasts all day. Set a time in the LMS, and try again.';
  const said = review(9, [{ unfit }]);
  expect([isNothing(said), isNothing(review(9, []))]).toEqual([false, true]);
  expect(countsOf(said)).toBe('9 events: 1 cannot have a meeting, 8 stay as they are.');
  const [told = EVENT] = said.told;
  expect([doesWords(told), noteWords(told)]).toEqual(['Stays as it is', unfit]);
  const both = review(2, [{ unfit, does: 'no-link', published: true }, { problem: 'No.' }]);
  expect(countsOf(both)).toBe('2 events: 1 loses its link, 1 cannot be updated.');
});

test('ZR-05 an event with only a deleted meeting is counted and named; the deletion is shown alongside any other change', () => {
  const said = review(3, [{ removes: [81] }, { removes: [82, 83], does: 'new-link', published: true }]);
  expect(countsOf(said)).toBe(
    '3 events: 1 gets a new link, 1 loses a meeting that it no longer uses, 1 stays as it is.',
  );
  expect(said.told.map(doesWords)).toEqual([
    'Meeting 81, which it no longer uses, is deleted in Zoom.',
    'Gets a new link. Students can see the current link. 2 meetings that it no longer uses are deleted in Zoom: 82, 83.',
  ]);
  expect(doesWords({ ...EVENT, removes: [84], does: 'change' })).toBe(
    'Its meeting or the text around its link is updated. Meeting 84, which it no longer uses, is deleted in Zoom.',
  );
});

test('ZR-05 the sentences about events that cannot be updated agree with the numbers above them', () => {
  const problem = 'Its host is not active.';
  const said = review(9, [{ problem }, { problem }, { problem, does: 'no-link' }]);
  expect(countsOf(said)).toBe('9 events: 1 loses its link, 2 cannot be updated, 6 stay as they are.');
  expect(texts.review.failing(failingOf(said))).toBe(
    '2 events cannot be updated, and 1 event can be updated only in part.',
  );
  expect(texts.review.failing(failingOf(review(1, [{ problem, does: 'no-link' }])))).toBe(
    '1 event can be updated only in part.',
  );
});
