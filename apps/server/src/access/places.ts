/** Names of the accounts and roles that records hold as numbers, as an administrator sees them in the LMS. */
import type { AccessPlaces } from '@lms-admin/contract/access';
import { DEFAULT_ROLE_IDS, ROOT_ACCOUNT_ID } from '@lms-admin/domain/constants';
import type { Admin } from '../auth/admin.ts';
import type { Roles } from '../canvas/resources/roles.ts';
import { CanvasError } from '../canvas/types.ts';
import type { AccountTree, AccountTrees } from './account-tree.ts';

export interface PlaceParts {
  trees: AccountTrees;
  roles: Roles;
}

/** Returns the tree, or null if the LMS does not return it. @param wanted an account that should be in it */
export async function treeOf(
  { trees }: Pick<PlaceParts, 'trees'>,
  by: Admin,
  wanted?: number,
  signal?: AbortSignal,
): Promise<AccountTree | null> {
  try {
    return await trees.tree(by, wanted, signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof CanvasError) return null;
    throw error;
  }
}

/** Returns the labels of roles by id; `Role 21` if the LMS does not return one. */
export async function roleLabels(
  { roles }: Pick<PlaceParts, 'roles'>,
  by: Admin,
  ids: readonly number[],
  signal?: AbortSignal,
): Promise<(id: number) => string> {
  const labels = new Map<number, string>();
  for (const id of new Set(ids)) {
    const label = await roles.label(by.token, id, signal).catch((error: unknown) => {
      signal?.throwIfAborted();
      if (error instanceof CanvasError) return null;
      throw error;
    });
    if (label !== null) labels.set(id, label);
  }
  return (id) => labels.get(id) ?? `Role ${id}`;
}

/** Returns everything that a record can name. @throws CanvasError */
export async function placesFor(parts: PlaceParts, by: Admin, signal?: AbortSignal): Promise<AccessPlaces> {
  const { accounts } = await parts.trees.tree(by, undefined, signal);
  const label = await roleLabels(parts, by, DEFAULT_ROLE_IDS, signal);
  return {
    accounts: [...accounts.values()]
      .filter(({ id }) => id !== ROOT_ACCOUNT_ID)
      .map(({ id, name, parent_account_id }) => ({ id, name, parent: parent_account_id })),
    roles: DEFAULT_ROLE_IDS.map((id) => ({ id, label: label(id) })),
    default_roles: [...DEFAULT_ROLE_IDS],
  };
}
