/** Required contents of the rows of an SIS file (LMS reference §9; OP-53): pure checks, fast enough for large files. */
import type { RoleLevel } from './access.ts';
import { type ProblemText, problemText, quotedValue, shown } from './problem-text.ts';
import type { SisTable } from './sis-tables.ts';
import { spreadsheetId, spreadsheetValue } from './spreadsheet-values.ts';

export { shown } from './problem-text.ts';

/** A problem of a row or of the header, as text for people. */
export interface SisProblem {
  column: string | null;
  message: string;
  /** The kind of a problem whose message has values of the row; see `problemText`. */
  kind?: string;
}

/** Lists all problems of one row. @param cells trimmed, in the order of the header; missing ones count as empty */
export type RowCheck = (cells: readonly string[]) => readonly SisProblem[];

/** Combines several checks of a row: the first problem of each cell, and all problems of the whole row. */
export function perCell(looks: readonly (readonly SisProblem[])[]): readonly SisProblem[] {
  const found = looks.filter((one) => one.length > 0);
  if (found.length === 0) return NO_PROBLEMS;
  const reported = new Set<string>();
  return found.flat().filter(({ column }) => {
    if (column === null) return true;
    if (reported.has(column)) return false;
    reported.add(column);
    return true;
  });
}

/** The result for most rows of a large file. */
export const NO_PROBLEMS: readonly SisProblem[] = [];

/** Maximum number of columns in a file; the largest table has about twenty. */
export const MAX_COLUMNS = 100;

const CONTROL = /[\u0000-\u001f\u007f]/;
/** Line breaks are corrected instead. */
const CONTROL_IN_TEXT = /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f]/;

/** Starts of binary files, as they look when read as text. */
const NO_TEXT = /^(?:%PDF-|\u2030PNG|\ufffdPNG|GIF8[79]a|\u00ff\u00d8\u00ff|\{\\rtf)/i;

/** Returns whether a file read as text is a picture, a PDF or similar. @param text its beginning */
export function looksBinary(text: string): boolean {
  return NO_TEXT.test(text) || /[\u0001-\u0008\u000e-\u001f]/.test(text.slice(0, 1_000));
}

/** Returns the names of a header for sending: trimmed and in lower case. */
export function sisHeader(cells: readonly string[]): string[] {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  while (names.length > 0 && names.at(-1) === '') names.pop();
  return names;
}

/**
 * Returns the position of each column in a header with exactly these columns, in any order; null for any other
 * header.
 */
export function layoutColumns<Column extends string>(
  header: readonly string[],
  layout: readonly Column[],
): ReadonlyMap<Column, number> | null {
  const names = header.map((name) => name.trim().toLowerCase());
  const fits = names.length === layout.length && layout.every((name) => names.includes(name));
  return fits ? new Map(layout.map((name) => [name, names.indexOf(name)])) : null;
}

/** Returns the problems of the header of a file of this table; empty if there are none. */
export function headerProblems({ rows }: SisTable, header: readonly string[]): SisProblem[] {
  if (header.length > MAX_COLUMNS) {
    return [{ column: null, message: `The header has more than ${MAX_COLUMNS} columns.` }];
  }
  const problems: SisProblem[] = [];
  const seen = new Set<string>();
  for (const name of header) {
    if (name === '') continue;
    // A line break in a name would be the first that the LMS sees, so it would become the line end of the whole file.
    if (CONTROL.test(name)) {
      problems.push({
        column: null,
        message: `The column ${shown(name)} has a line break, or a character that cannot be shown.`,
      });
    }
    // It is undefined which of the two the LMS would read.
    if (seen.has(name)) problems.push({ column: name, message: `The column ${name} appears twice.` });
    seen.add(name);
  }
  const needs = rows.needs.map(({ oneOf, unless }) => [...oneOf, ...(unless === undefined ? [] : [unless])]);
  if (rows.states.length > 0 && !rows.stateMayLack) needs.push(['status']);
  return [...problems, ...needs.flatMap((oneOf) => missingColumn(header, oneOf) ?? [])];
}

/** Returns the problem of a header with none of these columns. */
export function missingColumn(header: readonly string[], oneOf: readonly string[]): SisProblem | null {
  if (oneOf.some((name) => header.includes(name))) return null;
  return { column: oneOf[0] ?? null, message: `The column ${oneOf.join(' or ')} is missing.` };
}

/** Finds the formal problems of a row: cells beyond the header, and control characters or line breaks in cells. */
export function formProblems(
  cells: readonly string[],
  header: readonly string[],
  table: SisTable,
): readonly SisProblem[] {
  let problems: SisProblem[] | null = null;
  const add = (problem: SisProblem) => (problems ??= []).push(problem);
  for (let at = header.length; at < cells.length; at++) {
    if (cells[at] === '') continue;
    add({ column: null, message: `The row has ${cells.length} cells, the header only ${header.length}.` });
    break;
  }
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at] as string;
    if (!CONTROL.test(cell)) continue;
    if (!names(table, header[at] ?? '') && !CONTROL_IN_TEXT.test(cell)) continue;
    add({
      column: header[at] || null,
      ...problemText`The cell has a character that cannot be shown, or a line break: ${quotedValue(cell)}.`,
    });
  }
  return problems ?? NO_PROBLEMS;
}

