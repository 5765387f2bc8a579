import type { SisImport } from '@lms-admin/contract/imports';
import { COUNT_NAMES, IMPORT_STATES, isFinal } from '@lms-admin/domain/import-states';
import { importVerdict } from '@lms-admin/domain/import-verdict';
import { describe, expect, test } from 'vitest';
import {
  endedOddly,
  headingOf,
  type ImportShown,
  importedCounts,
  importRules,
  joinedTexts,
  outcome,
  seenImport,
  startImport,
  titleOf,
  whatNext,
  whatWasApplied,
} from '../../src/components/ImportProgress/import-watch.ts';
import { texts } from '../../src/components/ImportProgress/texts.ts';
import { lostSight, nextPoll, startWatch, watch } from '../../src/components/Job/watch.ts';

const sis = (workflow_state: string, more: Partial<SisImport> = {}): SisImport => ({
  id: 'f9a6f3a0-2f5e-4a3e-9a57-0d2b8a1f6a01',
  canvas_id: 7,
  workflow_state,
  progress: 0,
  data: { counts: {} },
  processing_warnings: [],
  processing_errors: [],
  errors_attachment: null,
  attachment_pending: false,
  csv_attachments: [],
  tool: 'course-enrollment',
  label: 'Add 2 people',
  rows: 2,
  created_at: '2026-01-01T00:00:00Z',
  ended_at: null,
  final: isFinal(workflow_state),
  nothing_sent: false,
  can_undo: false,
  note: null,
  verdict: importVerdict({ state: workflow_state, rows: 2, counts: {}, leftOut: false }),
  applied: null,
  ...more,
});
const seen = (state: string, screen: ImportShown['screen'] = 'enrollment') =>
  seenImport(startImport(screen), sis(state));
const rules = importRules('enrollment');
/** Returns the state after polls that return these answers. */
const following = (...answers: SisImport[]) =>
  answers.reduce(
    (state, answer) => watch(rules, state, { type: 'seen', answer }),
    startWatch<ImportShown>(rules),
  );

test('an import that sent nothing is not a CSV error', () => {
  const errors: SisImport['processing_errors'] = [[null, 'Row 2 (Ann, G01) was skipped.']];
  const unsent = sis('failed', { canvas_id: null, rows: 0, nothing_sent: true, processing_errors: errors });
  expect([titleOf(unsent), whatNext(unsent, true)]).toEqual([
    'Nothing was sent',
    expect.stringContaining('start a new review'),
  ]);
  // The message itself says what to do.
  expect(whatNext({ ...unsent, rows: 2 }, true)).toBeNull();
  expect(titleOf(sis('failed', { processing_errors: errors }))).toBe('CSV error');
});

test('IMP-13 an import that had nothing to send does not claim that records were imported', () => {
  const done = sis('imported', { final: true, verdict: 'done' });
  const heading = (screen: ImportShown['screen'], one: SisImport) =>
    headingOf(seenImport(startImport(screen), one));
  const all = 'The import is complete and all records were successfully imported.';
  expect(heading('group', done)).toBe(all);
  for (const screen of ['group', 'sis-import', 'enrollment'] as const)
    expect(heading(screen, { ...done, canvas_id: null, rows: 0, nothing_sent: true })).toBe(
      'There was nothing to send',
    );
  expect(heading('group', { ...done, verdict: 'partly', nothing_sent: true })).toBe('Nothing was sent');
});

test('OP-35 an import that the LMS rejected as a whole is not a CSV error: its message says what to do', () => {
  const errors: SisImport['processing_errors'] = [[null, 'The LMS rejected the import: Forbidden. …']];
  const refused = sis('failed', { canvas_id: null, applied: 0, processing_errors: errors });
  expect([titleOf(refused), whatWasApplied(refused), whatNext(refused, true)]).toEqual([
    'No rows were applied',
    '',
    null,
  ]);
  // It is unknown whether the LMS received the import, and its message says what to do.
  const lost = { ...refused, applied: null };
  expect([titleOf(lost), whatNext(lost, true)]).toEqual(['The result is unknown', null]);
});

