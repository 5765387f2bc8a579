/** The error of each field of the form, and when it is shown (CU-17 to CU-25, OP-55 to OP-58). Pure. */
import { createUsersMessages } from '@lms-admin/contract/messages/create-users';
import {
  deletedPersonAdvice,
  duplicateFields,
  NEW_USER_FIELDS,
  type NewUser,
  type NewUserField,
  type NewUserProblem,
  type NewUserProblems,
  newUserAdvice,
  newUserProblems,
  normalNewUser,
} from '@lms-admin/domain/new-users';
import type { LookupResult, Wanted } from '../../components/PeopleLookup/lookup-store.ts';
import type { Missing } from '../../components/Wizard/wizard-state.ts';
import { isBlank, type UserRow } from './create-users-state.ts';
import { texts } from './texts.ts';

/** The fields whose values are looked up. */
export type CheckedField = 'psID' | 'email';
/**
 * The LMS's answer about a PeopleSoft ID or an email; undefined until it has arrived. A person from the directory's copy
 * can be there before.
 */
export type Checks = (field: CheckedField, value: string) => LookupResult | undefined;

/** Each row's own errors and normal form, computed once: a row never changes, an edit creates a new one. */
const known = new WeakMap<NewUser, { domain: string; normal: NewUser; problems: NewUserProblems }>();

function checked(row: NewUser, domain: string): { normal: NewUser; problems: NewUserProblems } {
  const before = known.get(row);
  if (before?.domain === domain) return before;
  const seen = { domain, normal: normalNewUser(row), problems: newUserProblems(row, domain) };
  known.set(row, seen);
  return seen;
}

/** Returns the DOM ID of a field, for focus. */
export function fieldId(row: number, field: NewUserField): string {
  return `new-user-${row}-${field}`;
}

/** Lists the people to look up in the LMS: values that have no error themselves. */
export function peopleToCheck(
  rows: readonly NewUser[],
  domain: string,
): Required<Pick<Wanted, 'sis_id' | 'login'>> {
  const values = { psID: new Set<string>(), email: new Set<string>() };
  for (const row of rows) {
    const { problems, normal } = checked(row, domain);
    for (const field of ['psID', 'email'] as const) {
      if (problems[field] === undefined) values[field].add(normal[field]);
    }
  }
  return { sis_id: [...values.psID], login: [...values.email] };
}

/** The note below a field: an error, or that it is being checked; null while it is valid or empty. */
export type FieldNote = { kind: 'error'; text: string } | { kind: 'checking' } | null;

export interface RowFacts {
  row: NewUser;
  domain: string;
  /** Number (counted from 1) of an earlier row with the same value. */
  duplicate: Partial<Record<CheckedField, number>>;
  checks: Record<CheckedField, LookupResult | undefined>;
  /** Whether the administrator has SIS Import, which some notes mention. */
  canImport?: boolean;
}

/** Returns the note of a field that is not being edited. An empty field has none, because the form is not finished. */
export function fieldNote(field: NewUserField, facts: RowFacts): FieldNote {
  const { problems, normal } = checked(facts.row, facts.domain);
  const problem = problems[field];
  if (problem === 'missing') return null;
  if (problem !== undefined) {
    const problemWords = problemText(field, problem, facts.domain);
    const advice = newUserAdvice(field, facts.row[field]);
    return { kind: 'error', text: advice === null ? problemWords : `${problemWords} ${advice}` };
  }
  if (field !== 'psID' && field !== 'email') return null;
  const earlier = facts.duplicate[field];
  if (earlier !== undefined) return { kind: 'error', text: texts.duplicate[field](earlier) };
  const check = facts.checks[field];
  if (check === undefined) return { kind: 'checking' };
  if (check.result === 'not-found')
    return check.deleted === undefined
      ? null
      : { kind: 'error', text: deletedPersonAdvice(check.deleted.name, facts.canImport ?? false) };
  if (check.result === 'failed') return { kind: 'error', text: texts.notChecked };
  return {
    kind: 'error',
    text: createUsersMessages.exists(field === 'psID' ? normal.psID : check.person.sis_user_id),
  };
}

