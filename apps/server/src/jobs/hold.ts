/** Holds work after a restore: work that changes another system waits until an operator releases it. */

import type { Db } from '../platform/database.ts';
import { isHeld } from '../platform/installation.ts';
import { type JobKind, type JobRow, RestUntil } from './kind.ts';

/** Reason for the wait, shown in Activity and in `lms-admin jobs`. */
export const HELD =
  'LMS Admin was restored from a backup. This work waits until IT Support releases it (lms-admin release).';

/** Milliseconds until work is checked again. A release wakes held work; this covers work that was just being held. */
const RECHECK_MS = 30_000;

/** Makes a job wait while work is held; a job whose cancellation was requested can end. @throws RestUntil while held */
export async function requireReleased(
  db: Db,
  kind: JobKind,
  { cancelRequestedAt }: Pick<JobRow, 'cancelRequestedAt'>,
): Promise<void> {
  if (kind.changes && cancelRequestedAt === null && (await isHeld(db)))
    throw new RestUntil(new Date(Date.now() + RECHECK_MS), HELD);
}
