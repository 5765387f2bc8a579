/** Tables whose rows change people or their logins: they must not remove the sender's own account, or LMS Admin's. */
import type { RowCheck } from '@lms-admin/domain/sis-rows';
import type { Report } from '../../imports/row-problems.ts';
import { guardedAccounts, guardedCheck } from './guarded.ts';
import { TablePolicy } from './policy.ts';

export class PeoplePolicy extends TablePolicy {
  override async begin(header: readonly string[], _report: Report): Promise<RowCheck[]> {
    const { services, admin, signal } = this.context;
    return [guardedCheck(await guardedAccounts(services.canvas, admin, signal), header)];
  }
}
