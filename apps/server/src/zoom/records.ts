/** Our rows about calendar events and their meetings, found again when a synchroniser has made the events again (OP-64). */
import { and, eq, inArray, isNull, lt, ne, notExists, notInArray, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Db } from '../platform/database.ts';
import { installation, zoomEvents, zoomMeetings } from '../platform/schema.ts';
import { storable } from '../platform/text.ts';
import type { ZoomMeeting } from '../zoom-api/types.ts';

export type ZoomRecord = typeof zoomEvents.$inferSelect;
export type MeetingRow = typeof zoomMeetings.$inferSelect;

/** What represents an event in our rows. */
export interface RecordKey {
  courseId: number;
  /** 0 for an event of the course. */
  sectionId: number;
  reservationId: string | null;
  eventId: number;
}

/** What of an event is kept beside. */
export interface SeenEvent extends RecordKey {
  title: string;
  startAt: Date | null;
  endAt: Date | null;
  takesPlace: boolean;
}

export type RecordPatch = Partial<
  Pick<ZoomRecord, 'parentId' | 'meeting' | 'visible' | 'making' | 'takesPlace'>
>;

/** Events of a host that are compared with the chosen ones. */
const MOST_BOOKINGS = 2_000;

/** The records of courses. */
export class RecordIndex {
  readonly all: readonly ZoomRecord[];
  readonly #byReservation = new Map<string, ZoomRecord>();
  readonly #byEvent = new Map<number, ZoomRecord>();
  readonly #byId = new Map<number, ZoomRecord>();

  constructor(records: readonly ZoomRecord[]) {
    this.all = records;
    for (const record of records) {
      this.#byId.set(record.id, record);
      this.#byEvent.set(record.eventId, record);
      if (record.reservationId !== null)
        this.#byReservation.set(keyOf(record.courseId, record.sectionId, record.reservationId), record);
    }
  }

