/** Texts for permissions and changes. */
import type { AccessPlaces, ListedRecord, ReviewedChange } from '@lms-admin/contract/access';
import { TOOLS } from '@lms-admin/contract/tools';
import {
  accountInScope,
  assignableRoleIds,
  FLAGS,
  type Flag,
  hasFlag,
  topAccounts,
} from '@lms-admin/domain/access';
import { adminsUntil, endsWithin, gapsOf, shownChange } from '@lms-admin/domain/access-records';
import { texts as factTexts } from '../../components/AccessFacts/texts.ts';
import { texts } from './texts.ts';

export type Right = ReviewedChange['gains'][number];

/** Names for IDs; the IDs themselves until the LMS has answered. */
export interface Names {
  account: (id: number) => string;
  role: (id: number) => string;
}

export function namesOf(places: AccessPlaces | undefined): Names {
  const accounts = new Map(places?.accounts.map(({ id, name }) => [id, name]));
  const roles = new Map(places?.roles.map(({ id, label }) => [id, label]));
  return {
    account: (id) => accounts.get(id) ?? `Account ${id}`,
    role: (id) => roles.get(id) ?? `Role ${id}`,
  };
}

const TAB = new Map<Flag, string>(
  TOOLS.toReversed().flatMap(({ flag, tab }) => (tab === null ? [] : [[flag, tab] as const])),
);
export const toolOfFlag = (flag: Flag) => TAB.get(flag) ?? 'System';

function rightWords(right: Right, names: Names): string {
  switch (right.kind) {
    case 'tool':
      return toolOfFlag(right.flag);
    case 'everywhere':
      return texts.people.everywhere;
    case 'programme':
      return names.account(right.id);
    case 'role':
      return texts.people.role(names.role(right.id), right.level);
    case 'zoom-queue-removal':
      return texts.record.queue;
  }
}

type RightChanges = Pick<ReviewedChange, 'gains' | 'loses'>;

/**
 * Describes the permissions that a change gives and removes: one line for each, and one for the roles of each level.
 */
export function changeLines(change: RightChanges, names: Names): { gains: string[]; loses: string[] } {
  const { gains, loses, keeps } = shownChange(change);
  const kept = keeps.map((right) => rightWords(right, names));
  return { gains: linesOf(gains, names, []), loses: linesOf(loses, names, kept) };
}

function linesOf(rights: readonly Right[], names: Names, kept: readonly string[]): string[] {
  const others = rights.filter(({ kind }) => kind !== 'role');
  const roles = (['course', 'section'] as const).flatMap((level) => {
    const ids = rights.flatMap((right) => (right.kind === 'role' && right.level === level ? [right.id] : []));
    return ids.length === 0 ? [] : [texts.people.rolesOf[level](ids.map(names.role).join(', '))];
  });
  const described = others.map((right) =>
    right.kind === 'everywhere' && kept.length > 0
      ? texts.people.everywhereExcept(kept.join(', '))
      : rightWords(right, names),
  );
  return [...described, ...roles];
}

type Rights = Pick<ListedRecord, 'record'>;

export function toolsWords({ record }: Rights): string {
  return FLAGS.filter((flag) => hasFlag(record, flag))
    .map(toolOfFlag)
    .join(', ');
}

export function whereWords({ record }: Rights, names: Names): string {
  const top = topAccounts(record);
  return top === 'all' ? texts.people.everywhere : top.map(names.account).join(', ');
}

/** Lists every role that the record can assign, with its level. */
export function rolesWords({ record }: Rights, names: Names): string {
  return (['course', 'section'] as const)
    .flatMap((level) =>
      assignableRoleIds(record, level).map((id) => texts.people.role(names.role(id), level)),
    )
    .join(', ');
}

/** Classifies a record by how soon its access ends, for a filter. */
export function endsWords({ expires_at, state }: Pick<ListedRecord, 'expires_at' | 'state'>, now: number) {
  if (expires_at === null) return texts.people.endsIn.never;
  if (state === 'expired' || Date.parse(expires_at) <= now) return texts.people.endsIn.ended;
  return texts.people.endsIn[endsWithin(expires_at, now) ?? 'later'];
}

/** Classifies a record by whether it can be used, for a filter. @param missing logins that are not in the LMS */
export function stateWords(entry: ListedRecord, missing: ReadonlySet<string>): string {
  const { states } = texts.people;
  if (entry.state !== 'active') return factTexts.states[entry.state];
  if (missing.has(entry.login)) return states.missing;
  if (gapsOf(entry).length > 0) return states.incomplete;
  return entry.signed_in_at === null ? states.unused : factTexts.states.active;
}

/**
 * Finds the moment when the last permission to change access ends, as ISO 8601; null if it has no end, or no one has
 * it.
 */
export function lastAdminEnds(records: readonly ListedRecord[], now: number): string | null {
  const entries = new Map(records.map((entry) => [entry.login, entry]));
  const until = (counts: (login: string) => boolean) => adminsUntil(entries, now, counts);
  // Same as the rule that protects the last administrator: until one has signed in, all records count.
  const used = until((login) => entries.get(login)?.signed_in_at !== null);
  const ends = used > 0 ? used : until(() => true);
  return ends > 0 && Number.isFinite(ends) ? new Date(ends).toISOString() : null;
}

/** Tells whether a record covers a programme: directly, through an account above it, or with the whole school. */
export function reaches({ record }: Rights, programme: number, places: AccessPlaces | undefined): boolean {
  const parents = new Map(places?.accounts.map(({ id, parent }) => [id, parent]));
  return accountInScope(record, programme, parents);
}
