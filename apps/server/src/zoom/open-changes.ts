/** Unfinished changes of a course, by any admin. */
import { ZOOM_CHANGE, type ZoomChange } from '@lms-admin/contract/zoom';
import { and, asc, eq, isNull } from 'drizzle-orm';
import type { JobRow } from '../jobs/kind.ts';
import type { Db } from '../platform/database.ts';
import { unpack } from '../platform/packed.ts';
import { jobs } from '../platform/schema.ts';
import { changeInput } from './change-input.ts';

export interface OpenChange {
  job: Pick<JobRow, 'id' | 'label' | 'login' | 'name' | 'state' | 'waitUntil' | 'createdAt'>;
  change: ZoomChange;
}

/** Maximum number of open changes read; there are never more at a time. */
const MOST = 500;

/** Returns the changes, oldest first. @param lms the LMS of the course */
export async function openChanges(db: Db, lms: string, course: number): Promise<OpenChange[]> {
  const rows = await db
    .select({
      id: jobs.id,
      label: jobs.label,
      login: jobs.login,
      name: jobs.name,
      state: jobs.state,
      waitUntil: jobs.waitUntil,
      createdAt: jobs.createdAt,
      input: jobs.input,
    })
    .from(jobs)
    .where(and(eq(jobs.kind, ZOOM_CHANGE), eq(jobs.lms, lms), isNull(jobs.endedAt)))
    .orderBy(asc(jobs.createdAt))
    .limit(MOST);
  const changes = await Promise.all(
    rows.map(async ({ input, ...job }) => {
      const change = input === null ? null : changeInput.safeParse(await unpack(input)).data?.change;
      return change?.course === course ? { job, change } : null;
    }),
  );
  return changes.filter((one) => one !== null);
}
