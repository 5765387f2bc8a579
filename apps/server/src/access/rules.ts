/** Whether a record admits an action: the rules of the guards, one by one and in words, for 'Can X do Y?'. */
import type { AccessAnswer, AccessRule } from '@lms-admin/contract/access';
import type { Action } from '@lms-admin/contract/access-actions';
import type { SubAccount } from '@lms-admin/contract/session';
import { toolById } from '@lms-admin/contract/tools';
import { accountInScope, topAccounts } from '@lms-admin/domain/access';
import { type AccessEntry, entryState } from '@lms-admin/domain/access-records';
import type { AccountTree } from './account-tree.ts';
import { mayGiveRole, mayUse } from './rights.ts';

export interface Asked {
  action: Action;
  /** Null where no role decides, or none was named. */
  role: { id: number; label: string } | null;
  place: { name: string; account: number } | null;
  tree: AccountTree | null;
  now: number;
}

/** @param entry undefined: no record */
export function answerFor(
  login: string,
  entry: AccessEntry<SubAccount> | undefined,
  asked: Asked,
): AccessAnswer {
  const rules = entry
    ? [
        { rule: 'record' as const, holds: true, words: `${login} has a record.` },
        activeRule(entry, asked.now),
        toolRule(entry.record, asked.action),
        ...roleRule(entry.record, asked),
        ...placeRule(entry.record, asked),
      ]
    : [{ rule: 'record' as const, holds: false, words: `No record has the login ${login}.` }];
  const failed = rules.find(({ holds }) => !holds);
  const decides = failed ?? rules.at(-1);
  if (!decides) throw new Error('a question has a rule');
  return { login, may: failed === undefined, rules, decides, place: asked.place };
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
  const name = toolById(tool).tab ?? 'System';
  return {
    rule: 'tool',
    holds,
    words: holds ? `The record has the tool ${name}.` : `The record does not have the tool ${name}.`,
  };
}

function roleRule(record: SubAccount, { action: { level }, role }: Asked): AccessRule[] {
  if (level === null || role === null) return [];
  const holds = mayGiveRole({ record }, role.id, level);
  const list = `the roles for ${level}s`;
  const words =
    record.perm === 'ALL'
      ? `With the whole school, ${role.label} ${holds ? 'is' : 'is not'} among ${list}.`
      : `${role.label} ${holds ? 'is' : 'is not'} among ${list} of the record.`;
  return [{ rule: 'role', holds, words }];
}

function placeRule(record: SubAccount, { action, place, tree }: Asked): AccessRule[] {
  if (!action.place || place === null) return [];
  const top = topAccounts(record);
  const parents = tree?.parents ?? new Map<number, number | null>();
  const holds = accountInScope(record, place.account, parents);
  if (top === 'all') return [{ rule: 'place', holds, words: 'The record reaches the whole school.' }];
  const nameOf = (id: number) => tree?.accounts.get(id)?.name ?? `account ${id}`;
  const named = top.length === 0 ? 'no programme' : top.map(nameOf).join(', ');
  const where = `${place.name} belongs to ${nameOf(place.account)}`;
  return [
    {
      rule: 'place',
      holds,
      words: holds ? `${where}. The record reaches it by ${named}.` : `${where}. The record names ${named}.`,
    },
  ];
}
