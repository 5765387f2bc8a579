import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  COUNT_NAMES,
  IMPORT_STATES,
  importPhase,
  importProgress,
  isFinal,
  joinMessages,
  keepsPolling,
  START_PROGRESS,
} from '../src/import-states.ts';

describe('import states', () => {
  test.each([
    ['initializing', 'created', 40],
    ['created', 'created', 40],
    ['importing', 'importing', 70],
    ['cleanup_batch', 'importing', 70],
    ['restoring', 'importing', 70],
    ['imported', 'imported', 100],
    ['partially_restored', 'imported', 100],
    ['restored', 'imported', 100],
    ['imported_with_messages', 'imported_with_messages', 0],
    ['failed_with_messages', 'failed', 0],
    ['failed', 'failed', 0],
    ['aborted', 'failed', 0],
    ['restore_failed', 'failed', 0],
  ] as const)('IMP-09 to IMP-18, OP-35: %s is shown as %s at %i', (state, phase, progress) => {
    expect(importPhase(state)).toBe(phase);
    expect(importProgress('enrollment', state)).toBe(progress);
    expect(isFinal(state)).toBe(progress === 0 || progress === 100);
  });

  test('IMP-02: there are the fourteen counts and abstract courses, and every state is known', () => {
    expect(COUNT_NAMES).toHaveLength(15);
    expect(COUNT_NAMES.at(-1)).toBe('abstract_courses');
    for (const state of IMPORT_STATES) expect(importPhase(state)).not.toBeNull();
  });

  test('IMP-07, IMP-08, IMP-10, OP-38: the initial values, and those for groups, are as documented', () => {
    expect(START_PROGRESS).toEqual({ enrollment: 10, 'sis-import': 20, 'create-users': 10, group: 10 });
    expect(importProgress('group', 'created')).toBe(20);
    expect(importProgress('sis-import', 'created')).toBe(40);
  });

  test('property, OP-35: an unknown state keeps the display and is not final', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('toString', '__proto__', 'constructor')), (state) => {
        fc.pre(!(IMPORT_STATES as readonly string[]).includes(state));
        expect(importPhase(state)).toBeNull();
        expect(importProgress('enrollment', state)).toBeNull();
        expect(isFinal(state)).toBe(false);
      }),
    );
  });

  test('IMP-06: polling continues between 0 and 100 per cent as long as the import has an id', () => {
    expect([10, 40, 70].every((progress) => keepsPolling(progress, 'x'))).toBe(true);
    expect(keepsPolling(0, 'x') || keepsPolling(100, 'x') || keepsPolling(40, null)).toBe(false);
  });

  test('IMP-18, OP-37: the messages are joined, the first one first, and cut off if very long', () => {
    expect(
      joinMessages([
        ['a.csv', 'one'],
        [null, 'two'],
      ]),
    ).toBe('one - two');
    expect(joinMessages([])).toBe('');
    const long = joinMessages(Array.from({ length: 500 }, () => [null, 'a message of some length'] as const));
    expect(long.length).toBeLessThanOrEqual(2_001);
    expect(long.endsWith('…')).toBe(true);
  });
});
