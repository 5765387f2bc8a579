/** Texts for correcting a file in place. */

import { DRAFT_PAGE_ROWS, MAX_DRAFTS, type SisDraft } from '@lms-admin/contract/sis-drafts';
import { grouped } from '@lms-admin/domain/numbers';
import { counted } from '../../../components/Wizard/wizard-state.ts';

const rows = (count: number) => counted(count, 'row', 'rows');

type Left = Pick<SisDraft, 'rows' | 'wrong' | 'beside'>;

/**
 * Describes the rows outside the opened ones that have a problem according to the comparison with the LMS, and their
 * files.
 */
const besideTexts = ({ fails, unknown }: Left['beside']): string[] => [
  ...(fails > 0
    ? [
        `The LMS will reject ${fails === 1 ? '1 other row' : `${grouped(fails)} other rows`}. “Correct these rows” in the review opens ${fails === 1 ? 'it' : 'them'}.`,
      ]
    : []),
  ...(unknown > 0
    ? [
        `${unknown === 1 ? '1 other row names' : `${grouped(unknown)} other rows name`} an ID that the LMS does not have. “Correct these IDs” in the review opens ${unknown === 1 ? 'it' : 'them'}.`,
      ]
    : []),
];

export const texts = {
  label: 'Problems in the file',
  warnings: 'Check this before you submit',
  corrected: {
    label: 'Corrected rows',
    title: (count: number) => (count === 1 ? 'Corrected row' : `Corrected rows: ${grouped(count)}`),
    how: 'You can change these cells again until you submit the file.',
    show: (count: number) => `Show ${count === 1 ? '1 corrected row' : `${grouped(count)} corrected rows`}`,
    back: 'Show the rows with problems',
  },
  title: (wrong: number, all: number) =>
    wrong === 1 ? `1 of ${rows(all)} has a problem` : `${grouped(wrong)} of ${rows(all)} have a problem`,
  titleDone: 'No problems left',
  titleEmpty: 'All rows are skipped',
  empty: 'No rows are left to send. Select “Undo” to restore the rows that you skipped last.',
  titleColumns: 'Match the columns of your file',
  how: 'Correct the file here. Each correction is checked immediately. Nothing has been sent to the LMS.',
  done: (all: number, out: number) =>
    `${rows(all)} ${all === 1 ? 'is' : 'are'} ready${out > 0 ? `, ${grouped(out)} skipped` : ''}. “Continue” checks the file again and shows its changes.`,
  loading: 'Loading the problems',
  left: ({ rows: all, wrong, beside }: Left) =>
    all === 0
      ? 'All rows are skipped.'
      : wrong > 0
        ? `${rows(wrong)} still ${wrong === 1 ? 'has' : 'have'} a problem.`
        : besideTexts(beside).length === 0
          ? 'No problems left.'
          : ['These rows have no problems left.', ...besideTexts(beside)].join(' '),
  titleBeside: 'These rows are corrected, but others still have a problem',
  beside: besideTexts,
  blocked: 'Correct the file above, then select “Continue” there.',
  finish: 'Continue',
  finishing: 'Checking the file …',
  save: 'Save as file',
  undo: 'Undo',
  undoOf: {
    columns: 'Undo: columns',
    cells: 'Undo: cells',
    replace: 'Undo: the same value in all rows',
    join: 'Undo: spaces',
    'leave-out': 'Undo: skipped rows',
  },
  replaced: (name: string, steps: number) =>
    `${name} with ${counted(steps, 'correction', 'corrections')} has been deleted, because this file has replaced it. LMS Admin keeps only the latest ${MAX_DRAFTS} files that you are correcting.`,
  conflict:
    'The file has been corrected in another tab or window. Your last correction was not saved. This page now shows the latest version of the file.',
  submitted: 'This file has been submitted',
  submittedText:
    'It was submitted in another tab or window, so it can no longer be corrected here. It does not contain corrections that you made after that.',
  submittedOpen: 'Open its import',
  failed: 'The correction could not be saved.',
  groups: {
    label: 'Identical problems',
    rows: (count: number) => rows(count),
    first: (first: readonly number[], all: number) =>
      `${first.length === 1 && all === 1 ? 'Row' : 'Rows'} ${first.map(grouped).join(', ')}${all > first.length ? ' …' : ''}`,
    show: 'Show these rows',
    showOf: (column: string) => `Show these rows: ${column}`,
    all: 'Show all rows with problems',
    instead: (value: string, count: number) =>
      value === '' ? `Value for ${rows(count)} with an empty cell` : `Replace “${value}” in ${rows(count)}`,
    put: (count: number) => (count === 1 ? 'Use this value' : `Use this value in all ${grouped(count)} rows`),
    empty: (count: number) =>
      count === 1 ? 'Clear the cell' : `Clear the cell in all ${grouped(count)} rows`,
    join: (count: number) =>
      count === 1 ? 'Remove the spaces' : `Remove the spaces in all ${grouped(count)} rows`,
    leaveOut: (count: number) => (count === 1 ? 'Skip this row' : `Skip these ${grouped(count)} rows`),
    more: (count: number) => `${grouped(count)} different values. Correct them in the table below.`,
  },
  table: {
    row: 'Row',
    problem: 'Problem',
    corrected: 'Corrected',
    out: 'Skip row',
    leaveOut: 'Skip',
    leaveOutOf: (row: number) => `Skip row ${grouped(row)}`,
    cell: (column: string, row: number) => `${column}, row ${grouped(row)}`,
    unnamed: (place: number) => `Column ${grouped(place)}`,
    /** @param more whether the file has more rows with problems than are listed */
    pasteLeft: ({ columns, lines }: { columns: number; lines: number }, more: boolean) =>
      [
        ...(columns > 0
          ? ['Only the first column of what you pasted was used. Paste one column at a time.']
          : []),
        ...(lines > 0
          ? [
              `${grouped(lines)} pasted ${lines === 1 ? 'line was' : 'lines were'} not used: ${more ? `up to ${grouped(DRAFT_PAGE_ROWS)} rows are listed at once. Paste the rest into the next rows.` : 'there are no more cells.'}`,
            ]
          : []),
      ].join(' '),
    keys: 'Press Enter or an arrow key to go to the next field, and Escape to restore the previous value. You can paste a copied column of cells.',
    listedCorrected: (listed: number, all: number) =>
      `The first ${grouped(listed)} of ${grouped(all)} corrected rows are listed.`,
    listed: (listed: number, all: number) =>
      `The first ${grouped(listed)} of ${grouped(all)} rows with problems are listed. More appear as you correct these.`,
    page: (from: number, to: number, all: number) => `${grouped(from)}–${grouped(to)} of ${grouped(all)}`,
    next: 'Next rows',
    previous: 'Previous rows',
    empty: 'No rows with problems.',
  },
  columns: {
    how: 'The first line of the file is not the header of an SIS file. LMS Admin suggests what its columns are. Check the suggestions and correct them. Nothing is used until you select the button.',
    howKnown:
      'The header of the file does not match. LMS Admin suggests what its columns are. Check the suggestions and correct them. Nothing is used until you select the button.',
    kind: 'File type',
    sentAs: (header: string) => `“${header}” contains`,
    none: 'not sent',
    missing: 'Missing columns',
    missingHow: 'For each column above, choose one of your columns, or give every row the same value.',
    value: (name: string) => `${name} in all rows`,
    first: 'First rows',
    ignored: (names: readonly string[]) =>
      `${names.length === 1 ? 'This column is' : 'These columns are'} not sent: ${names.join(', ')}.`,
    twice: (name: string) => `Two columns contain ${name}. Choose “not sent” for one of them.`,
    use: 'Use these columns',
    unnamed: (place: number) => `Column ${grouped(place)} (no name)`,
  },
} as const;