  /** By reservation, whatever event represents it now; else by the event. No record represents two events. By event. */
  assign(keys: readonly RecordKey[]): Map<number, ZoomRecord> {
    const found = new Map<number, ZoomRecord>();
    const taken = new Set<number>();
    const take = (eventId: number, record: ZoomRecord | undefined) => {
      if (!record || taken.has(record.id)) return;
      taken.add(record.id);
      found.set(eventId, record);
    };
    for (const { courseId, sectionId, reservationId, eventId } of keys) {
      if (reservationId === null) continue;
      take(eventId, this.#byReservation.get(keyOf(courseId, sectionId, reservationId)));
    }
    for (const { eventId } of keys) if (!found.has(eventId)) take(eventId, this.#byEvent.get(eventId));
    return found;
  }

  get(id: number | null): ZoomRecord | null {
    return (id === null ? undefined : this.#byId.get(id)) ?? null;
  }
}

const keyOf = (course: number, section: number, reservation: string) => `${course} ${section} ${reservation}`;

/** From when until when what was done is not in our rows. */
export interface Gap {
  from: Date;
  to: Date;
}

/** What is asked of the rows, and changed in them: the engine works on whatever keeps them. */
export type RecordStore = Pick<ZoomRecords, keyof ZoomRecords>;

export interface Stored {
  records: ZoomRecord[];
  meetings: Map<number, MeetingRow>;
}

/** One LMS's rows. */
export class ZoomRecords {
  readonly #db: Db;
  readonly lms: string;

  constructor(db: Db, lms: string) {
    this.#db = db;
    this.lms = lms;
  }

  /**
   * The records of these courses with the meetings they name, in one query.
   * @param eventIds events that are in these courses now: records that they bring along from another one are added
   */
  async ofCourses(courseIds: readonly number[], eventIds: readonly number[] = []): Promise<Stored> {
    const here = inArray(zoomEvents.courseId, [...courseIds]);
    if (eventIds.length === 0) return this.#stored(here);
    const child = alias(zoomEvents, 'child');
    const comesAlong = and(isNull(child.reservationId), inArray(child.eventId, [...eventIds]));
    const merged = this.#db
      .select({ id: child.id })
      .from(child)
      .where(
        and(
          eq(child.parentId, zoomEvents.id),
          notInArray(child.courseId, [...courseIds]),
          sql`not coalesce(${comesAlong}, false)`,
        ),
      );
    const brought = and(
      isNull(zoomEvents.reservationId),
      inArray(zoomEvents.eventId, [...eventIds]),
      // A main event leaves its record to the others.
      notExists(merged),
    );
    return this.#stored(or(here, brought));
  }

  /** Records by their ids, with the meetings they name. */
  async byIds(ids: readonly number[]): Promise<Stored> {
    return this.#stored(inArray(zoomEvents.id, [...ids]));
  }

  /** Those of these records with which events of other courses are merged, also by way of a former main event: they were moved there. */
  async guestsOf(ids: readonly number[]): Promise<Set<number>> {
    if (ids.length === 0) return new Set();
    const rows = await this.#db
      .select({ id: zoomEvents.id })
      .from(zoomEvents)
      .where(
        and(
          inArray(zoomEvents.id, [...ids]),
          sql`exists (
            with recursive below as (
              select one.id, one.course_id from zoom_events one where one.parent_id = "zoom_events"."id"
              union
              select one.id, one.course_id from zoom_events one join below on one.parent_id = below.id
            )
            select from below where below.course_id <> "zoom_events"."course_id"
          )`,
        ),
      );
    return new Set(rows.map(({ id }) => id));
  }

  /** The records that are merged with these, also by way of a former main event, in whatever course. */
  async below(ids: readonly number[]): Promise<ZoomRecord[]> {
    const found = new Map<number, ZoomRecord>();
    for (let mains = [...ids]; mains.length > 0; ) {
      const { records } = await this.#stored(inArray(zoomEvents.parentId, mains));
      const more = records.filter(({ id }) => !found.has(id) && !ids.includes(id));
      for (const record of more) found.set(record.id, record);
      mains = more.map(({ id }) => id);
    }
    return [...found.values()];
  }

  async #stored(which: SQL | undefined): Promise<Stored> {
    const rows = await this.#db
      .select({ record: zoomEvents, meeting: zoomMeetings })
      .from(zoomEvents)
      .leftJoin(
        zoomMeetings,
        and(eq(zoomMeetings.lms, zoomEvents.lms), eq(zoomMeetings.number, zoomEvents.meeting)),
      )
      .where(and(eq(zoomEvents.lms, this.lms), which));
    const meetings = new Map(rows.flatMap(({ meeting }) => (meeting ? [[meeting.number, meeting]] : [])));
    return { records: rows.map(({ record }) => record), meetings };
  }

  /** Stores what is known of an event; one that has a record keeps what is not given. */
  async keep(
    known: ZoomRecord | null,
    event: SeenEvent,
    patch: RecordPatch,
    by: string,
  ): Promise<ZoomRecord> {
    const { courseId, sectionId, eventId, startAt, endAt, takesPlace } = event;
    const title = storable(event.title);
    const seen = { eventId, title, startAt, endAt, takesPlace, updatedBy: by, updatedAt: new Date() };
    if (known) {
      // An event that says no reservation any more keeps the one it was found by.
      const reservationId = event.reservationId ?? known.reservationId;
      const [row] = await this.#db
        .update(zoomEvents)
        .set({ ...seen, reservationId, ...patch })
        .where(eq(zoomEvents.id, known.id))
        .returning();
      if (row) return row;
    }
    const [made] = await this.#db
      .insert(zoomEvents)
      .values({ lms: this.lms, courseId, sectionId, reservationId: event.reservationId, ...seen, ...patch })
      .returning();
    if (!made) throw new Error('a record was not stored');
    return made;
  }

  /** Changes several records at once, or none. */
  async patchAll(changes: readonly { id: number; patch: RecordPatch }[], by: string): Promise<void> {
    if (changes.length === 0) return;
    await this.#db.transaction(async (tx) => {
      for (const { id, patch } of changes) {
        const set = { ...patch, updatedBy: by, updatedAt: new Date() };
        await tx.update(zoomEvents).set(set).where(eq(zoomEvents.id, id));
      }
    });
  }

