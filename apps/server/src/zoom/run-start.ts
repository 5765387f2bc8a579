/** Starts a run: stores the work order as a file, then records the job for it (OP-60). */
import { randomUUID } from 'node:crypto';
import type { JobAbout } from '@lms-admin/contract/jobs';
import { ZOOM_RUN, type ZoomRunOrder } from '@lms-admin/contract/zoom-runs';
import { and, desc, eq, like } from 'drizzle-orm';
import type { Admin } from '../auth/admin.ts';
import type { Files } from '../files/files.ts';
import type { Jobs, NewJob, Starter } from '../jobs/jobs.ts';
import type { JobRow } from '../jobs/kind.ts';
import type { Db } from '../platform/database.ts';
import { jobs as jobsTable } from '../platform/schema.ts';
import { storable } from '../platform/text.ts';

export const RUN_TOOL = 'zoom-run';
/** A call without a key this soon after the same one is a duplicate, even if the run has ended (milliseconds). */
const JOINED_MS = 1_000;
/** A run that waits longer than this, for example for a host's next day, does not absorb a new call (milliseconds). */
const TIMEOUT_MS = 60_000;

export interface StartParts {
  db: Db;
  jobs: Jobs;
  files: Files;
}

interface RunRequest {
  order: ZoomRunOrder;
  /** Display name of the course. */
  course: string;
  /** Missing if only the course's number is known so far. */
  about?: JobAbout;
  key: string;
  lms: string;
  requestId?: string;
}

/** Returns the title of a run. @param course its code or name */
export function runLabel({ queued, days }: ZoomRunOrder, course: string): string {
  return storable(`${queued === null ? 'Zoom run' : 'Zoom run of the queue'}: ${course}, ${days} days`);
}

/**
 * Starts the run.
 * @param more further writes for the transaction that records the job
 * @returns the job; an earlier one if the key is known already
 */
export async function startRun(
  { jobs, files }: StartParts,
  who: Starter,
  { order, course, about, key, lms, requestId }: RunRequest,
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
 * Starts a run for an admin. A confirmation with a key is one run, however often it is sent. A call without a key joins
 * the same run while it is in progress (OP-61): the generated key names the previous run, so that several concurrent
 * calls start only one.
 */
export async function startOnce(
  parts: StartParts,
  admin: Admin,
  request: Omit<RunRequest, 'key'> & { key: string | null },
): Promise<JobRow> {
  const { course, days } = request.order;
  const family = `once ${course} ${days} after `;
  if (request.key !== null) return startRun(parts, admin, { ...request, key: `${family}${request.key}` });
  const [last] = await parts.db
    .select()
    .from(jobsTable)
    .where(
      and(
        eq(jobsTable.login, admin.login),
        eq(jobsTable.kind, ZOOM_RUN),
        eq(jobsTable.lms, request.lms),
        like(jobsTable.key, `${family}%`),
      ),
    )
    .orderBy(desc(jobsTable.createdAt), desc(jobsTable.id))
    .limit(1);
  const isFresh = last?.outcome === 'done' && Date.now() - last.createdAt.getTime() < JOINED_MS;
  const waitsLong = last?.state === 'waiting' && (last.waitUntil?.getTime() ?? 0) > Date.now() + TIMEOUT_MS;
  if (last && ((last.endedAt === null && !waitsLong) || isFresh)) return last;
  return startRun(parts, admin, { ...request, key: `${family}${last?.id ?? request.lms}` });
}
