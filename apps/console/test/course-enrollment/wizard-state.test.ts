import { describe, expect, test } from 'vitest';
import {
  counted,
  FIRST_STEP,
  moveWizard,
  type WizardAction,
} from '../../src/components/Wizard/wizard-state.ts';

const walk = (...actions: WizardAction[]) =>
  actions.reduce((state, action) => moveWizard(state, action, 3), FIRST_STEP);

describe('Wizard', () => {
  test('SHELL-31 SHELL-32 goes step by step, back and on, over three steps', () => {
    expect(walk({ type: 'next' })).toEqual({ step: 1, view: 'steps' });
    expect(walk({ type: 'next' }, { type: 'next' })).toEqual({ step: 2, view: 'steps' });
    expect(walk({ type: 'next' }, { type: 'back' })).toEqual(FIRST_STEP);
    expect(walk({ type: 'back' })).toEqual(FIRST_STEP);
  });

  test('SHELL-31 the progress view follows the last step and cannot be left backwards', () => {
    const progress = walk({ type: 'next' }, { type: 'next' }, { type: 'next' });
    expect(progress).toEqual({ step: 2, view: 'progress' });
    expect(moveWizard(progress, { type: 'back' }, 3)).toBe(progress);
    expect(moveWizard(progress, { type: 'next' }, 3)).toBe(progress);
    expect(moveWizard(progress, { type: 'go', step: 0 }, 3)).toBe(progress);
    expect(moveWizard(progress, { type: 'reopen' }, 3)).toEqual({ step: 2, view: 'steps' });
  });

  test('a jump goes back only', () => {
    const review = walk({ type: 'next' }, { type: 'next' });
    expect(moveWizard(review, { type: 'go', step: 1 }, 3).step).toBe(1);
    expect(moveWizard(FIRST_STEP, { type: 'go', step: 2 }, 3)).toBe(FIRST_STEP);
    expect(moveWizard(review, { type: 'go', step: -1 }, 3)).toBe(review);
  });

  test('counts carry their word and grouped thousands', () => {
    expect(counted(1, 'course', 'courses')).toBe('1 course');
    expect(counted(0, 'person', 'people')).toBe('0 people');
    expect(counted(200_000, 'change', 'changes')).toBe('200,000 changes');
  });
});
