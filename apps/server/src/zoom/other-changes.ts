/** Changes to the same events by other jobs: the latest decision applies, whatever the order of the jobs. */
import { isDeepStrictEqual } from 'node:util';
import { ZOOM_CHANGE, type ZoomChange } from '@lms-admin/contract/zoom';
import type { ZoomPreview } from '@lms-admin/contract/zoom-preview';
import { and, desc, eq, gt, inArray, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { JobRow } from '../jobs/kind.ts';
import type { Db } from '../platform/database.ts';
import { unpack } from '../platform/packed.ts';
import { jobItems, jobs } from '../platform/schema.ts';
import type { Calendar } from './calendar.ts';
import { changeInput } from './change-input.ts';

/** An event as an item of a change stores it. `course` is missing in items of earlier versions. */
export const changedEvent = z.object({
  event: z.number(),
  reservation: z.string().nullable(),
  course: z.number().optional(),
});
type ChangedEvent = z.infer<typeof changedEvent>;

export interface OtherChange {
  /** Name of the administrator who requested the change. */
  by: string;
  /** When the change continues; null if it is not waiting. */
  until: Date | null;
}

type Entry = OtherChange & { job: string; input: JobRow['input']; names: ChangedEvent };

/** Plans of other jobs for the events of a course. */
export class OtherChanges {
  readonly #entries: readonly Entry[];
  readonly #course: number;

  private constructor(entries: readonly Entry[], course: number) {
    this.#entries = entries;
    this.#course = course;
  }

  /** Finds changes requested after a job that are done or still to be done. Failed and cancelled ones do not count. */
  static async after(
    db: Db,
    { id, lms, createdAt }: Pick<JobRow, 'id' | 'lms' | 'createdAt'>,
    course: number,
  ): Promise<OtherChanges> {
    const later = or(gt(jobs.createdAt, createdAt), and(eq(jobs.createdAt, createdAt), gt(jobs.id, id)));
    const counts = or(
      inArray(jobItems.state, ['done', 'doing', 'unknown']),
      and(eq(jobItems.state, 'todo'), isNull(jobs.endedAt)),
    );
    return new OtherChanges(await entries(db, lms, and(later, counts)), course);
  }

  /** Finds waiting changes: they have not ended, and these events are still to be done. */
  static async waiting(db: Db, lms: string, course: number): Promise<OtherChanges> {
    const waits = and(isNull(jobs.endedAt), inArray(jobItems.state, ['todo', 'doing']));
    return new OtherChanges(await entries(db, lms, waits), course);
  }

  /** Wakes older waiting changes if this one has done some of their events, so that they have fewer left, or none. */
  static async wakeOlder(
    db: Db,
    { id, lms, createdAt }: Pick<JobRow, 'id' | 'lms' | 'createdAt'>,
    course: number,
  ): Promise<void> {
    const mine = await db
      .select({ names: jobItems.input })
      .from(jobItems)
      .where(and(eq(jobItems.jobId, id), eq(jobItems.state, 'done')));
    const older = and(lt(jobs.createdAt, createdAt), eq(jobs.state, 'waiting'), eq(jobs.needsSignIn, false));
    const waits = and(isNull(jobs.endedAt), eq(jobItems.state, 'todo'), older);
    const others = new OtherChanges(await entries(db, lms, waits), course);
    const woken = new Set(
      mine.flatMap(({ names }) => others.all(changedEvent.parse(names)).map(({ job }) => job)),
    );
    if (woken.size === 0) return;
    await db
      .update(jobs)
      .set({ waitUntil: sql`now()` })
      .where(and(inArray(jobs.id, [...woken]), eq(jobs.state, 'waiting'), eq(jobs.needsSignIn, false)));
  }

  /** Returns the latest change of an event; null if there is none. */
  of(event: ChangedEvent): Entry | null {
    return this.all(event)[0] ?? null;
  }

  /** Returns all changes of an event, latest first. */
  all({ event, reservation }: ChangedEvent): Entry[] {
    const course = this.#course;
    return this.#entries.filter(
      ({ names }) =>
        names.event === event ||
        (reservation !== null && names.reservation === reservation && names.course === course),
    );
  }

  /** Returns the latest change of an event that has a different aim; null if there is none. */
  async against(names: ChangedEvent, change: ZoomChange): Promise<OtherChange | null> {
    const found = this.of(names);
    if (!found) return null;
    const desiredChange =
      found.input === null ? null : changeInput.safeParse(await unpack(found.input)).data?.change;
    return desiredChange && isDeepStrictEqual(desiredOf(desiredChange), desiredOf(change)) ? null : found;
  }
}

/**
 * Finds waiting changes of the same events that a new one would replace, and those of the main event in a merge.
 * @param lms the LMS of the course
 */
export async function waitingChanges(
  db: Db,
  lms: string,
  { courseId, of }: Calendar,
  change: ZoomChange,
): Promise<ZoomPreview['waiting']> {
  const others = await OtherChanges.waiting(db, lms, courseId);
  const ids = change.change === 'unmerge' ? [change.event] : change.events;
  const families = new Set(ids.flatMap((id) => of.get(id) ?? []));
  const main = change.change === 'merge' ? of.get(change.parent) : undefined;
  if (main) families.add(main);
  return [...families].flatMap((family) => {
    const { event, reservationId } = family.own;
    const found = others.all({ event: event.id, reservation: reservationId });
    const { id, title, start_at } = event;
    const texts = found.map(({ by, until }) => ({
      event: id,
      title,
      start_at,
      by,
      until: until?.toISOString() ?? null,
    }));
    // Older changes of a main event give way to the latest.
    return family === main ? texts.slice(0, 1).map((one) => ({ ...one, main: true as const })) : texts;
  });
}

async function entries(db: Db, lms: string, which: SQL | undefined): Promise<Entry[]> {
  const rows = await db
    .select({
      job: jobs.id,
      by: jobs.name,
      until: sql<Date | null>`case when ${jobs.state} = 'waiting' then ${jobs.waitUntil} end`.mapWith(
        jobs.waitUntil,
      ),
      input: jobs.input,
      names: jobItems.input,
    })
    .from(jobItems)
    .innerJoin(jobs, eq(jobs.id, jobItems.jobId))
    .where(and(eq(jobs.kind, ZOOM_CHANGE), eq(jobs.lms, lms), ne(jobItems.state, 'failed'), which))
    .orderBy(desc(jobs.createdAt), desc(jobs.id));
  return rows.flatMap((row) => {
    const names = changedEvent.safeParse(row.names);
    return names.success ? [{ ...row, names: names.data }] : [];
  });
}

/** Returns the aim of a change, without its events. */
function desiredOf(change: ZoomChange): unknown {
  if (change.change === 'unmerge') return { change: change.change };
  const { events: _, ...desired } = change;
  return desired.change === 'publish'
    ? { ...desired, co_hosts: desired.co_hosts && [...desired.co_hosts].sort() }
    : desired;
}
