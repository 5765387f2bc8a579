/** People to create in the LMS: the rows of the form, their checks and their CSV (area CU). */
import { csvCell, csvLine } from './csv.ts';
import { layoutColumns } from './sis-rows.ts';
import { LONGEST_LOGIN } from './sis-tables/table.ts';
import { USER_HEADER } from './sis-tables/users.ts';
import { spreadsheetValue } from './spreadsheet-values.ts';

/** A row of the form, as typed or normalised (CU-11). */
export interface NewUser {
  /** PeopleSoft id; becomes the SIS ID. */
  psID: string;
  email: string;
  firstName: string;
  lastName: string;
}
export type NewUserField = keyof NewUser;

/** In the order of the form and of pasted columns (CU-03). */
export const NEW_USER_FIELDS: readonly NewUserField[] = ['psID', 'email', 'firstName', 'lastName'];

/** Possible problems of a field, regardless of the LMS. */
export type NewUserProblem = 'missing' | 'not-digits' | 'not-school-email' | 'not-a-name' | 'too-long';
export type NewUserProblems = Partial<Record<NewUserField, NewUserProblem>>;

export { USER_HEADER };
export type UserColumn = (typeof USER_HEADER)[number];
export type UserCells = Record<UserColumn, string>;

const MAX_ID = 32;
/** For each name as it is sent: both together stay below the 255 characters that the LMS stores. */
const MAX_NAME = 100;

/** Every mark needs a letter before it: a mark alone would be drawn on the character before it. */
const NAME = /^[- ]*(?:\p{L}\p{M}*[- ]*)+$/u;
const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/;

/**
 * Normalises a row for the check and for sending: trimmed, with a lower-case email, single spaces in names, and
 * composed Unicode. Only A to Z are converted to lower case: other characters with a Latin lower-case letter stay, and
 * so are rejected.
 */
export function normalNewUser(row: NewUser): NewUser {
  return {
    psID: row.psID.trim(),
    email: lowerAscii(row.email.trim()),
    firstName: normalName(row.firstName),
    lastName: normalName(row.lastName),
  };
}

/**
 * Returns the problems of each field in a row, normalised or not; empty if there are none (CU-17 to CU-23).
 * @param domain the school's email domain; addresses of its sub-domains are rejected (OP-57)
 */
export function newUserProblems(row: NewUser, domain: string): NewUserProblems {
  const problems: NewUserProblems = {};
  const normal = normalNewUser(row);
  for (const field of NEW_USER_FIELDS) {
    const problem = fieldProblem(field, normal[field], domain);
    if (problem !== null) problems[field] = problem;
  }
  return problems;
}

function fieldProblem(field: NewUserField, value: string, domain: string): NewUserProblem | null {
  if (value === '') return 'missing';
  if (field === 'psID') {
    if (!/^[0-9]+$/.test(value)) return 'not-digits';
    return value.length > MAX_ID ? 'too-long' : null;
  }
  if (field === 'email') {
    if (!isSchoolEmail(value, domain)) return 'not-school-email';
    return value.length > LONGEST_LOGIN ? 'too-long' : null;
  }
  // Capitals can be longer, as for ß.
  const sent = field === 'firstName' ? titleCase(value) : upperCase(value);
  if (Math.max(value.length, sent.length) > MAX_NAME) return 'too-long';
  return NAME.test(value) ? null : 'not-a-name';
}

/**
 * Gives advice about a rejected value beyond the documented text: a spreadsheet has converted it, or a login contains a
 * space. Null without further advice.
 */
export function newUserAdvice(field: NewUserField, value: string): string | null {
  const converted = spreadsheetValue(value);
  if (converted !== null) return `This is ${converted}: copy the column again, formatted as text.`;
  return field === 'email' && /\s/.test(value.trim()) ? 'It contains a space. Remove it.' : null;
}

/**
 * Gives advice about a PeopleSoft id that the LMS keeps for a deleted person.
 * @param canImport whether the person can use SIS Import
 */
