/** Acting for someone whose session may have ended: their access is checked again. */
import { TOOLS } from '@lms-admin/contract/tools';
import { hasFlag } from '@lms-admin/domain/access';
import type { Admin } from '../auth/admin.ts';
import type { Grants } from '../auth/grants.ts';
import { AppError } from '../platform/errors.ts';
import type { AccessRecords } from './records.ts';

/** The person for whom work is done. */
export interface OnBehalf {
  login: string;
  name: string;
  canvasUserId: number;
  grantId: string | null;
  /** The tool that the work belongs to. */
  tool: string;
}

/** @throws AppError not-allowed if the person no longer has an access record, or has no access to the tool */
export type ActFor = (who: OnBehalf) => Admin;

export function createActFor({ access, grants }: { access: AccessRecords; grants: Grants }): ActFor {
  return ({ login, name, canvasUserId, grantId, tool }) => {
    const record = access.find(login);
    const its = TOOLS.find(({ id }) => id === tool);
    if (!record || (its && !hasFlag(record, its.flag))) {
      throw new AppError('not-allowed', {
        message: record
          ? `You no longer have access to ${its?.tab ?? 'this tool'}.`
          : 'You no longer have access to LMS Admin.',
        next: 'Ask IT Support.',
      });
    }
    return {
      login,
      name,
      canvasUserId,
      record,
      sessionId: 'job',
      grantId: grantId ?? '',
      token: grants.rootToken(grantId),
    };
  };
}
