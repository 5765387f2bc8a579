import type { Role } from '../../store/model.ts';
import type { Cells } from '../csv/files.ts';
import { messages } from '../messages.ts';
import type { Importer, Work } from './work.ts';

const COLUMNS = ['user_id', 'account_id', 'role', 'role_id', 'status', 'root_account'] as const;
const say = messages.admin;

/** Admins (§9.7). */
export const adminImporter: Importer<(typeof COLUMNS)[number]> = {
  kind: 'admin',
  columns: COLUMNS,
  buffer: 1,

  check(row) {
    if (!row.user_id) return say.noUser;
    if (!row.status) return say.noStatus;
    if (!row.role && !row.role_id) return say.noRole;
    if (!['active', 'deleted'].includes(row.status.toLowerCase())) return say.badStatus(row.status);
    return undefined;
  },

  apply(row, work) {
    const { accounts, accountUsers, pseudonyms, rootAccount } = work.world;
    const account = row.account_id ? accounts.by.sis.get(row.account_id) : rootAccount;
    if (account?.workflow_state !== 'active') return say.badAccount;
    const role = findRole(row, account.id, work);
    if (!role) return row.role ? say.badRole(row.role) : say.badRoleId(row.role_id);
    // There is only one root account, so no people of another one are known.
    const login = row.root_account ? undefined : pseudonyms.by.sis.get(row.user_id);
    if (!login || login.workflow_state === 'deleted') return say.unknownUser(row.user_id);
    const deleting = row.status?.toLowerCase() === 'deleted';
    if (deleting && login.user_id === work.batch.user_id && account === rootAccount)
      return say.yourself(row.user_id);

    const present = accountUsers.by.user
      .get(login.user_id)
      .find((admin) => admin.account_id === account.id && admin.role_id === role.id);
    if (deleting) {
      // Admins whom no import has ever touched stay, but the row counts.
      if (present && present.sis_batch_id !== null)
        work.update(accountUsers, 'AccountUser', present, { workflow_state: 'deleted' });
    } else if (present) work.update(accountUsers, 'AccountUser', present, { workflow_state: 'active' });
    else
      work.create(accountUsers, 'AccountUser', {
        account_id: account.id,
        user_id: login.user_id,
        role_id: role.id,
        workflow_state: 'active',
        sis_batch_id: null,
      });
    return true;
  },
};

/** Finds the role among those of the account and the accounts above it, by ID first. */
function findRole(row: Cells<'role' | 'role_id'>, accountId: number, { world }: Work): Role | undefined {
  const fits = (role: Role | undefined): boolean =>
    role?.base_role_type === 'AccountMembership' && world.isRoleAvailable(role, accountId);
  const byId = row.role_id ? world.roles.get(Number(row.role_id)) : undefined;
  return fits(byId) ? byId : world.roles.by.name.get(row.role).find(fits);
}
