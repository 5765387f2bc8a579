/** Undoing an import is a plan of its own: which import may be undone, and which one a plan undoes. */
import type { ToolId } from '@lms-admin/contract/tools';
import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { requireTool } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import { type LmsIdentity, sameLms } from '../canvas/identity.ts';
import { canUndo, importRecords } from '../imports/record.ts';
import type { PlannedUndo } from '../imports/sources.ts';
import type { Database, Db } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { unpack } from '../platform/packed.ts';
import { imports, jobs, plans } from '../platform/schema.ts';
import { readPlanHead, type StoredPlan } from './store.ts';

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
    throw new AppError('not-found', { message: 'The import was not found.' });
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
 * they restore, and no one has asked for it by a file.
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

/** What of a plan of undoing stays as it is, whichever tool made it. */
interface UndoLeaves {
  kept?: readonly unknown[];
  entries?: readonly { not_found: readonly unknown[]; failed: readonly unknown[] }[];
  totals?: { refused?: number };
}

function leavesSome({ kept = [], entries = [], totals }: UndoLeaves): boolean {
  const unfound = entries.some((one) => one.not_found.length + one.failed.length > 0);
  return kept.length > 0 || unfound || (totals?.refused ?? 0) > 0;
}

/** What a plan of this person undoes, and when it was worked out; null for a plan of another kind. */
export async function undoOfPlan(db: Db, login: string, id: string): Promise<PlannedUndo | null> {
  const [row] = await db
    .select({ summary: plans.summary, createdAt: plans.createdAt })
    .from(plans)
    .where(and(eq(plans.id, id), eq(plans.login, login)));
  if (!row) return null;
  const { undoes, ...rest } = await unpack<{ undoes?: { import: string } } & UndoLeaves>(row.summary);
  return undoes ? { import: undoes.import, part: leavesSome(rest), plannedAt: row.createdAt } : null;
}

function notUndoable(goesOn: boolean): AppError {
  return new AppError('conflict', {
    message: goesOn
      ? 'The import has not ended yet.'
      : 'This import cannot be undone: nothing was sent, or its rows are no longer kept.',
    next: goesOn
      ? 'Wait until it has ended.'
      : 'Reverse the change yourself in Course, Section or Group Enrollment.',
  });
}

/** What is before what it does: an undo, and the undo of an undo, may do the same in numbers, such as moving one person. */
const NEXT: readonly (readonly [undone: string, undoing: string])[] = [
  ['Undo: ', 'Redo: '],
  ['Redo: ', 'Undo again: '],
  ['Undo again: ', 'Redo again: '],
  ['Redo again: ', 'Undo again: '],
];

/**
 * How the undoing of an import is called in lists.
 * @param label of the import that is undone
 */
export function undoPrefix(label: string): string {
  return NEXT.find(([undone]) => label.startsWith(undone))?.[1] ?? 'Undo: ';
}
