/** Begins a run: the work order is kept as a file, then the job is recorded that carries it out (OP-60). */
import { randomUUID } from 'node:crypto';
import type { JobAbout } from '@lms-admin/contract/jobs';
import { ZOOM_RUN, type ZoomRunOrder } from '@lms-admin/contract/zoom';
import { and, desc, eq, like } from 'drizzle-orm';
import type { Admin } from '../auth/admin.ts';
import type { Files } from '../files/files.ts';
import type { Jobs, NewJob, Starter } from '../jobs/jobs.ts';
import type { JobRow } from '../jobs/kind.ts';
import type { Db } from '../platform/database.ts';
import { jobs as jobsTable } from '../platform/schema.ts';
import { storable } from '../platform/text.ts';

export const RUN_TOOL = 'zoom-run';
/** A call without a key that comes so soon after the same one was sent twice, also if the run has ended already. */
const JOINED_MS = 1_000;
/** What waits longer than this, such as for the next day of a host, is not the run that someone wants now. */
const PATIENCE_MS = 60_000;

export interface StartParts {
  db: Db;
  jobs: Jobs;
  files: Files;
}

interface Asked {
  order: ZoomRunOrder;
  /** The course, as people call it. */
  course: string;
  /** None where only its number is known so far. */
  about?: JobAbout;
  key: string;
  lms: string;
  requestId?: string;
}

/** What a run is called. @param course its code or name */
export function runLabel({ queued, days }: ZoomRunOrder, course: string): string {
  return storable(`${queued === null ? 'Zoom run' : 'Zoom run of the queue'}: ${course}, ${days} days`);
}

/**
 * Begins it. @param more what else is written with the record of the job
 * @returns the job; an earlier one where the key is known already
 */
export async function startRun(
  { jobs, files }: StartParts,
  who: Starter,
  { order, course, about, key, lms, requestId }: Asked,
  more?: (tx: Db, id: string) => Promise<unknown>,
): Promise<JobRow> {
  const id = randomUUID();
  const what: NewJob = {
    id,
    kind: ZOOM_RUN,
    tool: RUN_TOOL,
    label: runLabel(order, course),
    about: about ?? null,
    key,
    input: order,
    lms,
    ...(requestId === undefined ? {} : { requestId }),
  };
  const name = `zoom-run-${order.course}-${order.days}-days.json`;
  await files.write({ jobId: id, login: who.login, name, type: 'application/json' }, orderFile(order, who));
  try {
    const job = await jobs.start(who, what, more);
    if (job.id !== id) await files.forget([id]);
    return job;
  } catch (error) {
    await files.forget([id]);
    throw error;
  }
}

async function* orderFile(order: ZoomRunOrder, { login }: Starter): AsyncGenerator<string, void, void> {
  yield JSON.stringify({ ...order, requested_by: login, requested_at: new Date().toISOString() }, null, 2);
}

/**
 * A run that an admin asks for. A confirmation with a key is one run, however often it is sent. Without one, the same run asked
 * again while it goes on is joined (OP-61): the key names the run before it, so that of several asked at once one is made.
 */
export async function startOnce(
  parts: StartParts,
  admin: Admin,
  asked: Omit<Asked, 'key'> & { key: string | null },
): Promise<JobRow> {
  const { course, days } = asked.order;
  const family = `once ${course} ${days} after `;
  if (asked.key !== null) return startRun(parts, admin, { ...asked, key: `${family}${asked.key}` });
  const [last] = await parts.db
    .select()
    .from(jobsTable)
    .where(
      and(
        eq(jobsTable.login, admin.login),
        eq(jobsTable.kind, ZOOM_RUN),
        eq(jobsTable.lms, asked.lms),
        like(jobsTable.key, `${family}%`),
      ),
    )
    .orderBy(desc(jobsTable.createdAt), desc(jobsTable.id))
    .limit(1);
  const isFresh = last?.outcome === 'done' && Date.now() - last.createdAt.getTime() < JOINED_MS;
  const waitsLong = last?.state === 'waiting' && (last.waitUntil?.getTime() ?? 0) > Date.now() + PATIENCE_MS;
  if (last && ((last.endedAt === null && !waitsLong) || isFresh)) return last;
  return startRun(parts, admin, { ...asked, key: `${family}${last?.id ?? asked.lms}` });
}
