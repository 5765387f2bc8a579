/** Work after a restore: what changes something outside waits until an operator releases it. */

import type { Db } from '../platform/database.ts';
import { isHeld } from '../platform/installation.ts';
import { type JobKind, type JobRow, RestUntil } from './kind.ts';

/** Why it waits: in Activity, and in `lms-admin jobs`. */
export const HELD =
  'LMS Admin was restored from a backup. This waits until IT Support releases it (lms-admin release).';

/** A release wakes what waits; this is for work that has begun to wait in that moment (milliseconds). */
const LOOK_AGAIN_MS = 30_000;

/** @throws RestUntil while it is held; work whose end was asked for may end */
export async function requireReleased(
  db: Db,
  kind: JobKind,
  { cancelAskedAt }: Pick<JobRow, 'cancelAskedAt'>,
): Promise<void> {
  if (kind.changes && cancelAskedAt === null && (await isHeld(db)))
    throw new RestUntil(new Date(Date.now() + LOOK_AGAIN_MS), HELD);
}
