/**
 * Records of calendar events and their meetings, which are found again after a synchroniser has recreated the events
 * (OP-64).
 */
import { and, eq, inArray, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Db } from '../platform/database.ts';
import { installation, zoomEvents, zoomMeetings } from '../platform/schema.ts';
import { storable } from '../platform/text.ts';
import type { ZoomMeeting } from '../zoom-api/types.ts';

export type ZoomRecord = typeof zoomEvents.$inferSelect;
export type MeetingRow = typeof zoomMeetings.$inferSelect;

/** Identifies an event in the records. */
export interface RecordKey {
  courseId: number;
  /** 0 for an event of the course. */
  sectionId: number;
  reservationId: string | null;
  eventId: number;
}

/** The stored data of an event. */
export interface SeenEvent extends RecordKey {
  title: string;
  startAt: Date | null;
  endAt: Date | null;
  takesPlace: boolean;
}

export type RecordPatch = Partial<
  Pick<ZoomRecord, 'courseId' | 'parentId' | 'meeting' | 'visible' | 'making' | 'takesPlace'>
>;

/** Maximum number of events of a host that are compared with the chosen ones. */
const MOST_BOOKINGS = 2_000;

/** Finds records of courses by reservation and by event. */
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

  /** Finds the record of each event: by reservation, otherwise by event. No record represents two events. */
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

/** The period that the records do not cover. */
export interface Gap {
  from: Date;
  to: Date;
}

/** Queries and changes of records; the engine works with any implementation. */
export type RecordStore = Pick<ZoomRecords, keyof ZoomRecords>;

export interface Stored {
  records: ZoomRecord[];
  meetings: Map<number, MeetingRow>;
}

/** The records of one LMS. */
export class ZoomRecords {
  readonly #db: Db;
  readonly lms: string;

  constructor(db: Db, lms: string) {
    this.#db = db;
    this.lms = lms;
  }

  /**
   * Returns the records of these courses with their meetings, in one query.
   * @param eventIds events that are now in these courses: records that they bring from another course are added
   */
  async ofCourses(courseIds: readonly number[], eventIds: readonly number[] = []): Promise<Stored> {
    const here = inArray(zoomEvents.courseId, [...courseIds]);
    if (eventIds.length === 0) return this.#stored(here);
    const brought = and(isNull(zoomEvents.reservationId), inArray(zoomEvents.eventId, [...eventIds]));
    return this.#stored(or(here, brought));
  }

  /** Returns the records by id, with their meetings. */
  async byIds(ids: readonly number[]): Promise<Stored> {
    return this.#stored(inArray(zoomEvents.id, [...ids]));
  }

  /** Finds which of these records have merged events in other courses, directly or through a former main event. */
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

  /** Returns the records that are merged with these, directly or through a former main event, in any course. */
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

  /** Stores the data of an event; an existing record keeps the values that are not given. */
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
      // An event that does not name its reservation any more keeps the recorded one.
      const reservationId = event.reservationId ?? known.reservationId;
      const [row] = await this.#db
        .update(zoomEvents)
        .set({ ...seen, reservationId, ...patch })
        .where(eq(zoomEvents.id, known.id))
        .returning();
      if (row) return row;
    }
    const [inserted] = await this.#db
      .insert(zoomEvents)
      .values({ lms: this.lms, courseId, sectionId, reservationId: event.reservationId, ...seen, ...patch })
      .returning();
    if (!inserted) throw new Error('a record was not stored');
    return inserted;
  }

  /** Changes several records together, or none. */
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
   * Assigns the records of events that were moved to another course in the LMS to that course. Merged events stay
   * merged, even with an event of another course: students keep the link.
   * @returns whether there were any
   */
  async move(courseId: number, eventIds: readonly number[]): Promise<boolean> {
    if (eventIds.length === 0) return false;
    const moved = await this.#db
      .update(zoomEvents)
      .set({ courseId })
      .where(this.#movedTo(courseId, eventIds))
      .returning({ id: zoomEvents.id });
    return moved.length > 0;
  }

  /** Returns the records that `move` would change. */
  async moves(courseId: number, eventIds: readonly number[]): Promise<ZoomRecord[]> {
    if (eventIds.length === 0) return [];
    return this.#db.select().from(zoomEvents).where(this.#movedTo(courseId, eventIds));
  }

  #movedTo(courseId: number, eventIds: readonly number[]) {
    return and(
      eq(zoomEvents.lms, this.lms),
      isNull(zoomEvents.reservationId),
      ne(zoomEvents.courseId, courseId),
      inArray(zoomEvents.eventId, [...eventIds]),
    );
  }

  /**
   * Returns the events with a meeting of this host within the period, in any course. Merged events use that of their
   * main event, and are included if they take place at another time. For an event with section times, its sections'
   * events are included.
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
          // An event without a length counts as one hour.
          sql`greatest(${zoomEvents.endAt}, ${zoomEvents.startAt} + interval '1 hour') > ${from.toISOString()}`,
        ),
      )
      .limit(MOST_BOOKINGS);
    return rows.map(({ record }) => record);
  }

  /** Updates the event ids of records whose event was recreated. */
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

  /** Returns the numbers among these that are or were meetings of LMS Admin. */
  async known(numbers: readonly number[]): Promise<Set<number>> {
    if (numbers.length === 0) return new Set();
    const rows = await this.#db
      .select({ number: zoomMeetings.number })
      .from(zoomMeetings)
      .where(and(eq(zoomMeetings.lms, this.lms), inArray(zoomMeetings.number, [...numbers])));
    return new Set(rows.map(({ number }) => number));
  }

  /** Stores Zoom's data of a meeting. @param host known host, in case Zoom omits it */
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

  /** Returns whether another record owns this meeting, or whether an event of another course may still have its link. */
  async isUsed(number: number, otherThan: number): Promise<boolean> {
    const users = await this.usersOf(number);
    return users.some((id) => id !== otherThan) || (await this.guestsOf([otherThan])).size > 0;
  }

  /**
   * Returns the time between a restored backup and its restore, which the records do not cover; null if none was
   * restored.
   */
  async gap(): Promise<Gap | null> {
    const { backupOf: from, restoredAt: to } = installation;
    const [row] = await this.#db.select({ from, to }).from(installation);
    return row?.from && row.to ? { from: row.from, to: row.to } : null;
  }

  /** Returns the records that own this meeting. */
  async usersOf(number: number): Promise<number[]> {
    const rows = await this.#db
      .select({ id: zoomEvents.id })
      .from(zoomEvents)
      .where(and(eq(zoomEvents.lms, this.lms), eq(zoomEvents.meeting, number)));
    return rows.map(({ id }) => id);
  }
}

/** Returns Zoom's data about a meeting, as the columns of its row. */
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

/** Returns whether a meeting's row is up to date. */
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

/** Returns the alternative hosts from the comma-separated list of a meeting. */
export function coHostsOf(row: Pick<MeetingRow, 'coHosts'>): string[] {
  return row.coHosts === '' ? [] : row.coHosts.split(',');
}
