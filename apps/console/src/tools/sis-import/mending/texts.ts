/** Texts of mending a file in place. Short, plain, without blame. */
import { counted } from '../../../components/Wizard/wizard-state.ts';

const n = (count: number) => count.toLocaleString('en-GB');
const rows = (count: number) => counted(count, 'row', 'rows');
const quoted = (value: string) => (value === '' ? 'nothing' : `“${value}”`);

export const texts = {
  label: 'Problems in the file',
  title: (wrong: number, all: number) =>
    wrong === 1 ? `1 of ${rows(all)} has a problem` : `${n(wrong)} of ${rows(all)} have a problem`,
  titleDone: 'Nothing is wrong any more',
  titleColumns: 'Say what the columns are',
  how: 'Correct it here: each correction is checked at once. Nothing has been sent to the LMS.',
  done: (all: number, out: number) =>
    `${rows(all)} are ready${out > 0 ? `, ${n(out)} left out` : ''}. “Continue” checks the file once more and shows what it will do.`,
  loading: 'Reading what is wrong',
  left: (wrong: number) =>
    wrong === 0 ? 'Nothing is wrong any more.' : `${rows(wrong)} left with a problem.`,
  blocked: 'First correct the file above.',
  finish: 'Continue',
  finishing: 'Checking the file …',
  save: 'Save as file',
  undo: 'Undo',
  undoOf: {
    columns: 'Undo: columns',
    cells: 'Undo: cells',
    replace: 'Undo: the same in all rows',
    join: 'Undo: blanks',
    'leave-out': 'Undo: rows left out',
  },
  conflict:
    'The file was corrected in another tab or window meanwhile. Your last correction was not made; this is the file as it is now.',
  failed: 'The correction could not be made.',
  groups: {
    label: 'Equal problems',
    rows: (count: number) => rows(count),
    first: (first: readonly number[], all: number) =>
      `${first.length === 1 && all === 1 ? 'Row' : 'Rows'} ${first.map(n).join(', ')}${all > first.length ? ' …' : ''}`,
    show: 'Show these rows',
    showOf: (column: string) => `Show these rows: ${column}`,
    all: 'Show all rows with problems',
    instead: (value: string, count: number) => `Instead of ${quoted(value)} in ${rows(count)}`,
    put: (count: number) => (count === 1 ? 'Put it there' : `Put in all ${n(count)} rows`),
    empty: (count: number) => (count === 1 ? 'Empty it there' : `Empty it in all ${n(count)} rows`),
    join: (count: number) =>
      count === 1 ? 'Take the blanks out' : `Take the blanks out in all ${n(count)} rows`,
    leaveOut: (count: number) => (count === 1 ? 'Leave this row out' : `Leave these ${n(count)} rows out`),
    more: (count: number) => `${n(count)} different values: correct them in the table below.`,
  },
  table: {
    row: 'Row',
    problem: 'What is wrong',
    mended: 'Corrected',
    out: 'Without it',
    leaveOut: 'Leave out',
    leaveOutOf: (row: number) => `Leave row ${n(row)} out`,
    cell: (column: string, row: number) => `${column}, row ${n(row)}`,
    unnamed: (place: number) => `Column ${n(place)}`,
    pasteLeft: ({ columns, lines }: { columns: number; lines: number }) =>
      [
        ...(columns > 0
          ? ['Only the first column of what you pasted was used. Paste one column at a time.']
          : []),
        ...(lines > 0
          ? [
              `${n(lines)} pasted ${lines === 1 ? 'line was' : 'lines were'} not used: there are no more cells.`,
            ]
          : []),
      ].join(' '),
    keys: 'Enter and the arrow keys go to the next marked cell, Escape takes back what you typed. A copied column of cells can be pasted.',
    listed: (listed: number, all: number) =>
      `The first ${n(listed)} of ${n(all)} rows with problems are listed; the others come up as these are corrected.`,
    page: (from: number, to: number, all: number) => `${n(from)}–${n(to)} of ${n(all)}`,
    next: 'Next rows',
    previous: 'Previous rows',
    empty: 'No rows with problems.',
  },
  columns: {
    how: 'The first line of the file is not the header of a SIS file. Below is what its columns probably are. Change what is wrong; nothing is used before you press the button.',
    howKnown:
      'The header of the file does not fit. Below is what its columns are taken for. Change what is wrong; nothing is used before you press the button.',
    kind: 'The file holds',
    sentAs: (header: string) => `${header} is`,
    none: 'not sent',
    missing: 'Columns that are missing',
    missingHow: 'Choose one of your columns for it above, or give every row the same value.',
    value: (name: string) => `${name} in all rows`,
    first: 'First rows',
    ignored: (names: readonly string[]) =>
      `${names.length === 1 ? 'This column is' : 'These columns are'} not sent: ${names.join(', ')}.`,
    twice: (name: string) => `Two columns are ${name}. Choose “not sent” for one of them.`,
    use: 'Use these columns',
    unnamed: (place: number) => `Column ${n(place)} (no name)`,
  },
} as const;
