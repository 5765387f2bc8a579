/** Undo of imports: when it is offered, and the check that an import is only undone once. */
import type { SisImport } from '@lms-admin/contract/imports';
import { and, eq, gt, ne } from 'drizzle-orm';
import { readUndoMarks } from '../jobs/undo-marks.ts';
import type { Db } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { jobs } from '../platform/schema.ts';
import type { PlannedUndo } from './sources.ts';

/** Returns the imports, offering undo only if some changes are still in effect and no other undo is running. */
export async function offeringUndo(db: Db, all: readonly SisImport[]): Promise<SisImport[]> {
  const marks = await readUndoMarks(
    db,
    all.filter((one) => one.can_undo).map(({ id }) => id),
  );
  return all.map((one) => {
    const mark = marks.get(one.id)?.mark ?? 'again';
    return { ...one, can_undo: one.can_undo && (mark === 'again' || mark === 'partly') };
  });
}

/**
 * Rejects an undo if another submission, for example from a second tab, has undone the import since the plan was made.
 * Of two concurrent submissions, one waits here for the other.
 * @param tx the transaction that has written the job `id`
 * @throws AppError conflict
 */
export async function requireNotUndoneSince(tx: Db, undo: PlannedUndo, id: string): Promise<void> {
  await tx.select({ id: jobs.id }).from(jobs).where(eq(jobs.id, undo.import)).for('update');
  const [other] = await tx
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.undoes, undo.import), ne(jobs.id, id), gt(jobs.createdAt, undo.plannedAt)))
    .limit(1);
  if (other === undefined) return;
  throw new AppError('conflict', {
    message: 'This import has already been undone, perhaps in another tab.',
    nothingSent: true,
    next: 'Check the result in Activity. If there is something left to undo, review it again.',
  });
}