/** Tells whether an error is shown during typing: only if typing more cannot correct it. */
export function isCertain(field: NewUserField, value: string, domain: string): boolean {
  const text = value.trim();
  if (field === 'psID') return /[^0-9]/.test(text);
  if (field !== 'email') return /[^\p{L}\p{M}\s-]/u.test(text);
  const [local = '', end, ...more] = text.split('@');
  return more.length > 0 || /[^\w.-]/.test(local) || (end !== undefined && end.length >= domain.length);
}

function problemText(field: NewUserField, problem: NewUserProblem, domain: string): string {
  const { badId, badEmail, badName, fields } = createUsersMessages;
  switch (problem) {
    case 'not-digits':
      return badId;
    case 'not-school-email':
      return badEmail(domain);
    case 'not-a-name':
      return badName;
    case 'too-long':
      return texts.tooLong(fields[field]);
    case 'missing':
      return '';
  }
}

/** Finds earlier rows with the same value, by the ID of the later row; numbers count from 1. */
export function duplicatesOf(rows: readonly UserRow[]): Map<number, Partial<Record<CheckedField, number>>> {
  return new Map(
    [...duplicateFields(rows)].map(([index, { psID, email }]) => [
      rows[index]?.id ?? -1,
      {
        ...(psID === undefined ? {} : { psID: psID + 1 }),
        ...(email === undefined ? {} : { email: email + 1 }),
      },
    ]),
  );
}

/** The state of the form: what 'Next' reports as missing, and the figures for the action bar and the notices. */
export interface FormState {
  missing: Missing | null;
  /** Rows with an error in any field. */
  errors: number;
  /** Values that the LMS has not answered for yet, also if the directory's copy has the person; failed lookups. */
  waiting: number;
  failed: number;
  /** IDs of the rows whose PeopleSoft ID or email exists according to the LMS. */
  existing: number[];
  /** IDs of the rows that repeat the PeopleSoft ID or email of an earlier one, and of empty rows above others. */
  repeated: number[];
  blank: number[];
}

/** Checks the whole form: empty fields first (CU-24), then errors (CU-25, OP-58). */
export function formState(rows: readonly UserRow[], domain: string, checks: Checks): FormState {
  const duplicates = duplicatesOf(rows);
  let empty: string | null = null;
  let wrong: string | null = null;
  const counts = { errors: 0, waiting: 0, failed: 0 };
  const existing: number[] = [];
  const filled = rows.findLastIndex((row) => !isBlank(row));
  for (const row of rows) {
    const { normal, problems } = checked(row, domain);
    const facts: RowFacts = {
      row,
      domain,
      duplicate: duplicates.get(row.id) ?? {},
      checks: { psID: checks('psID', normal.psID), email: checks('email', normal.email) },
    };
    let error = false;
    let exists = false;
    for (const field of NEW_USER_FIELDS) {
      if (normal[field] === '') empty ??= fieldId(row.id, field);
      const note = fieldNote(field, facts);
      if (note?.kind === 'checking') counts.waiting++;
      if (note?.kind !== 'error') continue;
      error = true;
      wrong ??= fieldId(row.id, field);
      if (field !== 'psID' && field !== 'email') continue;
      if (facts.duplicate[field] !== undefined) continue;
      const check = facts.checks[field];
      if (check?.result === 'failed') counts.failed++;
      if (check?.result !== 'found' || problems[field] !== undefined) continue;
      // The copy may be out of date, so it does not decide which rows can be removed.
      if (check.asOf === undefined) exists = true;
      else counts.waiting++;
    }
    if (error) counts.errors++;
    if (exists) existing.push(row.id);
  }
  const { needInformation, needCorrections } = createUsersMessages;
  return {
    ...counts,
    existing,
    repeated: [...duplicates.keys()].filter((id) => !existing.includes(id)),
    blank: rows.slice(0, Math.max(0, filled)).flatMap((row) => (isBlank(row) ? [row.id] : [])),
    missing:
      empty !== null
        ? { message: needInformation, field: empty }
        : wrong !== null
          ? { message: needCorrections, field: wrong }
          : null,
  };
}
