import type { JobDetail } from '@lms-admin/contract/jobs';
import type { ZoomChange } from '@lms-admin/contract/zoom';
import { describe, expect, test } from 'vitest';
import {
  type CourseAction,
  type CourseState,
  courseReducer,
  entriesOf,
  openState,
  stepOf,
  type View,
} from '../../src/tools/zoom-creation/course-state.ts';
import { eventRows } from '../../src/tools/zoom-creation/event-rows.ts';
import {
  doneWords,
  failedLines,
  failureNext,
  failureTitle,
  goneLines,
  laterLines,
  stoppedLines,
} from '../../src/tools/zoom-creation/failure-words.ts';
import { jobDetail } from '../job/job.ts';
import { ALMA, eventOf } from './events.ts';

const publish: ZoomChange = {
  change: 'publish',
  course: 7,
  events: [1, 2, 3],
  owner: ALMA,
  co_hosts: [],
  visible: true,
};
const after = (actions: readonly CourseAction[], from: CourseState = openState(null)) =>
  actions.reduce(courseReducer, from);
const started: readonly CourseAction[] = [
  { type: 'select', selected: new Set([1, 2, 3]) },
  { type: 'started', running: { job: 'j', asked: publish } },
];
const open = (view: View): CourseAction & { type: 'open' } => ({ type: 'open', view });
const ended = (more: Partial<JobDetail>): CourseAction => ({ type: 'ended', job: jobDetail(more) });

test('ZC-24 the dialog shows form, progress and success; then the finished events are deselected', () => {
  expect(stepOf(after([]))).toBe(1);
  expect(stepOf(after(started))).toBe(2);
  const done = after([...started, ended({ state: 'done', outcome: 'done', result: { failed: [] } })]);
  expect(stepOf(done)).toBe(3);
  expect(done.selected.size).toBe(0);
  expect(stepOf(after([{ type: 'noted' }], done))).toBe(1);
});

test('OP-104 a change that waits for another day is left alone: other events can be changed in the meantime', () => {
  const left = after([...started, { type: 'select', selected: new Set([1, 2, 3, 4]) }, { type: 'left' }]);
  expect(left).toMatchObject({ view: null, running: null, failure: null, saved: null });
  expect([...left.selected]).toEqual([4]);
  expect(stepOf(left)).toBe(1);
});

test('OP-104 events postponed to a later change are named and deselected, without a retry', () => {
  const later = [{ event: 2, title: 'Session 2', start_at: null, by: 'Bruno Keller' }];
  const left = after([
    { type: 'open', view: { kind: 'merge', parent: 9 } },
    ...started,
    ended({ state: 'done', outcome: 'partly', result: { failed: [], later } }),
  ]);
  expect([left.view, left.selected.size, left.failure?.outcome]).toEqual([null, 0, 'later']);
  expect(left.failure && failureTitle(left.failure, left.selected)).toBe(
    '1 event was not changed, because a later change applies to it.',
  );
  expect(left.failure && laterLines(left.failure, () => 'Monday')).toEqual([
    'Session 2 (Monday): a later change by Bruno Keller applies.',
  ]);
  expect(left.failure && doneWords(left.failure)).toBe('The other 2 events were changed as requested.');
  const failed = [
    { event: 3, title: 'Session 3', start_at: null, message: 'Zoom did not answer.', part: false },
  ];
  const both = after([...started, ended({ state: 'done', outcome: 'partly', result: { failed, later } })]);
  expect([...both.selected]).toEqual([3]);
  expect(both.failure?.more).toBeNull();
  const more = 'The text of 1 event still has a Zoom link that LMS Admin did not add.';
  for (const result of [
    { failed, more },
    { failed: [], later, more },
  ]) {
    const told = after([...started, ended({ state: 'done', outcome: 'partly', result })]);
    expect(told.failure?.more).toBe(more);
  }
  expect(both.failure && doneWords(both.failure)).toBe('The other event was changed as requested.');
});