export function deletedPersonAdvice(name: string, canImport: boolean): string {
  const meant = canImport
    ? 'use SIS Import, whose review shows the changes'
    : 'ask IT Support to restore the person';
  return `This ID belongs to ${name}, who was deleted in the LMS. Using this ID would restore this person. If you want that, ${meant}. Otherwise use another ID.`;
}

/** Tells whether an email consists of word characters, dots or hyphens, then the domain itself; both in lower case. */
function isSchoolEmail(value: string, domain: string): boolean {
  const school = lowerAscii(domain);
  const end = `@${school}`;
  return DOMAIN.test(school) && value.endsWith(end) && /^[a-z0-9_.-]+$/.test(value.slice(0, -end.length));
}

/**
 * Finds the fields with a PeopleSoft id or email that an earlier row has already: the error belongs to the later row
 * (OP-58).
 * @returns for each row with duplicates its fields, and the index of the first row with the same values
 */
export function duplicateFields(
  rows: readonly NewUser[],
): Map<number, Partial<Record<'psID' | 'email', number>>> {
  const found = new Map<number, Partial<Record<'psID' | 'email', number>>>();
  for (const field of ['psID', 'email'] as const) {
    const first = new Map<string, number>();
    for (const [index, row] of rows.entries()) {
      const value = field === 'email' ? lowerAscii(row.email.trim()) : row.psID.trim();
      if (value === '') continue;
      const earlier = first.get(value);
      if (earlier === undefined) first.set(value, index);
      else found.set(index, { ...found.get(index), [field]: earlier });
    }
  }
  return found;
}

/** Returns the cells of a row in the CSV (CU-13 to CU-16, OP-59). Independent of the language of browser and server. */
export function userCells(row: NewUser): UserCells {
  const { psID, email, firstName, lastName } = normalNewUser(row);
  const first = titleCase(firstName);
  const last = upperCase(lastName);
  return {
    user_id: psID,
    integration_id: psID,
    login_id: email,
    first_name: first,
    last_name: last,
    sortable_name: `${last}, ${first}`,
    short_name: `${first} ${last}`,
    email,
    status: 'active',
  };
}

/** Returns the CSV of some rows with its header; `sortable_name` is always quoted, other cells only if necessary. */
export function usersCsv(rows: readonly NewUser[]): string {
  const lines = rows.map((row) => {
    const cells = userCells(row);
    return USER_HEADER.map((name) =>
      name === 'sortable_name' ? `"${cells[name].replaceAll('"', '""')}"` : csvCell(cells[name]),
    ).join(',');
  });
  return [csvLine(USER_HEADER), ...lines].join('\n');
}

/** Returns the positions of the columns in a header in any order; null if it is not the documented one. */
export function userColumns(header: readonly string[]): ReadonlyMap<UserColumn, number> | null {
  return layoutColumns(header, USER_HEADER);
}

function normalName(name: string): string {
  return name.normalize('NFC').trim().replace(/\s+/g, ' ');
}

function upperCase(name: string): string {
  return name.toUpperCase().normalize('NFC');
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Capitalises the first letter of each word and lowers the others; words end at spaces and hyphens. */
function titleCase(name: string): string {
  return name
    .split(/([ -])/)
    .map((word) => titleWord(word))
    .join('')
    .normalize('NFC');
}

/** Letters that combine two letters have a special form at the start of a word. */
const TITLE: Readonly<Record<string, string>> = { Ǆ: 'ǅ', Ǉ: 'ǈ', Ǌ: 'ǋ', Ǳ: 'ǲ' };

function titleWord(word: string): string {
  // A dotted capital I becomes an i with a second dot in lower case.
  const plain = word.replaceAll('İ', 'i');
  const [initial = ''] = word;
  const rest = plain.toLowerCase().slice((initial === 'İ' ? 'i' : initial).toLowerCase().length);
  // Georgian capitals are only for whole words.
  if (/\p{Script=Georgian}/u.test(initial)) return initial.toLowerCase() + rest;
  // The capital form of one letter can be several letters, as for ß: only the first of them stays a capital.
  const [large = '', ...small] = initial.toUpperCase();
  return (TITLE[large] ?? large) + small.join('').toLowerCase() + rest;
}
