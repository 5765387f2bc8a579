import type { ImportRowMessage } from '@lms-admin/contract/imports';
import { expect, test } from 'vitest';
import { filesOf, numberedRow } from '../../src/components/ImportProgress/row-messages.ts';

const row = (more: Partial<ImportRowMessage>): ImportRowMessage => ({
  file: null,
  row: 4,
  header: ['course_id', 'user_id', 'section_id', ''],
  cells: ['C1', '77', '', 'x'],
  messages: ['There is no person.', 'There is no person.', 'The status is wrong.'],
  left_out: false,
  ...more,
});

test('SIS-06 IMP-18 a row stands beside what was said about it: its cells in one line, empty ones left out', () => {
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
    said: 'There is no person. The status is wrong.',
    messages: ['There is no person.', 'There is no person.', 'The status is wrong.'],
  });
});

test('SIS-06 a row that is not known keeps its message', () => {
  const unknown = numberedRow(row({ row: null, cells: null, header: null }), 0);
  expect(unknown).toMatchObject({ row: null, cells: null, compact: null });
  expect(unknown.said).not.toBe('');
});

test('SIS-06 the files of a zip with rows to correct, each once', () => {
  const rows = [
    row({ file: 'b.csv' }),
    row({ file: 'a.csv' }),
    row({ file: 'b.csv' }),
    row({ file: 'c.csv', cells: null }),
  ].map(numberedRow);
  expect(filesOf(rows)).toEqual(['b.csv', 'a.csv']);
  expect(filesOf([numberedRow(row({}), 0)])).toEqual([]);
});