test('ZC-43 OP-69 failed events stay selected and are named, and the form is open again', () => {
  const failed = [
    { event: 2, title: 'Session 2', start_at: null, message: 'Zoom did not answer.', part: false },
  ];
  const partly = after([...started, ended({ state: 'done', outcome: 'partly', result: { failed } })]);
  expect(stepOf(partly)).toBe(1);
  expect([...partly.selected]).toEqual([2]);
  expect(partly.failure && failureTitle(partly.failure, partly.selected)).toBe(
    '1 event could not be changed. It is still selected.',
  );
  // The event has left the calendar.
  expect(partly.failure && failureTitle(partly.failure, new Set())).toBe('1 event could not be changed.');
  expect(partly.failure && doneWords(partly.failure)).toBe('The other 2 events were changed as requested.');
  expect(partly.failure && failedLines(partly.failure, () => 'Monday')).toEqual([
    'Session 2 (Monday): Zoom did not answer.',
  ]);
  const again = after([{ type: 'started', running: { job: 'k', asked: publish } }], partly);
  expect(again.failure).toBeNull();
});

test('OP-64 OP-69 a cancelled change says what is done and what is not, and only unfinished events stay selected', () => {
  const stopped = [
    { event: 2, title: 'Session 2', start_at: null, part: true },
    { event: 3, title: 'Session 3', start_at: null, part: false },
  ];
  const note = 'Cancelled: 1 of 3 events was done; 1 event was partly done and stays as it is: “Session 2”.';
  const off = after([
    ...started,
    ended({ state: 'cancelled', outcome: 'cancelled', note, result: { failed: [], stopped } }),
  ]);
  expect([...off.selected]).toEqual([2, 3]);
  expect(off.failure && failureTitle(off.failure, off.selected)).toBe(note);
  expect(off.failure && stoppedLines(off.failure, () => 'Monday')).toEqual([
    'Session 2 (Monday): partly done.',
    'Session 3 (Monday): not done.',
  ]);
  const late = after([
    ...started,
    ended({ state: 'done', outcome: 'done', note: 'Too late.', result: { failed: [] } }),
  ]);
  expect([late.saved, late.savedNote]).toEqual([publish, 'Too late.']);
});

test('OP-69 after a change that failed completely, or was cancelled, all its events stay selected', () => {
  const problem = { message: 'The course was not found.', next: 'Look again.' };
  const all = after([...started, ended({ state: 'failed', outcome: 'failed', problem, result: null })]);
  expect([...all.selected]).toEqual([1, 2, 3]);
  expect(all.failure?.problem?.message).toBe(problem.message);
  const off = after([...started, ended({ state: 'cancelled', outcome: 'cancelled', result: null })]);
  expect([...off.selected]).toEqual([1, 2, 3]);
  expect(off.failure && failureTitle(off.failure, off.selected)).toBe(
    'The change to 3 events was cancelled. Finished steps are kept. All of them are still selected.',
  );
  expect(off.failure && failureTitle(off.failure, new Set([1, 2, 9]))).toContain('2 of them are still');
});

test('OP-102 OP-69 differences from the preview are named; the form is open again with all of its events', () => {
  const result = { failed: [], outdated: true };
  const problem = { message: 'Nothing was saved.', next: 'Look again.' };
  const refused = after([
    { type: 'open', view: { kind: 'merge', parent: 9 } },
    ...started,
    ended({ state: 'failed', outcome: 'failed', problem, result }),
  ]);
  expect([stepOf(refused), refused.view?.kind, [...refused.selected]]).toEqual([1, 'merge', [1, 2, 3]]);
  expect(refused.failure && failureTitle(refused.failure, refused.selected)).toBe(
    'Nothing was saved: these events have changed since the preview. All of them are still selected.',
  );
  expect(refused.failure && doneWords(refused.failure)).toBeNull();
  const nexts = [null, true, false].map((news) => refused.failure && failureNext(refused.failure, news));
  expect(nexts).toEqual([
    'Check the new preview, then save again.',
    'Check the new preview. New items are marked. Then save again.',
    'The preview looks the same, but the events have changed. Check them, then save again.',
  ]);
  const unmerge: ZoomChange = { change: 'unmerge', course: 7, event: 1 };
  const one = after([
    { type: 'started', running: { job: 'j', asked: unmerge } },
    ended({ state: 'failed', outcome: 'failed', problem, result }),
  ]);
  expect(one.failure && failureTitle(one.failure, one.selected)).toBe(
    'Nothing was saved: this event has changed since the preview.',
  );
});

