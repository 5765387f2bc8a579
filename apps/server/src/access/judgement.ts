/** Checks of a change to one record: why it cannot be saved, and what to know before saving it. */
import type { AccessChange } from '@lms-admin/contract/access';
import { FLAGS, hasFlag, idList, ONLY_FOR_ALL, topAccounts } from '@lms-admin/domain/access';
import { entryState, type Gap, gapsOf, loginKey } from '@lms-admin/domain/access-records';
import { DEFAULT_ROLE_IDS, ROOT_ACCOUNT_ID } from '@lms-admin/domain/constants';
import { cookieProblem } from './file.ts';
import type { KnownInLms } from './known-in-lms.ts';
import type { StoredRecord } from './table.ts';

/** Returns why a change cannot be saved, or null. */
export function problemOf(
  former: StoredRecord | undefined,
  change: AccessChange,
  known: KnownInLms,
  now: number,
): string | null {
  return (
    versionProblem(former, change) ??
    loginProblem(former, change) ??
    endProblem(former, change, now) ??
    placeProblem(former, change, known) ??
    toolProblem(former, change) ??
    lengthProblem(change)
  );
}

function versionProblem(former: StoredRecord | undefined, { version }: AccessChange): string | null {
  if (version === null) return former ? `${former.login} already has a record. Open it to change it.` : null;
  if (version === former?.version) return null;
  return former
    ? `${former.updatedBy} has changed this record since this change was prepared. The change cannot be saved. Open the record again.`
    : 'This record no longer exists.';
}

/** Rejects a login with invisible characters, since no one could tell it from another one. */
function loginProblem(former: StoredRecord | undefined, { login }: AccessChange): string | null {
  return former === undefined && /\p{Cf}/u.test(login)
    ? `The login ${login} contains a character that is not visible. Type it again instead of pasting it.`
    : null;
}

function endProblem(former: StoredRecord | undefined, { expires_at }: AccessChange, now: number) {
  const isNew = expires_at !== null && expires_at !== (former?.expires_at ?? null);
  return isNew && Date.parse(expires_at) <= now ? 'The end date is in the past. Choose a later one.' : null;
}

function placeProblem(former: StoredRecord | undefined, { record }: AccessChange, known: KnownInLms) {
  const added = addedIds(programmesOf(former), programmesOf({ record }));
  if (added.includes(ROOT_ACCOUNT_ID))
    return 'The root account is the whole school. Choose “Whole school” instead of programmes.';
  const missing = added.filter((id) => known.programme(id) === false);
  if (missing.length === 0) return null;
  return missing.length === 1
    ? `The LMS does not have a programme with the number ${missing[0]}. Remove it, or choose another one.`
    : `The LMS does not have programmes with the numbers ${missing.join(', ')}. Remove them, or choose others.`;
}

/** Rejects a tool that has no effect in a record limited to programmes. */
function toolProblem(former: StoredRecord | undefined, { record }: AccessChange): string | null {
  const idle = FLAGS.find((flag) => record[flag] && !hasFlag(record, flag) && former?.record[flag] !== true);
  return idle === undefined || !ONLY_FOR_ALL.has(idle)
    ? null
    : 'System is only for people with access to the whole school. Choose “Whole school”, or remove System.';
}

function lengthProblem(change: AccessChange): string | null {
  const tooLong = cookieProblem(change);
  return tooLong === null ? null : `The record ${tooLong}.`;
}

const GAPS: Readonly<Record<Gap, string>> = {
  tool: 'This record has no tools. The person can sign in but cannot do anything.',
  programme: 'This record has no programme. The person cannot change anything in courses.',
  'course-role':
    'This record has no role for courses. The person cannot use Course Enrollment to enrol anyone.',
  'section-role':
    'This record has no role for sections. The person cannot use Section Enrollment to enrol anyone.',
};

/** Returns notes about a change that can be saved. @param signedIn whether the person has ever signed in */
export function notesOf(change: AccessChange, known: KnownInLms, signedIn: boolean, now: number): string[] {
  if (entryState(change, now) !== 'active') return [];
  const { login, record } = change;
  const programmes = programmesOf(change).filter((id) => id !== ROOT_ACCOUNT_ID);
  const roles = [...new Set([...idList(record.roles), ...idList(record.section_roles)])];
  return [
    ...loginNotes(login, known.login(loginKey(login)), signedIn),
    ...(hasFlag(record, 'access_admin') && !signedIn
      ? [
          `${login} has never signed in to LMS Admin. Until they do, they do not count as an access administrator.`,
        ]
      : []),
    ...gapsOf(change).map((gap) => GAPS[gap]),
    ...programmes
      .filter((id) => known.programme(id) === false)
      .map((id) => `The LMS does not have a programme with the number ${id}.`),
    ...(programmes.some((id) => known.programme(id) === null)
      ? ['The programmes could not be checked, because the LMS did not answer.']
      : []),
    ...(record.perm === 'ALL' ? [] : roles)
      .filter((id) => !DEFAULT_ROLE_IDS.includes(id) && known.role(id) === false)
      .map((id) => `The LMS does not list a role with the number ${id} for the whole school.`),
  ];
}

function loginNotes(login: string, state: ReturnType<KnownInLms['login']>, signedIn: boolean): string[] {
  if (state === 'missing')
    return [
      `The LMS does not have a person with the login ${login}. Check how it is spelt: no one can use this record.`,
    ];
  if (state !== 'unread' || signedIn) return [];
  return [`LMS Admin could not check whether the LMS has a person with the login ${login}.`];
}

function programmesOf(entry: Pick<AccessChange, 'record'> | undefined): readonly number[] {
  const top = entry ? topAccounts(entry.record) : [];
  return top === 'all' ? [] : top;
}

function addedIds(before: readonly number[], after: readonly number[]): number[] {
  return after.filter((id) => !before.includes(id));
}
