/** Rows of group members as sent: the documented file (OP-79), or lines of a spreadsheet. Pure. */
import type { CsvRow, Delimiter } from './csv-reader.ts';
import { sniffDelimiter } from './csv-reader.ts';
import { unguarded } from './formula-guard.ts';
import type { CourseIndex } from './group-course.ts';
import type { RequestedMember } from './group-references.ts';
import { pastedLines } from './pasted-cells.ts';
import {
  foreignCells,
  isAddress,
  isGroup,
  isPerson,
  isStatus,
  type Places,
  statusColumn,
  unsentColumns,
} from './pasted-columns.ts';
import { formProblems, headerProblems, MAX_COLUMNS, sisHeader } from './sis-rows.ts';
import { GROUP_MEMBERSHIPS } from './sis-tables/group-memberships.ts';
import { sisTableOf } from './sis-tables.ts';

const TABLE = sisTableOf(GROUP_MEMBERSHIPS.kind);
/** The documented header of group members. */
export const MEMBER_HEADER = GROUP_MEMBERSHIPS.columns;

/** A problem of the whole text, and what to do. */
export interface TextProblem {
  problem: string;
  next: string;
}

/** Reads the rows below this header, or returns its problem. */
export function memberRowReader(cells: readonly string[]): ((row: CsvRow) => RequestedMember) | TextProblem {
  const header = sisHeader(cells);
  const [problem] = headerProblems(TABLE, header);
  if (problem) {
    return {
      problem: `The file cannot be used: ${problem.message}`,
      next: `Its first row should be ${MEMBER_HEADER.join(',')}. See the sample CSV file.`,
    };
  }
  const at = (name: (typeof MEMBER_HEADER)[number]) => header.indexOf(name);
  const [person, group, status] = [at('user_id'), at('group_id'), at('status')];
  return ({ row, cells }) => {
    // Skipped rows that were downloaded can be uploaded here again.
    const values = cells.map(unguarded);
    const [wrong] = formProblems(values, header, TABLE);
    return {
      row,
      person: values[person] ?? '',
      group: values[group] ?? '',
      status: values[status] ?? '',
      ...(wrong ? { wrong } : {}),
    };
  };
}

/** Pasted rows. */
export interface PastedMembers {
  rows: RequestedMember[];
  /** Columns with contents that are not sent, by name or by their first value. */
  unsent: string[];
}

/** Number of lines used to recognise the columns. */
const LOOKED_AT = 300;
const TWO_COLUMNS = 'Paste two columns: a person (email, login or SIS ID) and a group (name or SIS ID).';

/**
 * Returns the rows of lines copied from a spreadsheet: separated by tabs, semicolons or commas, with or without
 * column names, with columns in any order and others between them.
 * @param most maximum number of lines; if there are more, one more is returned
 */
export function pastedMembers(text: string, index: CourseIndex, most: number): PastedMembers | TextProblem {
  const plain = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const lines: CsvRow[] = [];
  let row = 0;
  for (const cells of pastedLines(plain, separatorOf(plain))) {
    row++;
    // Columns are recognised cell by cell.
    if (cells.length > MAX_COLUMNS) {
      return {
        problem: `Line ${row} has more than ${MAX_COLUMNS} columns.`,
        next: TWO_COLUMNS,
      };
    }
    if (cells.every((cell) => cell === '')) continue;
    // One line more for the column names, and one to show that there are more rows than the maximum.
    if (lines.push({ row, cells }) > most + 1) break;
  }
  const [first] = lines;
  if (!first) return { problem: 'The pasted text is empty.', next: 'Copy the rows again.' };
  const named = namedColumns(first.cells, index);
  const body = named ? lines.slice(1) : lines;
  const found = named ?? likelyColumns(body.map(({ cells }) => cells).slice(0, LOOKED_AT), index);
  if (found === null || body.length === 0) {
    return {
      problem: found ? 'There are no rows below the header.' : 'There is only one column.',
      next: TWO_COLUMNS,
    };
  }
  const header = named ? first.cells : null;
  const status = statusColumn(header, body, found);
  const columns = { ...found, status };
  const rows = body.slice(0, most + 1).map(({ row, cells }): RequestedMember => {
    const wrong = foreignCells(cells, header, columns, index);
    return {
      row,
      person: cells[columns.person] ?? '',
      group: cells[columns.group] ?? '',
      status: cells[columns.status] || 'accepted',
      ...(wrong === null ? {} : { wrong: { column: null, message: wrong } }),
    };
  });
  return { rows, unsent: unsentColumns(header, body, columns) };
}

function separatorOf(text: string): Delimiter {
  // A comma or semicolon can be part of a cell, a tab cannot.
  if (text.includes('\t')) return '\t';
  return sniffDelimiter(text.trimStart().split('\n', 1)[0] ?? '');
}

/** Names of the column with the person, most certain first. */
const PERSON_NAMES = [
  /^(sis)?(userid|id)$|sis|psid|peoplesoft|integration/,
  /login|username|netid/,
  /mail/,
  /user|student|person|member/,
];
const GROUP_NAMES = [/^groupid$|sisgroupid|groupsis/, /group|team|gruppe/];

/** Returns the columns by a first line of names; null if it is not one. */
function namedColumns(cells: readonly string[], index: CourseIndex): Places | null {
  if (cells.some((cell) => isPerson(cell, index) || isGroup(cell, index))) return null;
  const names = cells.map((cell) => (cell.includes('@') ? '' : cell.toLowerCase().replace(/[^a-z]/g, '')));
  // `Team 9` is a mistyped group of the first row, which must not disappear.
  const withoutNumber = names.map((name, at) => (/\d/.test(cells[at] ?? '') ? '' : name));
  const group = columnNamed(withoutNumber, GROUP_NAMES, -1);
  const person = columnNamed(names, PERSON_NAMES, group);
  if (group === -1 || person === -1) return null;
  return { person, group };
}

function columnNamed(names: readonly string[], wanted: readonly RegExp[], except: number): number {
  for (const one of wanted) {
    const at = names.findIndex((name, place) => place !== except && one.test(name));
    if (at !== -1) return at;
  }
  return -1;
}

/** Returns the columns by their contents: those that name most people, and most groups, of the course. */
function likelyColumns(lines: readonly (readonly string[])[], index: CourseIndex): Places | null {
  const width = Math.max(...lines.map((cells) => cells.length));
  const places = Array.from({ length: width }, (_, at) => at);
  const hits = (at: number, fits: (cell: string, index: CourseIndex) => boolean) =>
    lines.filter((cells) => fits(cells[at] ?? '', index)).length;
  const best = (among: readonly number[], score: (at: number) => number) =>
    among.reduce<number | null>((top, at) => (top === null || score(at) > score(top) ? at : top), null);
  // A row of two cells has a person and a group, whatever its column names.
  const left = width < 3 ? places : places.filter((at) => !lines.some((cells) => isStatus(cells[at] ?? '')));
  // A value like an address is not a group, even if no one has it.
  const groupScore = (at: number) => hits(at, isGroup) - hits(at, isAddress) - hits(at, isPerson);
  const personScore = (at: number) => hits(at, isPerson) + hits(at, isAddress);
  const byPeople = left.some((at) => personScore(at) > 0);
  const surely = byPeople ? best(left, personScore) : null;
  const group = best(
    left.filter((at) => at !== surely),
    groupScore,
  );
  const person = surely ?? left.find((at) => at !== group) ?? null;
  return person === null || group === null ? null : { person, group };
}
