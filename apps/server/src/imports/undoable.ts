/** Imports that can be taken back, and by whom. */
import type { SisImport } from '@lms-admin/contract/imports';
import type { ToolId } from '@lms-admin/contract/tools';
import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { requireTool } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import { type LmsIdentity, sameLms } from '../canvas/identity.ts';
import { readUndoMarks } from '../jobs/undo-marks.ts';
import type { Database, Db } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { imports, jobs } from '../platform/schema.ts';
import { readPlanHead, type StoredPlan } from './plan-store.ts';
import { canUndo, importRecords } from './record.ts';

/**
 * An import of one's own that can be taken back, with the plan that it was made of.
 * @throws AppError not-allowed; not-found: no such import of theirs; conflict: nothing to take back, or not kept any more
 */
export async function requireUndoable(
  { db: { db }, identity }: { db: Database; identity: LmsIdentity },
  admin: Admin,
  tool: ToolId,
  id: string,
): Promise<{ row: { id: string; label: string }; plan: StoredPlan }> {
  requireTool(admin, tool);
  const [row] = await importRecords(db).where(
    and(eq(imports.id, id), eq(jobs.login, admin.login), eq(jobs.tool, tool)),
  );
  const now = await identity.lastSeen(admin.token);
  if (!row || !sameLms(row.lms, now))
    throw new AppError('not-found', { message: 'There is no such import.' });
  const plan =
    row.planId === null ? null : await readPlanHead(db, admin.login, row.planId, { evenIfOld: true });
  if (!canUndo(row) || plan === null) throw notUndoable(row.step !== 'final');
  return { row, plan };
}

/** Numbers in the LMS of an import, of those that undo it, and of those that undo these. */
export async function lmsNumbersOf(db: Db, id: string): Promise<number[]> {
  const found = await db
    .select({ number: imports.canvasId })
    .from(imports)
    .where(
      sql`${imports.id} in (
        with recursive chain as (
          select id from jobs where id = ${id}
          union select jobs.id from jobs join chain on jobs.undoes = chain.id
        )
        select id from chain
      )`,
    );
  return found.flatMap(({ number }) => number ?? []);
}

/**
 * Which of these numbers in the LMS are of imports that undo others, each with the plan of what it undoes, null where that had none:
 * they restore, and nobody has asked for it by a file.
 */
export async function plansUndoneBy(
  db: Db,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, string | null>> {
  if (numbers.length === 0) return new Map();
  const undone = alias(imports, 'undone');
  const found = await db
    .select({ number: imports.canvasId, plan: undone.planId })
    .from(imports)
    .innerJoin(jobs, eq(jobs.id, imports.id))
    .leftJoin(undone, eq(undone.id, jobs.undoes))
    .where(and(inArray(imports.canvasId, [...numbers]), isNotNull(jobs.undoes)));
  return new Map(found.flatMap(({ number, plan }) => (number === null ? [] : [[number, plan]])));
}

/** The same imports; undo is offered only for those of which something stands, and which nobody is undoing. */
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

function notUndoable(goesOn: boolean): AppError {
  return new AppError('conflict', {
    message: goesOn
      ? 'The import has not ended yet.'
      : 'This import cannot be undone: nothing of it was sent, or its rows are not kept any more.',
    next: goesOn ? 'Wait for its end.' : 'Make the opposite change with the tool itself.',
  });
}