test('OP-102 events that have been deleted in the LMS are named, and cannot be saved again', () => {
  const refusedWith = (gone: number[]) => {
    const result = { failed: [], outdated: true, gone };
    const state = after([...started, ended({ state: 'failed', outcome: 'failed', result })]);
    if (state.failure === null) throw new Error('nothing failed');
    return { ...state, failure: state.failure };
  };
  const some = refusedWith([2]);
  expect([...some.selected]).toEqual([1, 3]);
  expect(failureTitle(some.failure, some.selected)).toBe(
    'Nothing was saved: these events have changed since the preview. 2 of them are still selected.',
  );
  const sent = eventRows([eventOf(2, { title: 'Deleted' })]);
  expect(goneLines({ gone: [2, 5] }, sent, () => 'Monday')).toEqual([
    'Deleted (Monday): no longer in the calendar of the course in the LMS.',
    'No title, event 5: no longer in the calendar of the course in the LMS.',
  ]);
  const all = refusedWith([1, 2, 3]);
  expect([...all.selected]).toEqual([]);
  expect([failureTitle(all.failure, all.selected), failureNext(all.failure, null)]).toEqual([
    'Nothing was saved: the events are no longer in the calendar of the course.',
    'Close this dialog, and select other events in the table.',
  ]);
});

test('a reload finds the change in progress; deleted events are deselected', () => {
  expect(stepOf(openState({ job: 'j', asked: publish }))).toBe(2);
  const left = after([
    { type: 'select', selected: new Set([1, 2]) },
    { type: 'events', selectable: new Set([2, 5]) },
  ]);
  expect([...left.selected]).toEqual([2]);
});

test('a new form forgets an earlier failure; a retry keeps it', () => {
  const failed = after([...started, ended({ state: 'failed', outcome: 'failed', result: null })]);
  const view = { kind: 'merge', parent: null } as const;
  expect(after([{ type: 'open', view }], failed).failure).toBeNull();
  expect(after([{ type: 'open', view, retry: true }], failed).failure).not.toBeNull();
});

test('ZC-31 an unmerge does not change the selection', () => {
  const asked: ZoomChange = { change: 'unmerge', course: 7, event: 9 };
  const off = after([
    { type: 'select', selected: new Set([1]) },
    { type: 'started', running: { job: 'j', asked } },
    ended({ state: 'failed', outcome: 'failed', result: null }),
  ]);
  expect([...off.selected]).toEqual([1]);
  expect(off.failure && failureTitle(off.failure, off.selected)).toBe('The event could not be unmerged.');
});

describe('ZC-24 OP-69 a form while another change is running', () => {
  const merge = { kind: 'merge', parent: null } as const;
  const chosen = new Set([3, 9]);
  const aside = after([...started, { type: 'close' }, { type: 'select', selected: chosen }, open(merge)]);
  const failed = [
    { event: 2, title: 'Session 2', start_at: null, message: 'Zoom did not answer.', part: false },
  ];
  const partly = ended({ state: 'done', outcome: 'partly', result: { failed } });
  const done = ended({ state: 'done', outcome: 'done', result: { failed: [] } });

  test('stays open when that change has ended, and keeps its own selection', () => {
    for (const state of [aside, after([done], aside), after([partly], aside)]) {
      expect([stepOf(state), state.view]).toEqual([1, merge]);
      expect(state.selected).toEqual(chosen);
      // Like all entries, the form survives signing in again.
      expect(entriesOf(state)?.view).toEqual(merge);
    }
    const later = [{ event: 2, title: 'Session 2', start_at: null, by: 'Bruno Keller' }];
    const left = after([ended({ state: 'done', outcome: 'partly', result: { failed: [], later } })], aside);
    expect([left.view, left.failure?.outcome]).toEqual([merge, 'later']);
  });

  test('after the form is closed, the result of the other change is shown, and the events that failed are selected again', () => {
    const closed = after([{ type: 'close' }], after([partly], aside));
    expect([closed.view, closed.failure?.failed, closed.selected]).toEqual([null, failed, new Set([2, 9])]);
    const good = after([{ type: 'close' }], after([done], aside));
    expect([good.view, good.saved, [...good.selected]]).toEqual([null, publish, [9]]);
    expect(after([{ type: 'close' }], aside).running).not.toBeNull();
  });

  test('after the form is saved, its own change is followed; before that, the other change can be opened', () => {
    const shown = after([{ type: 'close' }, { ...open(merge), retry: true }], aside);
    expect(stepOf(shown)).toBe(2);
    const next = after([done, { type: 'started', running: { job: 'k', asked: publish } }], aside);
    expect([stepOf(next), next.saved, stepOf(after([done], next))]).toEqual([2, null, 3]);
  });

  test('is restored after a reload, together with the change in progress', () => {
    const again = openState(aside.running, entriesOf(aside));
    expect([stepOf(again), again.view, again.running?.job]).toEqual([1, merge, 'j']);
  });
});
