/** Leases on imports: one process works on an import at a time, and only it may change the record. */
import { and, eq, isNull, lt, ne, or, sql } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { imports } from '../platform/schema.ts';
import type { ImportRow } from './record.ts';

/** Thrown when another process has taken the import over; the work is to be dropped without a trace. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

/** The database's clock, which all processes share. */
const until = (leaseMs: number) => sql`now() + ${leaseMs}::double precision * interval '1 millisecond'`;
const free = or(isNull(imports.leaseUntil), lt(imports.leaseUntil, sql`now()`));

/** Takes an import that nobody works on; null when somebody does, or when it is final. */
export async function claim(db: Db, id: string, owner: string, leaseMs: number): Promise<ImportRow | null> {
  const [row] = await db
    .update(imports)
    .set({ leaseOwner: owner, leaseUntil: until(leaseMs) })
    .where(and(eq(imports.id, id), ne(imports.step, 'final'), free))
    .returning();
  return row ?? null;
}

/** Keeps an import for another while. @throws LeaseLost */
export async function renew(db: Db, id: string, owner: string, leaseMs: number): Promise<void> {
  const rows = await db
    .update(imports)
    .set({ leaseUntil: until(leaseMs) })
    .where(and(eq(imports.id, id), eq(imports.leaseOwner, owner)))
    .returning({ id: imports.id });
  if (rows.length === 0) throw new LeaseLost();
}

/** Changes the record of an import that is ours. @throws LeaseLost */
export async function save(db: Db, id: string, owner: string, patch: Partial<ImportRow>): Promise<ImportRow> {
  const [row] = await db
    .update(imports)
    .set({ ...patch, updatedAt: new Date() })
    .where(and(eq(imports.id, id), eq(imports.leaseOwner, owner)))
    .returning();
  if (!row) throw new LeaseLost();
  return row;
}

/** Gives an import free for whoever comes next. */
export async function giveBack(db: Db, id: string, owner: string): Promise<void> {
  await db
    .update(imports)
    .set({ leaseOwner: null, leaseUntil: null })
    .where(and(eq(imports.id, id), eq(imports.leaseOwner, owner)));
}

/** Gives every import free: only where it is certain that no other process lives (the embedded database's lock). */
export async function giveBackAll(db: Db): Promise<void> {
  await db.update(imports).set({ leaseOwner: null, leaseUntil: null }).where(ne(imports.step, 'final'));
}

/** Imports that nobody works on, oldest first. */
export async function waiting(db: Db): Promise<string[]> {
  const rows = await db
    .select({ id: imports.id })
    .from(imports)
    .where(and(ne(imports.step, 'final'), free))
    .orderBy(imports.createdAt)
    .limit(100);
  return rows.map((row) => row.id);
}
