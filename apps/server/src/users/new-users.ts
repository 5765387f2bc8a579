/** Rows of people to be created: every one is checked, made anew, and looked up before anything is sent (OP-55, OP-57). */
import type { ErrorDetail } from '@lms-admin/contract/errors';
import { messages } from '@lms-admin/contract/messages';
import { MAX_NEW_USERS } from '@lms-admin/domain/constants';
import {
  duplicateFields,
  type NewUser,
  type NewUserField,
  type NewUserProblem,
  newUserProblems,
  normalNewUser,
  USER_HEADER,
  type UserColumn,
  userColumns,
  usersCsv,
} from '@lms-admin/domain/new-users';
import type { Admin } from '../access/admin.ts';
import { csvRows, type HandMadeCsv, MOST_DETAILS, rowsDoNotFit } from '../imports/csv-rows.ts';
import { AppError } from '../platform/errors.ts';
import type { CoreServices } from '../services.ts';
import type { People } from './people.ts';

/** Longest value that a refusal repeats. */
const MOST_SIGNS = 100;

const COLUMN: Readonly<Record<NewUserField, UserColumn>> = {
  psID: 'user_id',
  email: 'login_id',
  firstName: 'first_name',
  lastName: 'last_name',
};

/** A row of the CSV with its number, the header being row 1. */
interface NumberedUser {
  row: number;
  user: NewUser;
}

/**
 * Checks rows of people and makes the CSV that is sent: names, sortable and short names are worked out anew.
 * @throws AppError conflict (no school domain is set); bad-request with row and column of up to 100 problems;
 *   too-many-rows; lms-down when the LMS does not say of everybody whether they exist
 */
export async function checkNewUsers(
  { config, people }: Pick<CoreServices, 'config'> & { people: People },
  admin: Admin,
  csv: HandMadeCsv,
  signal: AbortSignal,
): Promise<{ rows: number; text: string }> {
  const problems: ErrorDetail[] = [];
  const report = (detail: ErrorDetail) => {
    if (problems.push(detail) >= MOST_DETAILS) throw rowsDoNotFit(inOrder(problems));
  };
  const rows = await readRows(csv, config.site.emailDomain, report);
  const users = rows.map(({ user }) => user);
  for (const [index, fields] of duplicateFields(users)) {
    for (const [field, earlier] of Object.entries(fields) as ['psID' | 'email', number][]) {
      const message = `Row ${rows[earlier]?.row} has the same ${messages.createUsers.fields[field]}.`;
      report({ row: rows[index]?.row ?? null, field: COLUMN[field], message });
    }
  }
  if (problems.length > 0) throw rowsDoNotFit(inOrder(problems));
  await requireNew(people, admin, rows, signal);
  return { rows: rows.length, text: usersCsv(users) };
}

async function readRows(
  csv: HandMadeCsv,
  domain: string | null,
  report: (detail: ErrorDetail) => void,
): Promise<NumberedUser[]> {
  const rows: NumberedUser[] = [];
  let columns: Map<UserColumn, number> | null = null;
  let row = 0;
  for await (const cells of csvRows(csv)) {
    row++;
    if (columns === null) {
      columns = userColumns(cells);
      if (columns === null) {
        const message = `The first row should be ${USER_HEADER.join(',')} (in any order), not ${shown(cells.join(','))}.`;
        throw rowsDoNotFit([{ row, field: null, message }]);
      }
      continue;
    }
    if (domain === null) throw notSetUp();
    if (row - 1 > MAX_NEW_USERS) throw tooMany();
    const user = readRow(cells, columns, row, domain, report);
    if (user) rows.push({ row, user });
  }
  if (row <= 1) {
    throw rowsDoNotFit([
      { row: Math.max(1, row), field: null, message: 'There are no rows below the header.' },
    ]);
  }
  return rows;
}

