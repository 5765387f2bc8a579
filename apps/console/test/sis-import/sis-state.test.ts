import { describe, expect, test } from 'vitest';
import type { WizardAction } from '../../src/components/Wizard/wizard-reducer.ts';
import {
  type ChosenFile,
  EMPTY,
  FIELDS,
  fileMissing,
  type SisAction,
  type SisState,
  STEPS,
  sisReducer,
  typedNumber,
} from '../../src/tools/sis-import/sis-state.ts';

const ID = '2b1f6c1e-7a51-4c36-9f43-4d1f27a1f001';
const OTHER = '2b1f6c1e-7a51-4c36-9f43-4d1f27a1f002';
const file: ChosenFile = {
  name: 'people.csv',
  size: 120,
  kind: 'user',
  zip: false,
  problem: null,
  unmatched: null,
  missing: [],
};
const run = (state: SisState, ...actions: (SisAction | WizardAction)[]) => actions.reduce(sisReducer, state);
const next: WizardAction = { type: 'next' };
const atReview = run(EMPTY, next, { type: 'file', file }, next, { type: 'prepared', id: ID });

describe('SIS Import', () => {
  test('SIS-02 SHELL-32 has three steps', () => expect(STEPS).toBe(3));

  test('SIS-03 SIS-05 OP-54 step 1 requires a file that can be used', () => {
    const step1 = run(EMPTY, next);
    expect(fileMissing(step1)).toEqual({ message: 'Please Select a CSV File.', field: FIELDS.file });
    const bad = run(step1, { type: 'file', file: { ...file, problem: 'It is empty.' } });
    expect(fileMissing(bad)).toEqual({ message: 'It is empty.', field: FIELDS.file });
    expect(fileMissing(run(step1, { type: 'file', file }))).toBeNull();
  });

  test('SIS-06 selecting another file, or none, discards the uploaded one and the typed number', () => {
    const typed = run(atReview, { type: 'typed', text: '61' });
    expect(typed).toMatchObject({ prepared: ID, typed: '61' });
    for (const other of [{ ...file, name: 'other.csv' }, null]) {
      expect(run(typed, { type: 'file', file: other })).toMatchObject({
        file: other,
        prepared: null,
        typed: '',
      });
    }
  });

  test('SIS-08 an upload that ends after its file was removed is ignored', () => {
    const taken = run(atReview, { type: 'file', file: null });
    expect(run(taken, { type: 'prepared', id: OTHER })).toBe(taken);
  });

  test('SIS-09 after a file was lost, one has to be selected again; its name is remembered', () => {
    const chosen = run(EMPTY, next, { type: 'file', file }, next);
    expect(run(chosen, { type: 'lost', why: 'reloaded' })).toMatchObject({
      wizard: { step: 1, view: 'steps' },
      file: null,
      prepared: null,
      lost: { name: 'people.csv', why: 'reloaded' },
    });
    const first = run(chosen, { type: 'back' }, { type: 'back' }, { type: 'lost', why: 'reloaded' });
    expect(first.wizard.step).toBe(0);
    // Selecting a file again clears the notice.
    expect(run(first, { type: 'file', file }).lost).toBeNull();
    expect(run(EMPTY, { type: 'lost', why: 'expired' })).toBe(EMPTY);
  });

  test('OP-42 a file is submitted once, and only while it is displayed', () => {
    const sent = run(atReview, { type: 'submit', key: ID });
    expect(sent).toMatchObject({ wizard: { view: 'progress' }, submission: { key: ID, import: null } });
    expect(run(sent, { type: 'submit', key: ID })).toBe(sent);
    expect(run(atReview, { type: 'submit', key: OTHER })).toBe(atReview);
    // A confirmed file cannot be changed while it is being sent.
    expect(run(sent, { type: 'file', file: null })).toBe(sent);
    expect(run(sent, { type: 'lost', why: 'expired' })).toBe(sent);
    expect(run(sent, { type: 'prepared', id: OTHER })).toBe(sent);
  });

  test('SHELL-31 going back from the progress view is possible only if nothing was sent', () => {
    const sent = run(atReview, { type: 'submit', key: ID });
    expect(run(sent, { type: 'back' }).wizard.view).toBe('progress');
    // The check is out of date: the file is uploaded again, or has to be selected again.
    expect(run(sent, { type: 'refused', held: true })).toMatchObject({
      wizard: { step: 2, view: 'steps' },
      file,
      prepared: null,
      submission: { key: null },
    });
    expect(run(sent, { type: 'refused', held: false })).toMatchObject({
      wizard: { step: 1, view: 'steps' },
      file: null,
      lost: { name: 'people.csv', why: 'refused' },
      submission: { key: null },
    });
    const known = run(sent, { type: 'submitted', import: 'i1' }, { type: 'logged', what: 'created' });
    expect(known.submission).toEqual({ key: ID, import: 'i1', logged: ['created'] });
    expect(run(known, { type: 'refused', held: true })).toBe(known);
  });

  test('OP-53 the typed number can contain thousands separators, but otherwise only digits', () => {
    expect(['61', ' 61 ', '1,234', '1 234', '1.234', '1’234'].map(typedNumber)).toEqual([
      61, 61, 1234, 1234, 1234, 1234,
    ]);
    for (const text of ['', 'x', '6x', '-61', '6e1', '9'.repeat(16)]) expect(typedNumber(text)).toBeNull();
  });

  test('SIS-05 a rejected file is corrected: it is kept if a review is rejected, and forgotten once another file is selected', () => {
    const uploading = run(EMPTY, next, { type: 'file', file }, next);
    const corrections = run(uploading, { type: 'draft', id: ID });
    expect(corrections).toMatchObject({ draft: ID, prepared: null });
    const checked = run(corrections, { type: 'prepared', id: OTHER });
    expect(checked).toMatchObject({ draft: ID, prepared: OTHER });
    expect(run(checked, { type: 'file', file })).toMatchObject({ draft: null, prepared: null });
    expect(run(corrections, { type: 'lost', why: 'expired' })).toMatchObject({ draft: null, file: null });
    expect(run(EMPTY, { type: 'draft', id: ID })).toEqual(EMPTY);
  });

  test('SIS-05 a draft that was left continues with the corrections, whatever was selected before', () => {
    const draft = { id: OTHER, name: 'left.csv', kind: 'user' as const, import: null };
    for (const before of [EMPTY, run(EMPTY, next, { type: 'file', file }), atReview])
      expect(run(before, { type: 'continue', draft })).toMatchObject({
        wizard: { step: STEPS - 1, view: 'steps' },
        file: { name: 'left.csv', size: null, kind: 'user' },
        draft: OTHER,
        former: null,
        prepared: null,
      });
    const sent = run(atReview, { type: 'submit', key: ID });
    expect(run(sent, { type: 'continue', draft })).toBe(sent);
    // A finished import that applied no rows links back to its draft.
    const running = run(sent, { type: 'submitted', import: ID });
    expect(run(running, { type: 'continue', draft })).toBe(running);
    const again = { submission: { import: null }, draft: OTHER, prepared: null };
    expect(run(running, { type: 'continue', draft: { ...draft, import: ID } })).toMatchObject(again);
    const ended = run(running, { type: 'logged', what: 'ended' });
    expect(run(ended, { type: 'continue', draft })).toMatchObject(again);
  });
});
