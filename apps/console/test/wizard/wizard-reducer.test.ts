import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  NEW_WIZARD,
  type WizardAction,
  type WizardParts,
  wizardReducer,
  wizardShape,
} from '../../src/components/Wizard/wizard-reducer.ts';
import { unbroken } from '../../src/components/Wizard/wizard-state.ts';

const STEPS = 3;
const run = (state: WizardParts, ...actions: WizardAction[]) =>
  actions.reduce((now, action) => wizardReducer(now, action, STEPS), state);
const next: WizardAction = { type: 'next' };
const back: WizardAction = { type: 'back' };
const atReview = run(NEW_WIZARD, next, next, { type: 'prepared', id: 'plan' });
const sent = run(atReview, { type: 'submit', key: 'plan' });

describe('Wizard', () => {
  test('SHELL-31 SHELL-32 goes step by step, back and forward; only submitting leaves the last step', () => {
    expect(run(NEW_WIZARD, next).wizard).toEqual({ step: 1, view: 'steps' });
    expect(run(NEW_WIZARD, next, next, next).wizard).toEqual({ step: 2, view: 'steps' });
    expect(run(NEW_WIZARD, next, back)).toEqual(NEW_WIZARD);
    expect(run(NEW_WIZARD, back)).toBe(NEW_WIZARD);
  });

  test('SHELL-31 the progress view follows the last step, and Back is not possible there', () => {
    expect(sent.wizard).toEqual({ step: 2, view: 'progress' });
    for (const action of [next, back, { type: 'prepare-again' }, { type: 'prepared', id: 'other' }] as const)
      expect(run(sent, action)).toBe(sent);
  });

  test('CE-22 a preparation keeps its key until it is ready or discarded', () => {
    const working = run(NEW_WIZARD, next, next, { type: 'preparing', key: 'k1' });
    expect(working).toMatchObject({ prepared: null, preparing: 'k1' });
    expect(run(working, back, next).preparing).toBe('k1');
    expect(run(working, { type: 'preparing', key: 'k2' }).preparing).toBe('k2');
    expect(run(working, { type: 'prepared', id: 'plan' })).toEqual(atReview);
    expect(run(working, { type: 'prepare-again' })).toMatchObject({ prepared: null, preparing: null });
    expect(run(atReview, { type: 'preparing', key: 'k3' })).toMatchObject({
      prepared: null,
      preparing: 'k3',
    });
    expect(run(sent, { type: 'preparing', key: 'k4' })).toBe(sent);
  });

  test('OP-42 only the prepared plan can be sent, from the last step, and only once', () => {
    expect(sent.submission).toEqual({ key: 'plan', import: null, logged: [] });
    expect(run(sent, { type: 'submit', key: 'plan' })).toBe(sent);
    expect(run(atReview, { type: 'submit', key: 'other' })).toBe(atReview);
    const again = run(atReview, { type: 'prepare-again' });
    expect(run(again, { type: 'submit', key: 'plan' })).toBe(again);
    const earlier = run(atReview, back);
    expect(run(earlier, { type: 'submit', key: 'plan' })).toBe(earlier);
  });

  test('AUTH-21 OP-42 an expired session returns to the last step, which keeps the key', () => {
    const over = run(sent, { type: 'signed-out' });
    expect(over.wizard).toEqual(atReview.wizard);
    expect(over.submission).toEqual({ key: 'plan', import: null, logged: [] });
    const followed = run(sent, { type: 'submitted', import: 'i1' });
    expect(run(followed, { type: 'signed-out' })).toBe(followed);
  });

  test('OP-42 a review that was submitted in another tab leads to its import', () => {
    const followed = run(atReview, { type: 'follow', key: 'plan', import: 'i1' });
    expect(followed.wizard.view).toBe('progress');
    expect(followed.submission).toEqual({ key: 'plan', import: 'i1', logged: [] });
    expect(run(atReview, { type: 'follow', key: 'other', import: 'i1' })).toBe(atReview);
  });

  test('IMP-19 a rejection opens the last step again, but never if an import was created after all', () => {
    expect(run(sent, { type: 'not-sent' })).toEqual(atReview);
    const known = run(sent, { type: 'submitted', import: 'i1' });
    expect(run(known, { type: 'not-sent' })).toBe(known);
  });

  test('OP-41 logged events are remembered', () => {
    const logged = run(
      sent,
      { type: 'submitted', import: 'i1' },
      { type: 'logged', what: 'created' },
      { type: 'logged', what: 'ended' },
    );
    expect(logged.submission).toEqual({ key: 'plan', import: 'i1', logged: ['created', 'ended'] });
  });

  test('property: after any actions, the state can be stored and read again', () => {
    const key = fc.constantFrom('a', 'b');
    const action: fc.Arbitrary<WizardAction> = fc.oneof(
      fc.constantFrom<WizardAction>(next, back, { type: 'prepare-again' }, { type: 'not-sent' }),
      key.map((one): WizardAction => ({ type: 'preparing', key: one })),
      key.map((id): WizardAction => ({ type: 'prepared', id })),
      key.map((one): WizardAction => ({ type: 'submit', key: one })),
      key.map((one): WizardAction => ({ type: 'follow', key: one, import: one })),
    );
    const shape = wizardShape(STEPS);
    fc.assert(
      fc.property(fc.array(action), (actions) => {
        const state = run(NEW_WIZARD, ...actions);
        for (const part of Object.keys(shape) as (keyof WizardParts)[])
          expect(shape[part].parse(JSON.parse(JSON.stringify(state[part])))).toEqual(state[part]);
        // The steps have no submission; the progress view has one.
        expect(state.submission.key === null).toBe(state.wizard.view === 'steps');
      }),
    );
  });
});

describe('the summary in the action bar', () => {
  test('breaks only between its parts, unless a name is long', () => {
    expect(unbroken('3 courses · 12 people')).toBe('3\u00a0courses · 12\u00a0people');
    const name = `${'long '.repeat(8)}name.csv`;
    expect(unbroken(`${name} · 2 rows`)).toBe(`${name} · 2\u00a0rows`);
  });
});