/** One row, normalised; what is wrong with it is reported. Null when it is no row at all. */
function readRow(
  cells: readonly string[],
  columns: ReadonlyMap<UserColumn, number>,
  row: number,
  domain: string,
  report: (detail: ErrorDetail) => void,
): NewUser | null {
  if (cells.length !== columns.size) {
    const message = `The row has ${cells.length} cells; it should have as many as the header.`;
    report({ row, field: null, message });
    return null;
  }
  const cell = (name: UserColumn) => cells[columns.get(name) ?? -1] ?? '';
  const typed: NewUser = {
    psID: cell('user_id'),
    email: cell('login_id'),
    firstName: cell('first_name'),
    lastName: cell('last_name'),
  };
  const user = normalNewUser(typed);
  for (const [field, problem] of Object.entries(newUserProblems(typed, domain)) as [
    NewUserField,
    NewUserProblem,
  ][]) {
    report({ row, field: COLUMN[field], message: sentence(field, problem, domain) });
  }
  if (cell('integration_id').trim() !== user.psID) {
    report({
      row,
      field: 'integration_id',
      message: 'The integration id should be the same as the user id.',
    });
  }
  if (normalNewUser({ ...typed, email: cell('email') }).email !== user.email) {
    report({ row, field: 'email', message: 'The e-mail address should be the same as the login.' });
  }
  const status = cell('status').trim();
  if (status.toLowerCase() !== 'active') {
    report({ row, field: 'status', message: `The status should be active, not ${shown(status)}.` });
  }
  return user;
}

/** Nobody with that SIS id or that login may exist; a lookup that failed says nothing, and so is no permission. */
async function requireNew(
  people: People,
  admin: Admin,
  rows: readonly NumberedUser[],
  signal: AbortSignal,
): Promise<void> {
  const [byId, byLogin] = await Promise.all([
    people.bySisId(
      admin,
      rows.map(({ user }) => user.psID),
      { signal },
    ),
    people.byLogin(
      admin,
      rows.map(({ user }) => user.email),
      { signal },
    ),
  ]);
  const existing: ErrorDetail[] = [];
  const unsure: ErrorDetail[] = [];
  for (const [index, { row, user }] of rows.entries()) {
    for (const [field, found] of [
      ['user_id', byId[index]],
      ['login_id', byLogin[index]],
    ] as const) {
      if (found === 'not-found') continue;
      if (typeof found === 'object') {
        const sisId = field === 'user_id' ? user.psID : found.sis_user_id;
        existing.push({ row, field, message: messages.createUsers.exists(sisId) });
      } else unsure.push({ row, field, message: 'The LMS did not say whether this person exists.' });
    }
  }
  if (existing.length > 0) throw rowsDoNotFit([...existing, ...unsure].slice(0, MOST_DETAILS));
  if (unsure.length === 0) return;
  throw new AppError('lms-down', {
    message: 'The LMS did not say of everybody whether they exist. Nothing has been sent.',
    details: unsure.slice(0, MOST_DETAILS),
  });
}

function sentence(field: NewUserField, problem: NewUserProblem, domain: string): string {
  const texts = messages.createUsers;
  switch (problem) {
    case 'missing':
      return `${texts.fields[field]} is missing.`;
    case 'not-digits':
      return texts.badId;
    case 'not-school-email':
      return texts.badEmail(domain);
    case 'not-a-name':
      return texts.badName;
    case 'too-long':
      return `${texts.fields[field]} is too long.`;
  }
}

function inOrder(details: readonly ErrorDetail[]): ErrorDetail[] {
  return [...details].sort((a, b) => (a.row ?? 0) - (b.row ?? 0));
}

function shown(value: string): string {
  return JSON.stringify(value.slice(0, MOST_SIGNS));
}

function tooMany(): AppError {
  const number = new Intl.NumberFormat('en-GB').format(MAX_NEW_USERS);
  return new AppError('too-many-rows', {
    message: `These are more than ${number} people, the most that are created at once.`,
    next: 'Create them in parts. Nothing has been sent.',
  });
}

function notSetUp(): AppError {
  return new AppError('conflict', {
    message: "Creating users is not set up here: the school's e-mail domain is not known.",
    next: 'Ask IT Support to set SCHOOL_EMAIL_DOMAIN. Nothing has been sent.',
  });
}
