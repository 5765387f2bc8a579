import type { ImportRowMessage } from '@lms-admin/contract/imports';
import { expect, test } from 'vitest';
import { filesToCorrect, numberedRow } from '../../src/components/ImportProgress/row-messages.ts';

const row = (more: Partial<ImportRowMessage>): ImportRowMessage => ({
  file: null,
  row: 4,
  header: ['course_id', 'user_id', 'section_id', ''],
  cells: ['C1', '77', '', 'x'],
  messages: ['There is no person.', 'There is no person.', 'The status is wrong.'],
  fates: [],
  left_out: false,
  to_correct: true,
  ...more,
});

test('SIS-06 IMP-18 a row is shown beside its message: its cells are on one line, without empty ones', () => {
  expect(numberedRow(row({}), 3)).toEqual({
    key: 3,
    file: null,
    row: 4,
    cells: [
      ['course_id', 'C1'],
      ['user_id', '77'],
      ['section_id', ''],
      ['', 'x'],
    ],
    compact: 'course_id: C1 · user_id: 77 · x',
    text: 'There is no person. The status is wrong.',
    messages: ['There is no person.', 'There is no person.', 'The status is wrong.'],
    toCorrect: true,
  });
});

test("SIS-06 if an import was aborted, the state found for a row follows the LMS's message", () => {
  const { text, messages } = numberedRow(row({ messages: ['Said.'], fates: ['Applied: found.'] }), 0);
  expect({ text, messages }).toEqual({
    text: 'Said. Applied: found.',
    messages: ['Said.', 'Applied: found.'],
  });
});

test('SIS-06 a row that was not found keeps its message', () => {
  const unknown = numberedRow(row({ row: null, cells: null, header: null }), 0);
  expect(unknown).toMatchObject({ row: null, cells: null, compact: null });
  expect(unknown.text).not.toBe('');
});

test('SIS-06 each file of a zip that has rows to correct is listed once', () => {
  const rows = [
    row({ file: 'b.csv' }),
    row({ file: 'a.csv' }),
    row({ file: 'b.csv' }),
    row({ file: 'c.csv', cells: null }),
    row({ file: 'd.csv', to_correct: false }),
  ].map(numberedRow);
  expect(filesToCorrect(rows)).toEqual(['b.csv', 'a.csv']);
  expect(filesToCorrect([numberedRow(row({}), 0)])).toEqual([null]);
  expect(filesToCorrect([numberedRow(row({ to_correct: false }), 0)])).toEqual([]);
});
