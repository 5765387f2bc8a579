import { MAX_NEW_USERS } from '@lms-admin/domain/constants';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WizardAction } from '../../src/components/Wizard/wizard-reducer.ts';
import {
  type CreateUsersAction,
  type CreateUsersState,
  createUsersReducer,
  createUsersShape,
  EMPTY,
} from '../../src/tools/create-users/create-users-state.ts';
import { texts } from '../../src/tools/create-users/texts.ts';

type Action = CreateUsersAction | WizardAction;
const run = (actions: readonly Action[], from: CreateUsersState = EMPTY) =>
  actions.reduce(createUsersReducer, from);
const ann = { psID: '1', email: 'ann@school.example', firstName: 'Ann', lastName: 'Lee' };
const bea = { psID: '2', email: 'bea@school.example', firstName: 'Bea', lastName: 'Moe' };
const filled = run([{ type: 'paste', id: 1, rows: [ann, bea] }]);
const psIDs = (state: CreateUsersState) => state.rows.map((row) => row.psID);

describe('rows', () => {
  test('CU-05: rows are added at the end; the last row can be removed, but never the only one', () => {
    const three = run([{ type: 'add' }, { type: 'add' }]);
    expect(three.rows).toHaveLength(3);
    expect(new Set(three.rows.map((row) => row.id)).size).toBe(3);
    const left = run([{ type: 'remove-last' }, { type: 'remove-last' }, { type: 'remove-last' }], three);
    expect(left.rows).toEqual(EMPTY.rows);
  });

  test('CU-11, CU-18: a field keeps the typed text, and holds the value to send once focus leaves it', () => {
    const typed = run([{ type: 'field', id: 1, field: 'email', value: ' Ann@SCHOOL.example ' }]);
    expect(typed.rows[0]?.email).toBe(' Ann@SCHOOL.example ');
    const left = run([{ type: 'left', id: 1, field: 'email' }], typed);
    expect(left.rows[0]?.email).toBe('ann@school.example');
    expect(run([{ type: 'left', id: 1, field: 'email' }], left)).toBe(left);
  });

  test('CU-03: a paste fills rows from the current one on and adds more; undo reverses it until the next change', () => {
    expect(psIDs(filled)).toEqual(['1', '2']);
    const more = run(
      [{ type: 'paste', id: filled.rows[1]?.id ?? 0, rows: [{ lastName: 'New' }, ann] }],
      filled,
    );
    expect(more.rows.map((row) => row.lastName)).toEqual(['Lee', 'New', 'Lee']);
    expect(more.rows[1]?.psID).toBe('2');
    expect(run([{ type: 'undo' }], more).rows).toEqual(filled.rows);
    const edited = run([{ type: 'field', id: 1, field: 'psID', value: '9' }, { type: 'undo' }], more);
    expect(edited.rows[0]?.psID).toBe('9');
  });

  test('clearing and excluding rows can be undone, and always leave one row to type in', () => {
    const cleared = run([{ type: 'clear' }], filled);
    expect(psIDs(cleared)).toEqual(['']);
    expect(run([{ type: 'undo' }], cleared).rows).toEqual(filled.rows);
    const ids = filled.rows.map((row) => row.id);
    expect(psIDs(run([{ type: 'leave-out', ids: ids.slice(0, 1) }], filled))).toEqual(['2']);
    expect(psIDs(run([{ type: 'leave-out', ids }], filled))).toEqual(['']);
  });

  test('there are never more rows than allowed', () => {
    const many = Array.from({ length: MAX_NEW_USERS + 5 }, () => ann);
    const full = run([{ type: 'paste', id: 1, rows: many }, { type: 'add' }]);
    expect(full.rows).toHaveLength(MAX_NEW_USERS);
  });
});

