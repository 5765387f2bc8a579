import type { Account } from '../../store/model.ts';
import { STICKY } from '../../store/sticky.ts';
import { messages } from '../messages.ts';
import { type Importer, integrationTaken, startsWithOne, tooLong, type Work } from './work.ts';

const COLUMNS = ['account_id', 'parent_account_id', 'name', 'status', 'integration_id'] as const;
const say = messages.account;

/** Accounts (§9.3). Parents must come before their children. */
export const accountImporter: Importer<(typeof COLUMNS)[number]> = {
  kind: 'account',
  columns: COLUMNS,
  buffer: 1,

  check: (row) => (row.account_id ? undefined : say.noId),

  apply(row, work) {
    const { accounts, rootAccount } = work.world;
    const id = row.account_id;
    const parent = row.parent_account_id ? accounts.by.sis.get(row.parent_account_id) : rootAccount;
    if (!parent) return say.noParent(id);
    if (parent.workflow_state === 'deleted') return say.parentDeleted(id, row.parent_account_id);
    const account = accounts.by.sis.get(id);
    if (!account && !row.name) return say.noName(id);
    if (!account && !startsWithOne(row.status, 'active', 'deleted')) return say.badStatus(row.status, id);
    const state = stateIn(row.status);
    if (account && state === 'deleted') {
      const refusal = deletionRefusal(account, work);
      if (refusal) return refusal;
    }
    if (account && work.world.accountChain(parent.id).includes(account))
      return say.circular(id, row.parent_account_id);
    const invalid =
      tooLong([
        ['Name', row.name],
        ['SIS ID', id],
      ]) ?? integrationTaken(row.integration_id, account, accounts.by.integration.get(row.integration_id));
    if (invalid) return invalid;
    const fields = {
      parent_account_id: parent.id,
      integration_id: row.integration_id,
      ...(row.name ? { name: row.name } : {}),
      ...(state ? { workflow_state: state } : {}),
    } as const;
    if (account) work.update(accounts, 'Account', account, fields, STICKY.account);
    else
      work.create(accounts, 'Account', {
        name: row.name ?? '',
        workflow_state: 'active',
        sis_source_id: id,
        sis_batch_id: null,
        default_time_zone: parent.default_time_zone,
        allow_sis_import: false,
        stuck_sis_fields: null,
        ...fields,
      });
    return true;
  },
};

/** Returns the state that a status means; without a status, an existing account stays unchanged. */
function stateIn(status: string | null): Account['workflow_state'] | undefined {
  if (/active/i.test(status ?? '')) return 'active';
  return /deleted/i.test(status ?? '') ? 'deleted' : undefined;
}

function deletionRefusal(account: Account, { world }: Work): string | undefined {
  const id = account.sis_source_id;
  if (world.accounts.by.parent.get(account.id).some((child) => child.workflow_state === 'active'))
    return say.hasAccounts(id);
  if (world.courses.by.account.get(account.id).some((course) => course.workflow_state !== 'deleted'))
    return say.hasCourses(id);
  return undefined;
}
