import { railsNameOf } from '../../../http/rails-zones.ts';
import type { View } from '../../http/view.ts';
import type { Account, Term } from '../../store/model.ts';

/** Returns the Account object (§6.1). `counts` contains the requested counts. */
export function accountJson(view: View, account: Account, counts: Record<string, number> = {}): object {
  const root = account.parent_account_id === null;
  const zone = account.default_time_zone;
  return {
    id: account.id,
    name: account.name,
    workflow_state: account.workflow_state,
    parent_account_id: account.parent_account_id,
    root_account_id: root ? null : view.world.rootAccount.id,
    uuid: view.world.uuidOfAccount(account),
    default_storage_quota_mb: courseQuota(view, account),
    default_user_storage_quota_mb: account.quotas?.default_user_storage_quota_mb ?? 50,
    default_group_storage_quota_mb: account.quotas?.default_group_storage_quota_mb ?? 50,
    default_time_zone: zone,
    default_time_zone_friendly_name: railsNameOf(zone) ?? zone,
    course_template_id: null,
    ...(view.sis && !root
      ? { sis_account_id: account.sis_source_id, integration_id: account.integration_id }
      : {}),
    ...(view.manageSis && !root ? { sis_import_id: account.sis_batch_id } : {}),
    ...counts,
  };
}

/** Returns the quota of courses: the account's own, or that of the account above it. */
function courseQuota(view: View, account: Account): number {
  const set = view.world
    .accountChain(account.id)
    .find((one) => one.quotas?.default_storage_quota_mb !== undefined);
  return set?.quotas?.default_storage_quota_mb ?? 500;
}

/** Returns the Account object for people who only work in its courses. */
export function limitedAccountJson(view: View, account: Account): object {
  return {
    id: account.id,
    name: account.name,
    workflow_state: account.workflow_state,
    parent_account_id: account.parent_account_id,
    root_account_id: account.parent_account_id === null ? null : view.world.rootAccount.id,
    uuid: view.world.uuidOfAccount(account),
    default_time_zone: account.default_time_zone,
    default_time_zone_friendly_name: railsNameOf(account.default_time_zone) ?? account.default_time_zone,
  };
}

/** Returns the Term object (§6.2). */
export function termJson(view: View, term: Term, overrides = false): Record<string, unknown> {
  return {
    id: term.id,
    name: term.name,
    start_at: term.start_at,
    end_at: term.end_at,
    created_at: term.created_at,
    workflow_state: term.workflow_state,
    grading_period_group_id: null,
    ...(view.sis ? { sis_term_id: term.sis_source_id } : {}),
    ...(view.manageSis ? { sis_import_id: term.sis_batch_id } : {}),
    ...(overrides ? { overrides: term.overrides } : {}),
  };
}