test('OP-35 after the LMS aborted an import of new people, the advice says that those already created would be rejected', () => {
  const stopped = sis('failed', { tool: 'create-users', rows: 6, applied: 3 });
  expect([whatWasApplied(stopped), whatNext(stopped, true)]).toEqual([
    'The import stopped after 3 of 6 rows had been applied. The list shows which rows.',
    expect.stringContaining('Submit only the others again'),
  ]);
  const unknown = whatNext({ ...stopped, applied: null }, true);
  expect(unknown).toContain('Search Users');
  expect(whatNext({ ...stopped, applied: null }, false)).not.toContain('Search Users');
  expect(unknown).not.toContain('You can submit all rows again');
});

describe('following an import', () => {
  test('IMP-07 IMP-08 OP-38 each screen has its documented initial state', () => {
    expect(startImport('enrollment')).toMatchObject({ message: 'Processing,Please wait..', progress: 10 });
    expect(startImport('sis-import').progress).toBe(20);
  });

  test.each([
    ['created', 'The request has been created.', 40],
    ['importing', 'The request is currently processing.', 70],
    ['imported', 'The request has completed successfully.', 100],
    ['imported_with_messages', 'CSV error', 0],
    ['failed_with_messages', 'CSV error', 0],
    ['initializing', 'The request has been created.', 40],
    ['cleanup_batch', 'The request is currently processing.', 70],
    ['aborted', 'CSV error', 0],
  ])('IMP-09 IMP-11 IMP-12 IMP-15 IMP-16 OP-35 %s', (state, message, progress) => {
    expect(seen(state)).toMatchObject({ message, progress });
  });

  test('IMP-10 IMP-12 IMP-13 OP-38 the other screens have their documented texts', () => {
    expect(seen('created', 'group')).toMatchObject({ message: 'The request has been created', progress: 20 });
    for (const screen of ['group', 'sis-import'] as const) {
      expect(seen('imported', screen).message).toBe(
        'The import is complete and all records were successfully imported.',
      );
    }
  });

  test('IMP-05 IMP-06 polls immediately, then every 2 seconds while it runs, and never after its end', () => {
    expect(nextPoll(rules, following())).toBe(0);
    for (const state of IMPORT_STATES) {
      expect(nextPoll(rules, following(sis(state)))).toBe(isFinal(state) ? null : 2_000);
    }
  });

  test('IMP-06 OP-36 a finished import is polled until everything about it is known, including whether it can be undone', () => {
    for (const state of ['imported', 'imported_with_messages', 'failed']) {
      const early = sis(state, { final: false });
      expect(nextPoll(rules, following(early))).toBe(2_000);
      const told = following(early, sis(state, { can_undo: true }));
      expect(nextPoll(rules, told)).toBeNull();
      expect(told.seen.import?.can_undo).toBe(true);
    }
  });

  test('IMP-18 after the end, polling is less frequent while the error attachment may still arrive', () => {
    const pending = sis('imported_with_messages', { attachment_pending: true });
    expect(nextPoll(rules, following(pending))).toBe(5_000);
    const there = { ...pending, attachment_pending: false, errors_attachment: { url: 'https://lms/e.csv' } };
    const state = following(pending, there);
    expect(nextPoll(rules, state)).toBeNull();
    expect(state.seen.import?.errors_attachment).toEqual({ url: 'https://lms/e.csv' });
  });

  test('IMP-22 OP-39 failed polls are silent at first; then the pauses grow, a hint appears, and polling stops', () => {
    let state = following(sis('importing'));
    const pauses: number[] = [];
    for (let pause = nextPoll(rules, state); pause !== null; pause = nextPoll(rules, state)) {
      pauses.push(pause);
      state = watch(rules, state, { type: 'missed' });
      expect(state.seen.message).toBe('The request is currently processing.');
      if (state.failures === 2) expect(lostSight(state)).toBe(false);
      if (state.failures === 3) expect(lostSight(state)).toBe(true);
    }
    expect(pauses.slice(0, 6)).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    expect(state.gaveUp).toBe(true);
    const minutes = pauses.reduce((sum, pause) => sum + pause, 0) / 60_000;
    expect(minutes).toBeGreaterThan(5);
    expect(minutes).toBeLessThan(15);
    expect(nextPoll(rules, watch(rules, state, { type: 'again' }))).toBe(0);
    const back = watch(rules, { ...state, failures: 5 }, { type: 'seen', answer: sis('importing') });
    expect(back.failures).toBe(0);
  });

  test('OP-39 an import that the server does not show to the person is not polled again automatically', () => {
    const error = new Error('not here');
    const refused = watch(rules, following(), { type: 'refused', error });
    expect(refused).toMatchObject({ gaveUp: true, refusal: error });
    expect(lostSight(refused)).toBe(true);
    expect(nextPoll(rules, refused)).toBeNull();
  });

  test('OP-35 an unknown state keeps the last message; when it is final, polling stops', () => {
    const odd = following(sis('importing'), sis('pondering'));
    expect(odd.seen).toMatchObject({ message: 'The request is currently processing.', progress: 70 });
    expect(nextPoll(rules, odd)).toBe(2_000);
    expect(endedOddly(odd.seen)).toBe(false);
    const end = following(sis('importing'), sis('pondering', { final: true }));
    expect(nextPoll(rules, end)).toBeNull();
    expect(endedOddly(end.seen)).toBe(true);
  });

  test('OP-36 how the import ended', () => {
    expect(outcome(startImport('enrollment'))).toBe('running');
    expect(outcome(seen('importing'))).toBe('running');
    expect(outcome(seen('imported'))).toBe('done');
    expect(outcome(seen('imported_with_messages'))).toBe('partly');
    expect(outcome(seen('failed'))).toBe('failed');
  });

  test('IMP-18 OP-37 joins messages, with the first error first', () => {
    const one = sis('failed_with_messages', {
      processing_errors: [
        ['a.csv', 'first'],
        [null, 'second'],
      ],
      processing_warnings: [['a.csv', 'third']],
    });
    expect(joinedTexts(one)).toBe('first - second - third');
  });

  test('IMP-02 IMP-14 the counts that exist, in the documented order', () => {
    const one = sis('imported', {
      data: { counts: { enrollments: 36, users: 2, error_count: 0, courses: 0 } },
    });
    expect(importedCounts(one, COUNT_NAMES)).toEqual([
      ['users', 2],
      ['enrollments', 36],
    ]);
  });
});

