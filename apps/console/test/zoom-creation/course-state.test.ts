import type { JobDetail } from '@lms-admin/contract/jobs';
import type { ZoomChange } from '@lms-admin/contract/zoom';
import { expect, test } from 'vitest';
import {
  type CourseAction,
  type CourseState,
  courseReducer,
  openState,
  stepOf,
} from '../../src/tools/zoom-creation/course-state.ts';
import {
  doneWords,
  failedLines,
  failureTitle,
  laterLines,
} from '../../src/tools/zoom-creation/failure-words.ts';
import { jobDetail } from '../job/job.ts';
import { ALMA } from './events.ts';

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
const ended = (more: Partial<JobDetail>): CourseAction => ({ type: 'ended', job: jobDetail(more) });

test('ZC-24 form, wait, success; then what was done is let go of', () => {
  expect(stepOf(after([]))).toBe(1);
  expect(stepOf(after(started))).toBe(2);
  const done = after([...started, ended({ state: 'done', outcome: 'done', result: { failed: [] } })]);
  expect(stepOf(done)).toBe(3);
  expect(done.selected.size).toBe(0);
  expect(stepOf(after([{ type: 'noted' }], done))).toBe(1);
});

test('OP-104 a change that waits for another day is left to itself: other events can be changed meanwhile', () => {
  const left = after([...started, { type: 'select', selected: new Set([1, 2, 3, 4]) }, { type: 'left' }]);
  expect(left).toMatchObject({ view: null, running: null, failure: null, saved: null });
  expect([...left.selected]).toEqual([4]);
  expect(stepOf(left)).toBe(1);
});

test('OP-104 what was left to a later change is named, is not selected any more, and is not to be tried again', () => {
  const later = [{ event: 2, title: 'Session 2', start_at: null, by: 'Bruno Keller' }];
  const left = after([
    { type: 'open', view: { kind: 'merge', parent: 9 } },
    ...started,
    ended({ state: 'done', outcome: 'partly', result: { failed: [], later } }),
  ]);
  expect([left.view, left.selected.size, left.failure?.outcome]).toEqual([null, 0, 'later']);
  expect(left.failure && failureTitle(left.failure)).toBe(
    '1 event was not changed, since a later change applies to it.',
  );
  expect(left.failure && laterLines(left.failure, () => 'Monday')).toEqual([
    'Session 2 (Monday): a later change by Bruno Keller applies.',
  ]);
  expect(left.failure && doneWords(left.failure)).toBe('The other 2 events were changed as you wanted.');
  const failed = [{ event: 3, title: 'Session 3', start_at: null, message: 'Zoom did not answer.' }];
  const both = after([...started, ended({ state: 'done', outcome: 'partly', result: { failed, later } })]);
  expect([...both.selected]).toEqual([3]);
  expect(both.failure && doneWords(both.failure)).toBe('The other event was changed as you wanted.');
});

test('ZC-43 OP-69 what failed stays selected and is named, and the form is there again', () => {
  const failed = [{ event: 2, title: 'Session 2', start_at: null, message: 'Zoom did not answer.' }];
  const partly = after([...started, ended({ state: 'done', outcome: 'partly', result: { failed } })]);
  expect(stepOf(partly)).toBe(1);
  expect([...partly.selected]).toEqual([2]);
  expect(partly.failure && failureTitle(partly.failure)).toBe(
    '1 event could not be changed. It is still selected.',
  );
  expect(partly.failure && doneWords(partly.failure)).toBe('The other 2 events were changed as you wanted.');
  expect(partly.failure && failedLines(partly.failure, () => 'Monday')).toEqual([
    'Session 2 (Monday): Zoom did not answer.',
  ]);
  const again = after([{ type: 'started', running: { job: 'k', asked: publish } }], partly);
  expect(again.failure).toBeNull();
});

test('OP-69 a change that ended as a whole, or was cancelled, keeps all of them selected', () => {
  const problem = { message: 'There is no such course.', next: 'Look again.' };
  const all = after([...started, ended({ state: 'failed', outcome: 'failed', problem, result: null })]);
  expect([...all.selected]).toEqual([1, 2, 3]);
  expect(all.failure?.problem?.message).toBe(problem.message);
  const off = after([...started, ended({ state: 'cancelled', outcome: 'cancelled', result: null })]);
  expect([...off.selected]).toEqual([1, 2, 3]);
  expect(off.failure && failureTitle(off.failure)).toContain('cancelled');
});

test('a reload finds the change that runs; events that are gone are selected no longer', () => {
  expect(stepOf(openState({ job: 'j', asked: publish }))).toBe(2);
  const left = after([
    { type: 'select', selected: new Set([1, 2]) },
    { type: 'events', selectable: new Set([2, 5]) },
  ]);
  expect([...left.selected]).toEqual([2]);
});

test('a new form forgets what failed before, a repeat keeps it', () => {
  const failed = after([...started, ended({ state: 'failed', outcome: 'failed', result: null })]);
  const view = { kind: 'merge', parent: null } as const;
  expect(after([{ type: 'open', view }], failed).failure).toBeNull();
  expect(after([{ type: 'open', view, again: true }], failed).failure).not.toBeNull();
});

test('ZC-31 an unmerge leaves the selection alone', () => {
  const asked: ZoomChange = { change: 'unmerge', course: 7, event: 9 };
  const off = after([
    { type: 'select', selected: new Set([1]) },
    { type: 'started', running: { job: 'j', asked } },
    ended({ state: 'failed', outcome: 'failed', result: null }),
  ]);
  expect([...off.selected]).toEqual([1]);
  expect(off.failure && failureTitle(off.failure)).toBe('The event could not be unmerged.');
});
