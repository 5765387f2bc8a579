/** Records that change only in memory: stored ones are read, and nothing is written. */
import type { RecordPatch, RecordStore, SeenEvent, ZoomRecord } from './records.ts';
import { type Gap, type MeetingRow, meetingValues } from './records.ts';

const NEW_RECORD = { making: null, meeting: null, parentId: null, visible: false } as const;

export class TrialRecords implements RecordStore {
  readonly lms: string;
  readonly #stored: RecordStore;
  /** Records that differ from the stored ones, or are new; new ones have negative numbers. */
  readonly #changed = new Map<number, ZoomRecord>();
  readonly #seen = new Map<number, ZoomRecord>();
  readonly #meetings = new Map<number, MeetingRow>();
  #lastId = 0;

  constructor(stored: RecordStore) {
    this.#stored = stored;
    this.lms = stored.lms;
  }

  async ofCourses(courseIds: readonly number[], eventIds: readonly number[] = []) {
    const { records, meetings } = await this.#stored.ofCourses(courseIds, eventIds);
    const all = new Map([...records.map((one) => [one.id, one] as const), ...this.#changed]);
    for (const [id, one] of all) this.#seen.set(id, one);
    const now = [...all.values()].filter(({ courseId }) => courseIds.includes(courseId));
    for (const { meeting } of now) {
      const row = meeting === null || meetings.has(meeting) ? null : await this.meeting(meeting);
      if (row) meetings.set(row.number, row);
    }
    for (const [number, row] of this.#meetings) meetings.set(number, row);
    return { records: now, meetings };
  }

  async byIds(ids: readonly number[]) {
    const { records, meetings } = await this.#stored.byIds(ids);
    for (const one of records) if (!this.#seen.has(one.id)) this.#seen.set(one.id, one);
    return { records: records.map((one) => this.#changed.get(one.id) ?? one), meetings };
  }

  async guestsOf(ids: readonly number[]): Promise<Set<number>> {
    const guests = await this.#stored.guestsOf(ids);
    // A moved event leaves behind those that are merged with it.
    for (const id of ids) {
      const moved = this.#changed.get(id);
      if (!moved || id < 0) continue;
      const below = await this.below([id]);
      if (below.some(({ courseId }) => courseId !== moved.courseId)) guests.add(id);
      else guests.delete(id);
    }
    return guests;
  }

  /** Reads the events below others with the trial's changes; a trial does not change groups in other courses. */
  async below(ids: readonly number[]): Promise<ZoomRecord[]> {
    const stored = await this.#stored.below(ids);
    return stored.map((one) => this.#changed.get(one.id) ?? one);
  }

  async keep(known: ZoomRecord | null, event: SeenEvent, patch: RecordPatch, by: string) {
    const { courseId, sectionId, reservationId, ...seen } = event;
    const before = known && (this.#changed.get(known.id) ?? known);
    const row: ZoomRecord = {
      ...NEW_RECORD,
      ...(before ?? { id: --this.#lastId, lms: this.lms, courseId, sectionId }),
      ...seen,
      reservationId: reservationId ?? before?.reservationId ?? null,
      ...patch,
      updatedBy: by,
      updatedAt: new Date(),
    };
    this.#changed.set(row.id, row);
    return row;
  }

  async patchAll(changes: readonly { id: number; patch: RecordPatch }[]): Promise<void> {
    for (const { id, patch } of changes) this.#change(id, patch);
  }

  async moves(courseId: number, eventIds: readonly number[]): Promise<ZoomRecord[]> {
    return this.#stored.moves(courseId, eventIds);
  }

  async move(courseId: number, eventIds: readonly number[]): Promise<boolean> {
    const moves = await this.moves(courseId, eventIds);
    for (const record of moves) this.#changed.set(record.id, { ...record, courseId });
    return moves.length > 0;
  }

  async hostedBy(host: string, from: Date, to: Date): Promise<ZoomRecord[]> {
    const stored = await this.#stored.hostedBy(host, from, to);
    return stored.map((one) => this.#changed.get(one.id) ?? one);
  }

  async follow(seen: readonly { id: number; eventId: number }[]): Promise<void> {
    for (const { id, eventId } of seen) this.#change(id, { eventId });
  }

  async meeting(number: number): Promise<MeetingRow | null> {
    return this.#meetings.get(number) ?? this.#stored.meeting(number);
  }

  async known(numbers: readonly number[]): Promise<Set<number>> {
    const stored = await this.#stored.known(numbers);
    return new Set([...stored, ...numbers.filter((number) => this.#meetings.has(number))]);
  }

  async keepMeeting(meeting: Parameters<RecordStore['keepMeeting']>[0], host: string): Promise<MeetingRow> {
    const { number } = meeting;
    const row = { lms: this.lms, number, ...meetingValues(meeting, host) };
    this.#meetings.set(number, row);
    return row;
  }

  async markGone(number: number): Promise<void> {
    const row = await this.meeting(number);
    if (row && row.goneAt === null) this.#meetings.set(number, { ...row, goneAt: new Date() });
  }

  async isUsed(number: number, otherThan: number): Promise<boolean> {
    const users = await this.usersOf(number);
    return users.some((id) => id !== otherThan) || (await this.guestsOf([otherThan])).size > 0;
  }

  gap(): Promise<Gap | null> {
    return this.#stored.gap();
  }

  async usersOf(number: number): Promise<number[]> {
    const stored = (await this.#stored.usersOf(number)).filter((id) => !this.#changed.has(id));
    const here = [...this.#changed.values()].filter(({ meeting }) => meeting === number);
    return [...stored, ...here.map(({ id }) => id)];
  }

  #change(id: number, patch: Partial<ZoomRecord>): void {
    const before = this.#changed.get(id) ?? this.#seen.get(id);
    if (before) this.#changed.set(id, { ...before, ...patch });
  }
}
