/** Explains whether a record allows an action, for 'Can X do Y?': the guards' rules, one by one. */
import type { AccessAnswer, AccessRule } from '@lms-admin/contract/access';
import type { Action } from '@lms-admin/contract/access-actions';
import type { SubAccount } from '@lms-admin/contract/session';
import { toolById } from '@lms-admin/contract/tools';
import { accountInScope, assignableRoleIds, topAccounts } from '@lms-admin/domain/access';
import { type AccessEntry, entryState } from '@lms-admin/domain/access-records';
import type { AccountTree } from './account-tree.ts';
import { mayGiveRole, mayUse } from './rights.ts';

export interface AccessFacts {
  action: Action;
  /** Null if the role does not matter or none was given. */
  role: { id: number; label: string } | null;
  place: { name: string; account: number } | null;
  tree: AccountTree | null;
  now: number;
}

/** @param entry undefined if there is no record */
export function answerFor(
  login: string,
  entry: AccessEntry<SubAccount> | undefined,
  facts: AccessFacts,
): AccessAnswer {
  const rules = entry
    ? [
        { rule: 'record' as const, holds: true, words: `${login} has a record.` },
        activeRule(entry, facts.now),
        toolRule(entry.record, facts.action),
        ...roleRule(entry.record, facts),
        ...placeRule(entry.record, facts),
      ]
    : [{ rule: 'record' as const, holds: false, words: `No record has the login ${login}.` }];
  const failed = rules.find(({ holds }) => !holds);
  const decides = failed ?? rules.at(-1);
  if (!decides) throw new Error('a question has a rule');
  return { login, may: failed === undefined, rules, decides, place: facts.place };
}

function activeRule(entry: AccessEntry<SubAccount>, now: number): AccessRule {
  const state = entryState(entry, now);
  const words = {
    active: 'The record is active.',
    disabled: 'The record is disabled.',
    expired: 'The record has ended.',
  };
  return { rule: 'active', holds: state === 'active', words: words[state] };
}

function toolRule(record: SubAccount, { tool }: Action): AccessRule {
  const holds = mayUse({ record }, tool);
  const { tab, flag } = toolById(tool);
  const name = tab ?? 'System';
  const words = holds
    ? `The record has the tool ${name}.`
    : record[flag]
      ? `The record has the tool ${name}, but only people with access to the whole school can use it.`
      : `The record does not have the tool ${name}.`;
  return { rule: 'tool', holds, words };
}

/**
 * Checks the role; if none is given, checks whether the record has any role: a record without roles does not allow the
 * action.
 */
function roleRule(record: SubAccount, { action: { level }, role }: AccessFacts): AccessRule[] {
  if (level === null) return [];
  const list = `the roles for ${level}s`;
  if (role === null) {
    const holds = assignableRoleIds(record, level).length > 0;
    const words = `The record has ${holds ? 'at least one role' : 'no role'} for ${level}s.`;
    return [{ rule: 'role', holds, words }];
  }
  const holds = mayGiveRole({ record }, role.id, level);
  const words =
    record.perm === 'ALL'
      ? `${role.label} ${holds ? 'is' : 'is not'} among ${list} that access to the whole school includes.`
      : `${role.label} ${holds ? 'is' : 'is not'} among ${list} in the record.`;
  return [{ rule: 'role', holds, words }];
}

/** Checks the place; if none is given, checks whether the record covers any programme. */
function placeRule(record: SubAccount, { action, place, tree }: AccessFacts): AccessRule[] {
  if (!action.place || (place === null && action.placeless)) return [];
  const top = topAccounts(record);
  if (top === 'all') return [{ rule: 'place', holds: true, words: 'The record covers the whole school.' }];
  const nameOf = (id: number) => tree?.accounts.get(id)?.name ?? `account ${id}`;
  if (place === null) {
    const holds = top.length > 0;
    const words = `The record covers ${holds ? 'at least one' : 'no'} programme.`;
    return [{ rule: 'place', holds, words }];
  }
  const parents = tree?.parents ?? new Map<number, number | null>();
  const covers = (id: number) =>
    accountInScope({ ...record, sub_accounts: String(id) }, place.account, parents);
  const holds = accountInScope(record, place.account, parents);
  return [{ rule: 'place', holds, words: placeWords(place, top, top.filter(covers), nameOf) }];
}

/** @param covering the ids in `top` that cover the place */
function placeWords(
  place: NonNullable<AccessFacts['place']>,
  top: readonly number[],
  covering: readonly number[],
  nameOf: (id: number) => string,
): string {
  const above = nameOf(place.account);
  const where = place.name === above ? '' : `${place.name} belongs to ${above}. `;
  if (top.length === 0) return `${where}The record covers no programme.`;
  if (covering.length === 0) return `${where}The record covers only ${top.map(nameOf).join(', ')}.`;
  if (where === '' && covering.includes(place.account)) return `The record covers ${above}.`;
  return `${where}The record covers ${where === '' ? above : 'it'} through ${covering.map(nameOf).join(', ')}.`;
}
