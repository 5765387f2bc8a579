/** People to create, pasted from a spreadsheet: tab-separated cells, or lines with semicolons or commas. */
import type { NotTaken } from './emails.ts';
import { NEW_USER_FIELDS, type NewUser, type NewUserField } from './new-users.ts';
import { pastedCells } from './pasted-cells.ts';

/** Contents of pasted text. */
export interface PastedUsers {
  /** One per line, in order; fields that are not in the text are missing. */
  rows: Partial<NewUser>[];
  /** Number of lines beyond the maximum. */
  leftOut: number;
  /** Lines beyond the maximum, and columns without a field, with the reason. */
  notTaken: NotTaken[];
}

/** Common names of columns, without punctuation and in lower case. */
const COLUMN_NAMES: Readonly<Record<string, NewUserField>> = {
  psid: 'psID',
  id: 'psID',
  peoplesoft: 'psID',
  peoplesoftid: 'psID',
  userid: 'psID',
  sisid: 'psID',
  integrationid: 'psID',
  email: 'email',
  mail: 'email',
  emailaddress: 'email',
  login: 'email',
  loginid: 'email',
  first: 'firstName',
  firstname: 'firstName',
  givenname: 'firstName',
  last: 'lastName',
  lastname: 'lastName',
  surname: 'lastName',
  familyname: 'lastName',
};

/** Returns whether the text has more than one cell, so that it fills several fields. */
export function isTable(text: string): boolean {
  const lines = tableOf(text);
  return lines.length > 1 || (lines[0]?.length ?? 0) > 1;
}

/**
 * Returns the rows of pasted text. A line of column names is recognised: it is removed, and assigns the columns.
 * @param start field that the text is pasted into: its first column goes there, unless the columns then do not fit
 * @param most maximum number of rows
 */
export function pastedUsers(text: string, start: NewUserField, most: number): PastedUsers {
  const lines = tableOf(text);
  const named = namedColumns(lines[0] ?? []);
  const body = named ? lines.slice(1) : lines;
  const width = Math.max(0, ...body.slice(0, most).map((line) => line.length));
  const first = Math.max(0, Math.min(NEW_USER_FIELDS.indexOf(start), NEW_USER_FIELDS.length - width));
  const columns = named ?? NEW_USER_FIELDS.slice(first);
  const rows = body.slice(0, most).map((line) => {
    const row: Partial<NewUser> = {};
    for (const [index, field] of columns.entries()) {
      const cell = line[index];
      // A field has one line, so the words of several lines would run together.
      if (field !== null && cell !== undefined) row[field] ??= cell.replace(/\s*[\r\n]+\s*/g, ' ').trim();
    }
    return row;
  });
  const left = body.slice(most).map((line) => ({ text: line.join(' '), why: 'the form is full' }));
  const notTaken = [...surplusColumns(named ? lines[0] : undefined, columns, body), ...left];
  return { rows, leftOut: left.length, notTaken };
}

/** Returns the columns with cells but without a field: beyond the last one, with an unknown name, or repeated. */
function surplusColumns(
  header: readonly string[] | undefined,
  columns: readonly (NewUserField | null)[],
  body: readonly (readonly string[])[],
): NotTaken[] {
  const width = Math.max(0, ...body.map((line) => line.length));
  return Array.from({ length: width }, (_, index): NotTaken[] => {
    const example = body.find((line) => (line[index] ?? '') !== '')?.[index];
    const field = columns[index] ?? null;
    const isRepeated = field !== null && columns.indexOf(field) < index;
    if (example === undefined || (field !== null && !isRepeated)) return [];
    const name = header?.[index] ?? '';
    const text = `Column ${index + 1}, '${name === '' ? example : name}'`;
    if (isRepeated)
      return [{ text, why: `column ${columns.indexOf(field) + 1} was used for the same field` }];
    return [{ text, why: header ? 'the form has no field with this name' : 'the form has no field for it' }];
  }).flat();
}

/** Returns the field of each column, if the line is a header: at least one known name, and no data. */
function namedColumns(line: readonly string[]): (NewUserField | null)[] | null {
  if (line.some((cell) => /[@\d]/.test(cell))) return null;
  const fields = line.map((cell) => COLUMN_NAMES[cell.toLowerCase().replace(/[^a-z]/g, '')] ?? null);
  return fields.filter((field) => field !== null).length >= Math.min(2, line.length) && line.length > 0
    ? fields
    : null;
}

/** Returns the lines of trimmed cells, without empty lines. */
function tableOf(text: string): string[][] {
  const plain = text.replace(/^\uFEFF/, '');
  return pastedCells(plain, separatorOf(plain)).filter((line) => line.some((cell) => cell !== ''));
}

/**
 * Finds the separator. A comma can be part of a cell, so only a character that splits the first line into at least four
 * cells separates.
 */
function separatorOf(text: string): string {
  if (text.includes('\t')) return '\t';
  const [line = ''] = text.trimStart().split(/[\r\n]/, 1);
  return [';', ',', '|'].find((character) => line.split(character).length >= NEW_USER_FIELDS.length) ?? '\t';
}