  /**
   * Has records of events that were moved to another course in the LMS belong to that course. A main event leaves its record to
   * those that are merged with it and were not moved; what is merged stays merged.
   * @returns whether there were any
   */
  async move(courseId: number, eventIds: readonly number[]): Promise<boolean> {
    if (eventIds.length === 0) return false;
    return this.#db.transaction(async (tx) => {
      const moves = await movesOf(tx, this.lms, courseId, eventIds);
      for (const { record, patch } of moves)
        await tx.update(zoomEvents).set(patch).where(eq(zoomEvents.id, record.id));
      return moves.length > 0;
    });
  }

  /** What `move` would change. */
  async moves(courseId: number, eventIds: readonly number[]): Promise<RecordMove[]> {
    return eventIds.length === 0 ? [] : movesOf(this.#db, this.lms, courseId, eventIds);
  }

  /**
   * Events with a meeting of this host that begin or go on within the time, in whatever course. Merged ones use that of their
   * main event, and are told where they take place at another time. Of one that is given by section those of its sections are told.
   */
  async hostedBy(host: string, from: Date, to: Date): Promise<ZoomRecord[]> {
    const mains = alias(zoomEvents, 'mains');
    const isElsewhen = sql`(${zoomEvents.startAt}, ${zoomEvents.endAt}) is distinct from (${mains.startAt}, ${mains.endAt})`;
    const rows = await this.#db
      .select({ record: zoomEvents })
      .from(zoomEvents)
      .leftJoin(mains, eq(mains.id, zoomEvents.parentId))
      .innerJoin(
        zoomMeetings,
        and(
          eq(zoomMeetings.lms, zoomEvents.lms),
          or(
            and(isNull(zoomEvents.parentId), eq(zoomMeetings.number, zoomEvents.meeting)),
            and(eq(zoomMeetings.number, mains.meeting), isElsewhen),
          ),
        ),
      )
      .where(
        and(
          eq(zoomEvents.lms, this.lms),
          eq(zoomMeetings.hostEmail, host),
          isNull(zoomMeetings.goneAt),
          eq(zoomEvents.takesPlace, true),
          lt(zoomEvents.startAt, to),
          // An event without a length takes an hour.
          sql`greatest(${zoomEvents.endAt}, ${zoomEvents.startAt} + interval '1 hour') > ${from.toISOString()}`,
        ),
      )
      .limit(MOST_BOOKINGS);
    return rows.map(({ record }) => record);
  }

  /** Events that stand for a record now, where they are others than before. */
  async follow(seen: readonly { id: number; eventId: number }[]): Promise<void> {
    for (const { id, eventId } of seen)
      await this.#db.update(zoomEvents).set({ eventId }).where(eq(zoomEvents.id, id));
  }

  async meeting(number: number): Promise<MeetingRow | null> {
    const [row] = await this.#db
      .select()
      .from(zoomMeetings)
      .where(and(eq(zoomMeetings.lms, this.lms), eq(zoomMeetings.number, number)));
    return row ?? null;
  }

  /** Those of the numbers that are or were meetings of ours. */
  async known(numbers: readonly number[]): Promise<Set<number>> {
    if (numbers.length === 0) return new Set();
    const rows = await this.#db
      .select({ number: zoomMeetings.number })
      .from(zoomMeetings)
      .where(and(eq(zoomMeetings.lms, this.lms), inArray(zoomMeetings.number, [...numbers])));
    return new Set(rows.map(({ number }) => number));
  }

  /** What Zoom says of a meeting. @param host what it did not say of the host, from before */
  async keepMeeting(meeting: ZoomMeeting, host: string): Promise<MeetingRow> {
    const values = meetingValues(meeting, host);
    const [row] = await this.#db
      .insert(zoomMeetings)
      .values({ lms: this.lms, number: meeting.number, ...values })
      .onConflictDoUpdate({ target: [zoomMeetings.lms, zoomMeetings.number], set: values })
      .returning();
    if (!row) throw new Error('a meeting was not stored');
    return row;
  }

  async markGone(number: number): Promise<void> {
    await this.#db
      .update(zoomMeetings)
      .set({ goneAt: sql`coalesce(${zoomMeetings.goneAt}, now())` })
      .where(
        and(eq(zoomMeetings.lms, this.lms), eq(zoomMeetings.number, number), isNull(zoomMeetings.goneAt)),
      );
  }

  /** Whether another record has this meeting as its own, or an event of another course may still have the link that this one had. */
  async isUsed(number: number, otherThan: number): Promise<boolean> {
    const users = await this.usersOf(number);
    return users.some((id) => id !== otherThan) || (await this.guestsOf([otherThan])).size > 0;
  }

  /** The time between a backup that was restored here and its restore, of which nothing is known; null: none was restored. */
  async gap(): Promise<Gap | null> {
    const { backupOf: from, restoredAt: to } = installation;
    const [row] = await this.#db.select({ from, to }).from(installation);
    return row?.from && row.to ? { from: row.from, to: row.to } : null;
  }

  /** The records that have this meeting as their own. */
  async usersOf(number: number): Promise<number[]> {
    const rows = await this.#db
      .select({ id: zoomEvents.id })
      .from(zoomEvents)
      .where(and(eq(zoomEvents.lms, this.lms), eq(zoomEvents.meeting, number)));
    return rows.map(({ id }) => id);
  }
}

