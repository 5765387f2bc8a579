/** Whether what jobs did still stands: read with everything that undoes them, and what they undo. */
import type { Job } from '@lms-admin/contract/jobs';
import { type Undoing, undoMarks } from '@lms-admin/domain/undo-marks';
import { asc, sql } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { jobs } from '../platform/schema.ts';

type Made = Pick<typeof jobs.$inferSelect, 'undoes' | 'undoesPart' | 'outcome'>;

/** The marks of jobs by their ids; of others of their chains as well. */
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
  return undoMarks(found.map(({ id, ...one }) => ({ id, undoes: one.undoes, did: didOf(one) })));
}

function didOf({ undoes, undoesPart, outcome }: Made): Undoing['did'] {
  if (outcome === null) return 'open';
  if (outcome === 'failed' || outcome === 'cancelled') return 'nothing';
  return undoes !== null && (undoesPart || outcome === 'partly') ? 'part' : 'all';
}