/** Only values like these need a closer check: most cells of a large file do not. */
const MAYBE_CONVERTED = /^[=+\-@#]|^err:|\de[+-]\d+$/i;
/** White space, including characters without width. */
const BLANK = /[\s\u200b-\u200d\u2060\ufeff]/;
/** Characters that the LMS does not accept in a login, apart from spaces. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/u;
/** Characters without width: copied along, they change an id. */
const UNSEEN = /[\u00ad\u200b-\u200f\u2060\ufeff]/;
/** Values that are perhaps not ids: most ids do not look like this. */
const PERHAPS_NO_ID = /^(?:[a-z()/]+|\d+[.,'’\u00a0\u202f /-].*|\p{L}{3,5}\.?[- ]\d+)$/iu;

/** Finds unintended cells: values that a spreadsheet has converted, and spaces inside a login. */
export function valueProblems(
  cells: readonly string[],
  header: readonly string[],
  { touches, secret = [] }: SisTable,
): SisProblem[] {
  const problems: SisProblem[] = [];
  for (let at = 0; at < header.length; at++) {
    const cell = cells[at] ?? '';
    const column = header[at] ?? '';
    if (cell === '' || secret.includes(column)) continue;
    const id = column.endsWith('_id') && PERHAPS_NO_ID.test(cell);
    const converted = id ? spreadsheetId(cell) : MAYBE_CONVERTED.test(cell) ? spreadsheetValue(cell) : null;
    if (converted !== null) {
      problems.push({
        column: column || null,
        ...problemText`${quotedValue(cell)} is ${converted}. Format the column as text in the spreadsheet, enter the original value and save the file.`,
      });
    } else if (
      column.endsWith('_id') &&
      column !== touches.login &&
      column !== 'old_id' &&
      UNSEEN.test(cell)
    ) {
      problems.push({ column, ...unseenIn(column, cell) });
    } else if (column === touches.login && BLANK.test(cell)) {
      problems.push({ column, ...problemText`The login ${quotedValue(cell)} contains a space. Remove it.` });
    } else if (column === touches.login && UNPRINTABLE.test(cell)) {
      problems.push({
        column,
        ...problemText`The login ${quotedValue(cell)} has a character that cannot be shown.`,
      });
    }
  }
  return problems;
}

/**
 * Describes an invisible character in a cell. An id that really contains one is named in `old_id`, where it can be
 * changed.
 */
function unseenIn(column: string, cell: string): ProblemText {
  const code = (UNSEEN.exec(cell)?.[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return problemText`The ${column} ${quotedValue(cell.replace(UNSEEN, '·'))} has an invisible character at the position of the dot (U+${code}). Type the value again. If the ID in the LMS contains this character, first change the ID there with a change_sis_id file.`;
}

/**
 * Tells whether a column is one of those that name something, or decide what happens to it: a line break in them is
 * more than a mistake in a text.
 */
function names({ touches }: SisTable, column: string): boolean {
  return column === 'status' || column.endsWith('_id') || Object.values(touches).includes(column);
}

/** Replaces line breaks in texts such as names by spaces, in the cells themselves. @returns number of changed cells */
export function joinLines(cells: string[], header: readonly string[], table: SisTable): number {
  let changed = 0;
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at] ?? '';
    if (!/[\r\n]/.test(cell) || names(table, header[at] ?? '')) continue;
    cells[at] = cell.replace(/\s*[\r\n]\s*/g, ' ');
    changed++;
  }
  return changed;
}

/** Which roles can be assigned, as far as rows depend on it. */
export interface RoleRules {
  mayGiveRole(roleId: number, level: RoleLevel): boolean;
  /** Returns whether the LMS has a role with this number; null if it was not asked, or did not answer. */
  hasRole(roleId: number): boolean | null;
  /** Returns the ids of the roles that the LMS may read from a name; empty if there is none. */
  rolesNamed(name: string): readonly number[];
}

const ROLE_ID = /^[1-9]\d{0,15}$/;

/** Creates the check of the roles in rows; a row that names a section only assigns its role there. */
export function roleCheck({ touches }: SisTable, header: readonly string[], rules: RoleRules): RowCheck {
  const at = (name: string | undefined) => (name === undefined ? -1 : header.indexOf(name));
  const roleId = at(touches.role);
  const role = at(touches['role-name']);
  const section = at(touches.section);
  // Consecutive rows mostly have the same role.
  let lastId: string | null = null;
  let lastName = '';
  let lastLevel: RoleLevel = 'course';
  let lastProblems: readonly SisProblem[] = NO_PROBLEMS;
  return (cells) => {
    const id = cells[roleId] ?? '';
    const name = cells[role] ?? '';
    const level: RoleLevel = (cells[section] ?? '') === '' ? 'course' : 'section';
    if (id !== lastId || name !== lastName || level !== lastLevel) {
      lastProblems = roleProblems(id, name, level, rules);
      lastId = id;
      lastName = name;
      lastLevel = level;
    }
    return lastProblems;
  };
}

/**
 * Finds the problems of a role. The LMS tries the number first and then the name, so if both are given, both must be
 * allowed.
 */
function roleProblems(id: string, name: string, level: RoleLevel, rules: RoleRules): readonly SisProblem[] {
  const problems: SisProblem[] = [];
  const add = (column: string, text: Omit<SisProblem, 'column'>) => problems.push({ column, ...text });
  if (id !== '') {
    if (!ROLE_ID.test(id)) add('role_id', problemText`The role should be a number, not ${quotedValue(id)}.`);
    else if (!rules.mayGiveRole(Number(id), level))
      add('role_id', {
        message:
          rules.hasRole(Number(id)) === false
            ? `The LMS has no role ${id}.`
            : `You do not have permission to use the role ${id}${inSection(level)}.`,
      });
  }
  if (name === '') return problems;
  const ids = rules.rolesNamed(name);
  if (ids.length === 0) add('role', problemText`The LMS has no role ${quotedValue(name)}.`);
  else if (!ids.every((one) => rules.mayGiveRole(one, level)))
    add(
      'role',
      problemText`You do not have permission to use the role ${quotedValue(name)}${inSection(level)}.`,
    );
  return problems;
}

function inSection(level: RoleLevel): string {
  return level === 'section' ? ' in a section' : '';
}

/**
 * Returns the row of the administrator's own file that the LMS counts as row n. The LMS skips empty rows; the header
 * is row 1.
 * @param blank runs of empty rows in the file, in order: first row and number
 */
export function ownRow(n: number, blank: readonly (readonly [row: number, count: number])[]): number {
  let own = n;
  for (const [row, count] of blank) {
    if (row > own) break;
    own += count;
  }
  return own;
}