/** A record whose event was moved to another course, and what becomes of it. */
export interface RecordMove {
  record: ZoomRecord;
  patch: Partial<Pick<ZoomRecord, 'eventId' | 'courseId'>>;
}

async function movesOf(
  db: Db,
  lms: string,
  courseId: number,
  eventIds: readonly number[],
): Promise<RecordMove[]> {
  const moved = and(
    eq(zoomEvents.lms, lms),
    isNull(zoomEvents.reservationId),
    ne(zoomEvents.courseId, courseId),
    inArray(zoomEvents.eventId, [...eventIds]),
  );
  const found = await db.select().from(zoomEvents).where(moved);
  if (found.length === 0) return [];
  const merged = await db
    .select({ id: zoomEvents.id, main: zoomEvents.parentId, courseId: zoomEvents.courseId })
    .from(zoomEvents)
    .where(
      inArray(
        zoomEvents.parentId,
        found.map(({ id }) => id),
      ),
    );
  const moving = new Set(found.map(({ id }) => id));
  // Events that are merged with one that is moved, and stay behind.
  const left = merged.filter((one) => one.courseId !== courseId && !moving.has(one.id));
  const mains = new Set(left.map(({ main }) => main));
  return found.map((record) => ({
    record,
    // What was merged stays merged, also with an event of the other course: students keep the link.
    patch: mains.has(record.id) ? { eventId: -record.eventId } : { courseId },
  }));
}

/** What Zoom says of a meeting, as our row of it has it. */
export function meetingValues(meeting: ZoomMeeting, host: string) {
  return {
    hostId: meeting.hostId,
    hostEmail: (meeting.hostEmail ?? host).toLowerCase(),
    joinUrl: meeting.joinUrl,
    topic: storable(meeting.topic),
    startAt: meeting.start === null ? null : new Date(meeting.start),
    minutes: meeting.duration,
    coHosts: meeting.coHosts.join(','),
    goneAt: null,
    updatedAt: new Date(),
  };
}

/** Whether a meeting's row is up to date. */
export function saysTheSame(
  row: MeetingRow,
  { joinUrl, hostId, hostEmail, coHosts, topic, duration, start }: ZoomMeeting,
) {
  return (
    row.goneAt === null &&
    row.joinUrl === joinUrl &&
    row.hostId === hostId &&
    (hostEmail === null || row.hostEmail === hostEmail.toLowerCase()) &&
    row.coHosts === coHosts.join(',') &&
    row.topic === topic &&
    row.minutes === duration &&
    (row.startAt?.getTime() ?? null) === (start === null ? null : Date.parse(start))
  );
}

/** The comma list of a meeting's row. */
export function coHostsOf(row: Pick<MeetingRow, 'coHosts'>): string[] {
  return row.coHosts === '' ? [] : row.coHosts.split(',');
}
