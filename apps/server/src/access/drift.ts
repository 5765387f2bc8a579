/** Proposals from comparing records with the LMS's administrators: people who have a record or a role, but not both. */
import type { AccessDrift } from '@lms-admin/contract/access';
import { activeRecord, loginKey } from '@lms-admin/domain/access-records';
import { ROOT_ACCOUNT_ID } from '@lms-admin/domain/constants';
import type { Admin } from '../auth/admin.ts';
import { adminsOf, type LmsAdmin } from '../canvas/resources/admins.ts';
import { type CanvasClient, CanvasError } from '../canvas/types.ts';
import type { AccountTree, AccountTrees } from './account-tree.ts';
import type { AccessRecords } from './records.ts';

export interface DriftParts {
  access: AccessRecords;
  canvas: CanvasClient;
  trees: AccountTrees;
  now: () => number;
}

/** Maximum number of accounts whose administrators are read, those nearest to the root first. */
const MOST_ACCOUNTS = 500;

interface OfPerson {
  login: string;
  name: string;
  accounts: { id: number; name: string; role: string }[];
}

/** @throws CanvasError if the tree cannot be read */
export async function driftOf(
  { access, canvas, trees, now }: DriftParts,
  by: Admin,
  signal?: AbortSignal,
): Promise<AccessDrift> {
  await access.fresh();
  const tree = await trees.tree(by, undefined, signal);
  const nearestFirst = [...tree.accounts.values()]
    .map((account) => ({ account, depth: depthOf(account.id, tree) }))
    .sort((a, b) => a.depth - b.depth)
    .map(({ account }) => account);
  const comparedAccounts = nearestFirst.slice(0, MOST_ACCOUNTS);
  const notCompared = nearestFirst.length - comparedAccounts.length;
  const unread: string[] = [];
  const people = new Map<string, OfPerson>();
  await Promise.all(
    comparedAccounts.map(async ({ id, name }) => {
      try {
        const admins = await adminsOf({ canvas, token: by.token, signal }, id);
        for (const admin of admins) note(people, admin, { id, name });
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof CanvasError) || error.ofToken) throw error;
        unread.push(name);
      }
    }),
  );
  const active = [...access.entries].filter(([, entry]) => activeRecord(entry, now()) !== null);
  const known = new Set(active.map(([key]) => key));
  const without = active.filter(([key]) => !people.has(key));
  return {
    lines: [
      // While accounts are unread, a missing role proves nothing, so it is not reported.
      ...(unread.length + notCompared > 0
        ? []
        : without.map(([, { login }]) => ({
            login,
            name: login,
            kind: 'no-lms-role' as const,
            accounts: [],
          }))),
      ...[...people]
        .filter(([key, { accounts }]) => !known.has(key) && accounts.some(({ id }) => id !== ROOT_ACCOUNT_ID))
        .map(([, { login, name, accounts }]) => ({ login, name, kind: 'no-access' as const, accounts })),
    ],
    accounts: comparedAccounts.length,
    unread: unread.sort(),
    not_compared: notCompared,
  };
}

function note(
  people: Map<string, OfPerson>,
  { user, role }: LmsAdmin,
  account: { id: number; name: string },
) {
  const login = user.login_id;
  if (login == null || login === '') return;
  const key = loginKey(login);
  const person = people.get(key) ?? { login, name: user.name, accounts: [] };
  person.accounts.push({ ...account, role });
  people.set(key, person);
}

function depthOf(account: number, { parents }: AccountTree): number {
  const seen = new Set<number>();
  let at: number | null | undefined = account;
  while (typeof at === 'number' && at !== ROOT_ACCOUNT_ID && !seen.has(at)) {
    seen.add(at);
    at = parents.get(at);
  }
  return seen.size;
}
