/** Rows of people to be created: checked, rebuilt and looked up before anything is sent (OP-55, OP-57). */
import type { ErrorDetail } from '@lms-admin/contract/errors';
import { createUsersMessages } from '@lms-admin/contract/messages/create-users';
import { MAX_NEW_USERS } from '@lms-admin/domain/constants';
import {
  deletedPersonAdvice,
  duplicateFields,
  type NewUser,
  type NewUserField,
  type NewUserProblem,
  newUserAdvice,
  newUserProblems,
  normalNewUser,
  USER_HEADER,
  type UserColumn,
  userColumns,
  usersCsv,
} from '@lms-admin/domain/new-users';
import { statusProblem } from '@lms-admin/domain/sis-row-rules';
import { shown } from '@lms-admin/domain/sis-rows';
import { mayUse } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import { MOST_DETAILS, type Report, RowProblems } from '../imports/row-problems.ts';
import { type ManualCsv, rowsByHand, rowsDoNotFit } from '../imports/rows-by-hand.ts';
import type { Config } from '../platform/config.ts';
import { AppError } from '../platform/errors.ts';
import { existingPeople, type PersonToCheck } from './existing.ts';
import type { People } from './people.ts';

const COLUMN: Readonly<Record<NewUserField, UserColumn>> = {
  psID: 'user_id',
  email: 'login_id',
  firstName: 'first_name',
  lastName: 'last_name',
};

/** A row of the CSV with its number; the header is row 1. */
interface NumberedUser {
  row: number;
  user: NewUser;
}

/**
 * Checks rows of people and creates the CSV to send: display, sortable and short names are derived again.
 * @throws AppError conflict (no school domain is set); bad-request with row and column of up to 100 problems;
 * too-many-rows; lms-down when the LMS does not answer about everyone
 */
export async function checkNewUsers(
  { config, people }: { config: Config; people: People },
  admin: Admin,
  csv: ManualCsv,
  signal: AbortSignal,
): Promise<{ rows: number; text: string }> {
  const problems = new RowProblems(rowsDoNotFit);
  const report = problems.reportFor(null);
  const rows = await readRows(csv, config.site.emailDomain, report);
  const users = rows.map(({ user }) => user);
  for (const [index, fields] of duplicateFields(users)) {
    for (const [field, earlier] of Object.entries(fields) as ['psID' | 'email', number][]) {
      const message = `Row ${rows[earlier]?.row} has the same ${createUsersMessages.fields[field]}.`;
      report(rows[index]?.row ?? null, COLUMN[field], message);
    }
  }
  problems.throwIfAny();
  await requireNew(people, admin, rows, signal);
  return { rows: rows.length, text: usersCsv(users) };
}

async function readRows(csv: ManualCsv, domain: string | null, report: Report): Promise<NumberedUser[]> {
  const rows: NumberedUser[] = [];
  let columns: ReadonlyMap<UserColumn, number> | null = null;
  let count = 0;
  for await (const batch of rowsByHand(csv)) {
    for (const { row, cells } of batch) {
      if (columns === null) {
        columns = userColumns(cells);
        if (columns === null) {
          const message = `The first row should be ${USER_HEADER.join(',')} (in any order), not ${shown(cells.join(','))}.`;
          throw rowsDoNotFit([{ row, field: null, message }]);
        }
        continue;
      }
      if (domain === null) throw notSetUp();
      if (++count > MAX_NEW_USERS) throw tooMany();
      const user = readRow(cells, columns, row, domain, report);
      if (user) rows.push({ row, user });
    }
  }
  if (count === 0)
    throw rowsDoNotFit([{ row: 1, field: null, message: 'There are no rows below the header.' }]);
  return rows;
}

/** Normalises one row and reports its problems. Null if it is not a row at all. */
function readRow(
  cells: readonly string[],
  columns: ReadonlyMap<UserColumn, number>,
  row: number,
  domain: string,
  report: Report,
): NewUser | null {
  if (cells.length !== columns.size) {
    report(row, null, `The row has ${cells.length} cells. It should have as many as the header.`);
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
    const advice = newUserAdvice(field, typed[field]);
    const text = sentence(field, problem, domain);
    report(row, COLUMN[field], advice === null ? text : `${text} ${advice}`);
  }
  if (cell('integration_id') !== user.psID) {
    report(row, 'integration_id', 'The integration ID should be the same as the user ID.');
  }
  if (normalNewUser({ ...typed, email: cell('email') }).email !== user.email) {
    report(row, 'email', 'The email address should be the same as the login.');
  }
  const status = cell('status');
  if (status.toLowerCase() !== 'active') {
    const { column, message } = statusProblem(status, ['active']);
    report(row, column, message);
  }
  return user;
}

/**
 * Requires that no existing person has the SIS ID or login, and no deleted one, whom the row would restore. A failed
 * lookup does not count as permission.
 */
async function requireNew(
  people: People,
  admin: Admin,
  rows: readonly NumberedUser[],
  signal: AbortSignal,
): Promise<void> {
  const candidates = rows.map(({ row, user }) => ({ row, id: user.psID, login: user.email }));
  const { taken, deleted, unsure } = await existingPeople(people, admin, candidates, {
    signal,
    integration: true,
  });
  const unknown = unsure.map(({ one, by }: PersonToCheck<{ row: number }>): ErrorDetail => {
    return { row: one.row, field: by, message: 'LMS Admin could not check whether this person exists.' };
  });
  if (taken.length + deleted.length > 0) {
    const existing = taken.map(({ one, by, person }): ErrorDetail => {
      const sisId = by === 'user_id' ? one.id : person.sis_user_id;
      return { row: one.row, field: by, message: createUsersMessages.exists(sisId) };
    });
    const former = deleted.map(({ one, person }): ErrorDetail => {
      return {
        row: one.row,
        field: 'user_id',
        message: deletedPersonAdvice(person.name, mayUse(admin, 'sis-import')),
      };
    });
    throw rowsDoNotFit([...existing, ...former, ...unknown].slice(0, MOST_DETAILS));
  }
  if (unknown.length === 0) return;
  throw new AppError('lms-down', {
    message: 'LMS Admin could not check whether all of these people exist.',
    nothingSent: true,
    details: unknown.slice(0, MOST_DETAILS),
  });
}

function sentence(field: NewUserField, problem: NewUserProblem, domain: string): string {
  const texts = createUsersMessages;
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

function tooMany(): AppError {
  const number = new Intl.NumberFormat('en-GB').format(MAX_NEW_USERS);
  return new AppError('too-many-rows', {
    message: `There are more than ${number} people, the maximum that you can create at one time.`,
    next: 'Create them in parts. Nothing has been sent.',
  });
}

function notSetUp(): AppError {
  return new AppError('conflict', {
    message: "Create Users is not set up, because LMS Admin does not know the school's email domain.",
    next: 'Ask IT Support to set SCHOOL_EMAIL_DOMAIN. Nothing has been sent.',
  });
}
