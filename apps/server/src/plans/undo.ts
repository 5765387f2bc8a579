/** Undo of an import, which has its own plan: finds imports that can be undone, and the import that a plan undoes. */
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

/** An import that can be undone, with its plan. */
export interface Undoable {
  row: { id: string; label: string };
  plan: StoredPlan;
  /** Text before the label of the undo. */
  prefix: string;
}

/**
 * Reads the admin's own import with its plan, if it can be undone.
 * @throws AppError not-allowed; not-found: the admin has no such import; conflict: nothing to undo, or already removed
 */
export async function requireUndoable(
  { db: { db }, identity }: { db: Database; identity: LmsIdentity },
  admin: Admin,
  tool: ToolId,
  id: string,
): Promise<Undoable> {
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
  return { row, plan, prefix: undoPrefix(await undoneInARow(db, admin.login, row.id)) };
}

/**
 * Counts how often an undo was undone in turn: 0 for an import that undoes nothing, 1 for its undo, 2 for the undo of
 * that undo.
 */
async function undoneInARow(db: Db, login: string, id: string): Promise<number> {
  let undos = 0;
  for (let at = await undoneImport(db, login, id); at !== null; at = await undoneImport(db, login, at))
    undos++;
  return undos;
}

/** Returns the import that this one undoes. Jobs of early versions do not name it; their plan does. */
async function undoneImport(db: Db, login: string, id: string): Promise<string | null> {
  const [row] = await db
    .select({ undoes: jobs.undoes, planId: imports.planId })
    .from(imports)
    .innerJoin(jobs, eq(jobs.id, imports.id))
    .where(eq(imports.id, id));
  if (!row || row.undoes !== null || row.planId === null) return row?.undoes ?? null;
  return (await undoOfPlan(db, login, row.planId))?.import ?? null;
}

/** Collects the LMS numbers of an import, of the imports that undo it, and of those that undo these. */
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
 * Finds which of these LMS numbers belong to undo imports, each with the plan of the undone import, or null if it had
 * none. Undo imports restore data that no file asked for.
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

/** The part that an undo plan leaves as it is, for any tool. */
interface UndoLeaves {
  kept?: readonly unknown[];
  entries?: readonly { not_found: readonly unknown[]; failed: readonly unknown[] }[];
  totals?: { refused?: number };
}

function leavesSome({ kept = [], entries = [], totals }: UndoLeaves): boolean {
  const unfound = entries.some((one) => one.not_found.length + one.failed.length > 0);
  return kept.length > 0 || unfound || (totals?.refused ?? 0) > 0;
}

/** Reads the import that this person's plan undoes, and when the plan was made; null for a plan of another kind. */
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
      : 'This import cannot be undone, because nothing was sent or its rows are no longer kept.',
    next: goesOn
      ? 'Wait until it has ended.'
      : 'Reverse the change yourself in Course, Section or Group Enrollment.',
  });
}

/**
 * The text before the label of an undo. Without it, an undo and its undo could have the same title in lists, for
 * example if one person moves back and forth.
 * @param undone as counted by `undoneInARow` for the undone import
 */
function undoPrefix(undone: number): string {
  const word = undone % 2 === 0 ? 'Undo' : 'Redo';
  return undone < 2 ? `${word}: ` : `${word} again: `;
}