describe('steps', () => {
  test('CU-02, SHELL-31: two steps, then the progress view, after which nothing can be changed', () => {
    const review = run([{ type: 'next' }, { type: 'next' }], filled);
    expect(review.wizard).toEqual({ step: 1, view: 'steps' });
    expect(run([{ type: 'back' }], review).wizard.step).toBe(0);
    // Submitting works only from the review, and only once.
    expect(run([{ type: 'submit', key: 'too-early' }], filled)).toBe(filled);
    const sent = run([{ type: 'submit', key: 'key-0001' }], review);
    expect(sent.wizard.view).toBe('progress');
    expect(sent.submission.key).toBe('key-0001');
    const after = run(
      [
        { type: 'submit', key: 'key-0002' },
        { type: 'back' },
        { type: 'clear' },
        { type: 'field', id: 1, field: 'psID', value: '9' },
        { type: 'undo' },
      ],
      sent,
    );
    expect(after).toEqual(sent);
  });

  test('IMP-19: after a rejection the form opens again, with a new key; never after the import was sent', () => {
    const sent = run([{ type: 'next' }, { type: 'submit', key: 'key-0001' }], filled);
    const refused = run([{ type: 'not-sent' }], sent);
    expect(refused).toMatchObject({ wizard: { step: 0, view: 'steps' }, submission: { key: null } });
    const made = run([{ type: 'submitted', import: 'an-import' }, { type: 'not-sent' }], sent);
    expect(made.wizard.view).toBe('progress');
  });

  test('CU-10: the people who were not created are put back into the form', () => {
    const sent = run([{ type: 'next' }, { type: 'submit', key: 'key-0001' }], filled);
    const again = run([{ type: 'correct', ids: [filled.rows[1]?.id ?? 0] }], sent);
    expect(psIDs(again)).toEqual(['2']);
    expect(again).toMatchObject({ wizard: EMPTY.wizard, submission: EMPTY.submission });
  });
});

describe('addresses passed on by another tool', () => {
  const emails = ['New@School.example', 'ann@school.example'];

  test('CE-16: become rows of a new form', () => {
    const taken = run([{ type: 'take-over', emails }]);
    expect(taken.rows.map((row) => row.email)).toEqual(['new@school.example', 'ann@school.example']);
  });

  test('leave existing rows in place, and no one appears twice', () => {
    const taken = run([{ type: 'take-over', emails }], filled);
    expect(taken.rows.map((row) => row.email)).toEqual([ann.email, bea.email, 'new@school.example']);
    expect(new Set(taken.rows.map((row) => row.id)).size).toBe(3);
  });

  test('replace a submission on screen', () => {
    const sent = run([{ type: 'next' }, { type: 'submit', key: 'key-0001' }], filled);
    const taken = run([{ type: 'take-over', emails }], sent);
    expect(taken.wizard).toEqual(EMPTY.wizard);
    expect(taken.rows).toHaveLength(2);
  });
});

test('property: after any actions, the state can be stored and read again', () => {
  const id = fc.integer({ min: 0, max: 4 });
  const action: fc.Arbitrary<Action> = fc.oneof(
    fc.record({
      type: fc.constant('field' as const),
      id,
      field: fc.constantFrom('psID' as const, 'email' as const),
      value: fc.string(),
    }),
    fc.record({ type: fc.constant('paste' as const), id, rows: fc.array(fc.constantFrom(ann, bea, {})) }),
    fc.record({ type: fc.constant('leave-out' as const), ids: fc.array(id) }),
    fc.record({ type: fc.constant('correct' as const), ids: fc.array(id) }),
    fc.record({ type: fc.constant('take-over' as const), emails: fc.array(fc.string()) }),
    fc.constantFrom<Action>(
      { type: 'add' },
      { type: 'remove-last' },
      { type: 'clear' },
      { type: 'undo' },
      { type: 'next' },
      { type: 'back' },
      { type: 'submit', key: 'key-0001' },
      { type: 'not-sent' },
    ),
  );
  fc.assert(
    fc.property(fc.array(action), (actions) => {
      const state = run(actions);
      for (const part of Object.keys(createUsersShape) as (keyof CreateUsersState)[])
        expect(createUsersShape[part].parse(JSON.parse(JSON.stringify(state[part])))).toEqual(state[part]);
      expect(new Set(state.rows.map((row) => row.id)).size).toBe(state.rows.length);
    }),
  );
});

test.each([
  [2, 0, '2 of 4 people created.'],
  [2, 1, '2 of 4 people created. The result of 1 person is unknown.'],
  [0, 4, 'It is unknown how many people were created.'],
])('CU-17 a summary says how many people have an unknown result', (created, unknown, words) => {
  expect(texts.result.sum(created, 4, unknown)).toBe(words);
});
