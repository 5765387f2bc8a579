/** Our rows about calendar events and their meetings, found again when a synchroniser has made the events anew (OP-64). */
import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { zoomEvents, zoomMeetings } from '../platform/schema.ts';
import { storable } from '../platform/text.ts';
import type { ZoomMeeting } from '../zoom-api/types.ts';

export type ZoomRecord = typeof zoomEvents.$inferSelect;
export type MeetingRow = typeof zoomMeetings.$inferSelect;

/** What stands for an event in our rows. */
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
}

export type RecordPatch = Partial<Pick<ZoomRecord, 'parentId' | 'meeting' | 'visible' | 'making'>>;

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

  /** By reservation, whatever event stands for it now; else by the event. No record stands for two events. By event. */
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

/** One LMS's rows. */
export class ZoomRecords {
  readonly #db: Db;
  readonly lms: string;

  constructor(db: Db, lms: string) {
    this.#db = db;
    this.lms = lms;
  }

  /** The records of these courses with the meetings they name, in one query. */
  async ofCourses(
    courseIds: readonly number[],
  ): Promise<{ records: ZoomRecord[]; meetings: Map<number, MeetingRow> }> {
    const rows = await this.#db
      .select({ record: zoomEvents, meeting: zoomMeetings })
      .from(zoomEvents)
      .leftJoin(
        zoomMeetings,
        and(eq(zoomMeetings.lms, zoomEvents.lms), eq(zoomMeetings.number, zoomEvents.meeting)),
      )
      .where(and(eq(zoomEvents.lms, this.lms), inArray(zoomEvents.courseId, [...courseIds])));
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
    const { courseId, sectionId, eventId, startAt, endAt } = event;
    const title = storable(event.title);
    const seen = { eventId, title, startAt, endAt, updatedBy: by, updatedAt: new Date() };
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

  async patch(id: number, patch: RecordPatch, by: string): Promise<ZoomRecord> {
    const [row] = await this.#db
      .update(zoomEvents)
      .set({ ...patch, updatedBy: by, updatedAt: new Date() })
      .where(eq(zoomEvents.id, id))
      .returning();
    if (!row) throw new Error('a record is gone');
    return row;
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
    const values = {
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

  /** Whether another record has this meeting as its own. */
  async isUsed(number: number, otherThan: number): Promise<boolean> {
    const [row] = await this.#db
      .select({ id: zoomEvents.id })
      .from(zoomEvents)
      .where(and(eq(zoomEvents.lms, this.lms), eq(zoomEvents.meeting, number), ne(zoomEvents.id, otherThan)))
      .limit(1);
    return row !== undefined;
  }
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
