import { describe, expect, test } from 'vitest';
import type { WizardAction } from '../../src/components/Wizard/wizard-reducer.ts';
import { meanwhile, queueChange } from '../../src/tools/zoom-run/queue-change.ts';
import {
  EMPTY,
  type RunAction,
  type RunState,
  runReducer,
  runShape,
} from '../../src/tools/zoom-run/run-state.ts';

const run = (...actions: (RunAction | WizardAction)[]): RunState => actions.reduce(runReducer, EMPTY);
const chips = (...entries: string[]): RunAction => ({ type: 'chips', chips: { chips: entries, text: '' } });
const NEWEST_AT = '2026-11-24T08:00:00.000Z';
const read = (...courses: number[]): RunAction => ({ type: 'read', courses, newestAt: NEWEST_AT });
const remove = (course: number, on = true): RunAction => ({ type: 'remove', course, on });
const submit: WizardAction = { type: 'submit', key: 'k' };

describe('what is entered in Zoom Event Run', () => {
  test('ZR-04 ZR-08 start with a single run of 30 days', () => {
    expect(EMPTY).toMatchObject({ mode: 'once', days: 30, read: null });
    expect(run({ type: 'days', days: 90 }, { type: 'mode', mode: 'queue' })).toMatchObject({
      mode: 'queue',
      days: 90,
    });
    expect(runShape.days.safeParse(45).success).toBe(false);
  });

  test('ZR-10 a course is removed, then kept after all, or someone else has already removed it', () => {
    expect(run(read(1, 2), remove(1), remove(2), remove(1, false)).removed).toEqual([2]);
    expect(run(read(1, 2), remove(1), remove(2), read(2, 3)).removed).toEqual([2]);
  });

  test('ZR-06 entries cannot be changed once submitted', () => {
    const sent = run({ type: 'course', text: '42' }, { type: 'next' }, submit);
    expect(sent.wizard.view).toBe('progress');
    expect(sent.submission.key).toBe('k');
    for (const action of [
      { type: 'course', text: '43' } as const,
      { type: 'days', days: 60 } as const,
      { type: 'mode', mode: 'queue' } as const,
      chips('7'),
      read(1),
      remove(1),
    ])
      expect(runReducer(sent, action)).toBe(sent);
    expect(runReducer(sent, { type: 'not-sent' }).wizard).toEqual({ step: 1, view: 'steps' });
  });
});

describe('OP-62 the change to the queue', () => {
  test('ZR-09 ZR-16 lists courses as added, known, not possible or removed; the new list is based on the one that was read', () => {
    const state = run(
      read(1, 2, 3),
      remove(2),
      remove(9),
      chips('4', '3', '0', '0042', '1234567890123456789'),
    );
    expect(queueChange(state)).toEqual({
      added: [4, 42],
      known: [3],
      impossible: ['0', '1234567890123456789'],
      removed: [2],
      wanted: [1, 3, 4, 42],
      read: [1, 2, 3],
      newestAt: NEWEST_AT,
    });
  });

  test('OP-62 distinguishes one’s own changes from those that others made between reading and saving', () => {
    const change = queueChange(run(read(1, 2), remove(2), chips('4')));
    const queue = (...ids: number[]) =>
      ids.map((id) => ({ id, days: id === 1 ? (90 as const) : (30 as const) }));
    expect(meanwhile(change, 30, queue(4, 1))).toEqual({ added: [], removed: [], otherDays: [] });
    expect(meanwhile(change, 30, queue(4, 7))).toEqual({ added: [7], removed: [1], otherDays: [] });
    expect(meanwhile(change, 60, queue(4, 1)).otherDays).toEqual([{ id: 4, days: 30 }]);
  });
});