describe('OP-36 the texts about an import with messages', () => {
  test('the figures of the import are correct, even if the LMS counts rows that have messages', () => {
    expect(texts.partly(64, 78)).toBe('64 of 78 rows were applied. The others were not.');
    expect(texts.partly(2, 2)).toBe('The LMS applied all 2 rows and returned messages about some of them.');
    expect(texts.failed(0, 1)).toBe('The import stopped. The row was not applied.');
    const said = (state: string, more: Partial<SisImport>) => whatWasApplied(sis(state, more));
    expect(said('failed', {})).toBe(
      'The import stopped. It is not known how many of the 2 rows were applied.',
    );
    expect(said('aborted', { applied: 1, data: { counts: { rows_unknown: 1 } } })).toBe(
      'The import stopped after 1 of 2 rows had been applied. The list shows which rows. The result of 1 row is unknown.',
    );
    const next = (more: Partial<SisImport>) => whatNext(sis('aborted', more), true);
    expect(next({ canvas_id: 5, applied: 0 })).toMatch(/^Submit the rows again\./);
    expect(next({ canvas_id: 5, applied: 1 })).toMatch(/^The applied rows stay in place\./);
    expect(said('failed', { canvas_id: null })).toBe('');
    expect(said('imported', { verdict: 'partly', applied: 2 })).toMatch(
      /^All 2 rows that were sent were applied\. Differences/,
    );
    expect(said('imported_with_messages', { verdict: 'failed', applied: 0 })).toBe(
      'None of the 2 rows were applied.',
    );
  });
});
