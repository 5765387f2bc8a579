/** Tells whether the changes of jobs are still in effect, from the jobs that undo them and the jobs they undo. */
import type { Job } from '@lms-admin/contract/jobs';
import { type Undoing, undoMarks } from '@lms-admin/domain/undo-marks';
import { asc, sql } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { jobs } from '../platform/schema.ts';

type UndoneJob = Pick<typeof jobs.$inferSelect, 'undoes' | 'undoesPart' | 'outcome'>;

/** Reads the marks of jobs by their ids, including the other jobs of their undo chains. */
export async function readUndoMarks(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, NonNullable<Job['undone_by']>>> {
  if (ids.length === 0) return new Map();
  const found = await db
    .select({
      id: jobs.id,
      undoes: jobs.undoes,
      undoesPart: jobs.undoesPart,
      outcome: jobs.outcome,
    })
    .from(jobs)
    .where(
      sql`${jobs.id} in (
        with recursive
          before as (
            select id, undoes from jobs where id in ${[...ids]}
            union select jobs.id, jobs.undoes from jobs join before on jobs.id = before.undoes
          ),
          chain as (
            select id from before
            union select jobs.id from jobs join chain on jobs.undoes = chain.id
          )
        select id from chain
      )`,
    )
    .orderBy(asc(jobs.createdAt), asc(jobs.id));
  return undoMarks(found.map(({ id, ...one }) => ({ id, undoes: one.undoes, extent: extentOf(one) })));
}

function extentOf({ undoes, undoesPart, outcome }: UndoneJob): Undoing['extent'] {
  if (outcome === null) return 'open';
  if (outcome === 'failed' || outcome === 'cancelled') return 'nothing';
  return undoes !== null && (undoesPart || outcome === 'partly') ? 'part' : 'all';
}
