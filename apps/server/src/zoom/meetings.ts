/**
 * Meetings in Zoom, created exactly once (OP-104): each is recorded before it is created, and looked for after an
 * unclear answer or a crash. Each creation and update is taken from the host's daily limit before the call.
 */
import type { MeetingDetails, MeetingStep } from '@lms-admin/domain/zoom-decisions';
import { Queues } from '../platform/queues.ts';
import type { ZoomMaking } from '../platform/schema.ts';
import { storable } from '../platform/text.ts';
import { type MeetingChange, ZoomError, type ZoomMeeting } from '../zoom-api/types.ts';
import type { Family, Slot } from './calendar-event.ts';
import type { MeetingsParts } from './engine-parts.ts';
import type { EventChanges } from './event-changes.ts';
import {
  clearDoubt,
  isSettled,
  look,
  markerOf,
  newMarker,
  oldsOf,
  removeAll,
  removeOlds,
  type Telling,
  whole,
} from './leftovers.ts';
import { HostDayOver, isDefinite, Stopped, zoomProblem } from './problems.ts';
import { type RecordPatch, type SeenEvent, saysTheSame, type ZoomRecord } from './records.ts';

type Keep = Extract<MeetingStep, { step: 'keep' }>;
type Make = Extract<MeetingStep, { step: 'make' }>;

export class Meetings {
  readonly #parts: MeetingsParts;
  readonly #read = new Map<number, Promise<ZoomMeeting | null>>();
  readonly #handOvers = new Map<string, Promise<boolean>>();
  /** Zoom changes one meeting of a host at a time: changes that wait for their turn can still be cancelled. */
  readonly #turns = new Queues<string>();

  constructor(parts: MeetingsParts) {
    this.#parts = parts;
  }

  /** Reads the meeting's current state, once; null if it is gone. @throws ZoomError */
  read(number: number): Promise<ZoomMeeting | null> {
    const { zoom, signal } = this.#parts;
    return remembered(this.#read, number, () => zoom.read(number, signal));
  }

  /** Returns whether a meeting can be handed over, asked once for each pair of hosts. */
  mayHandOver(from: string, to: string): Promise<boolean> {
    const { zoom, signal } = this.#parts;
    return remembered(this.#handOvers, `${from} ${to}`, async () => {
      try {
        return await zoom.mayHandOver(from, to, signal);
      } catch (error) {
        if (error instanceof ZoomError && error.reason === 'host-gone') return false;
        throw error;
      }
    });
  }

  /** Stores the known data of the event, and changes its record. */
  async keepRecord(slot: Slot, patch: RecordPatch): Promise<ZoomRecord> {
    const { records, by, courseId } = this.#parts;
    slot.record = await records.keep(slot.record, seen(courseId, slot), patch, by);
    return slot.record;
  }

  /**
   * Updates the records of an event and its sections from the calendar, which tell other courses when a host is busy.
   * Sections of a merged event get records for this purpose, even without meetings.
   */
  async keepSeen({ own, parts }: Family): Promise<void> {
    const { courseId } = this.#parts;
    if (own.record && !isAsSeen(own.record, seen(courseId, own))) await this.keepRecord(own, {});
    const parentId = own.record?.parentId ?? null;
    for (const slot of parts) {
      if (slot === own || (slot.record === null && parentId === null)) continue;
      const isSame = slot.record?.parentId === parentId && isAsSeen(slot.record, seen(courseId, slot));
      if (!isSame) await this.keepRecord(slot, { parentId });
    }
  }

  /**
   * Finds a meeting whose creation was begun earlier, or finds that it was not created.
   * @returns what has to be created again under the same marker
   */
  async resume(slot: Slot, changes: EventChanges): Promise<ZoomMaking | null> {
    const making = slot.record?.making ?? null;
    if (making === null || making.made) return null;
    const [found, ...doubled] = await look(this.#parts, making, true);
    if (!found) return making;
    await removeAll(this.#parts, doubled, doublesOf(changes));
    await this.#finish(slot, making, await whole(this.#parts, found));
    return null;
  }

  /** Links the record to an existing meeting without a record; the record's former meeting is removed later. */
  async adopt(slot: Slot, meeting: ZoomMeeting, host: string): Promise<void> {
    const old = slot.record?.meeting ?? null;
    const older = oldsOf(slot.record?.making ?? null).filter((number) => number !== old);
    const making = {
      marker: markerOf(meeting.agenda),
      host,
      since: meeting.createdAt,
      old,
      older,
      made: false,
    };
    await this.#finish(slot, making, await whole(this.#parts, meeting));
  }

  /**
   * Creates a meeting and links the record to it.
   * @throws EventLeft, EventProblem, ZoomError
   */
  async make(
    slot: Slot,
    { host, coHosts, why }: Make,
    details: MeetingDetails,
    unfinished: ZoomMaking | null,
    changes: EventChanges,
  ): Promise<void> {
    const { zoom, zone, signal } = this.#parts;
    const old = why === 'host' ? (slot.record?.meeting ?? null) : null;
    // If a replaced meeting could not be removed, it must not be forgotten when its successor is replaced too.
    const before = slot.record?.making?.made ? slot.record.making : null;
    const older = [...new Set([...oldsOf(before), ...(unfinished?.older ?? [])])].filter(
      (number) => number !== old,
    );
    const repeated = unfinished !== null && unfinished.host === host;
    const making = repeated
      ? { ...unfinished, old, older }
      : { marker: newMarker(), host, since: new Date().toISOString(), old, older, made: false };
    let doubtful = false;
    let meeting = await this.#inTurn(host, async () => {
      await this.#take(host);
      await this.keepRecord(slot, { making });
      try {
        const { topic, start, minutes: duration } = details;
        const meetingFields = { topic, marker: making.marker, start, duration, zone, coHosts };
        return await zoom.create(host, meetingFields, signal);
      } catch (error) {
        // After an unclear answer, the meeting stays recorded and is looked for.
        if (isDefinite(error)) await this.keepRecord(slot, { making: before });
        return this.#failed(error, host);
      }
    });
    if (repeated) {
      // The first meeting may have appeared in the meantime; the list may not have this one yet.
      const listed = await look(this.#parts, making, false);
      const earlier = listed.filter(({ number }) => number !== meeting.number);
      const [oldest] = earlier;
      doubtful = !oldest && !isSettled(making);
      if (oldest) {
        await removeAll(this.#parts, [...earlier.slice(1), meeting], doublesOf(changes));
        meeting = await whole(this.#parts, oldest);
      }
    }
    await this.#finish(slot, { ...making, doubtful }, meeting);
  }

  /**
   * Hands over and changes the existing meeting.
   * @param handed called once the meeting is handed over: later steps may still fail
   * @returns `lost`: the meeting has disappeared; `not-handed`: Zoom refuses to hand it over
   */
  async keep(
    meeting: ZoomMeeting,
    host: string,
    step: Keep,
    handed: () => void,
  ): Promise<'done' | 'lost' | 'not-handed'> {
    const isSame = step.handOver === null && Object.keys(step.change).length === 0;
    return isSame
      ? this.#keep(meeting, host, step, handed)
      : this.#inTurn(host, () => this.#keep(meeting, host, step, handed));
  }

  async #keep(
    meeting: ZoomMeeting,
    host: string,
    { handOver, change }: Keep,
    handed: () => void,
  ): Promise<'done' | 'lost' | 'not-handed'> {
    const { zoom, records, zone, signal, known } = this.#parts;
    const { number } = meeting;
    let now = meeting;
    let holder = host;
    if (handOver !== null) {
      await this.#take(host);
      try {
        if (!(await zoom.handOver(number, handOver, signal))) return 'not-handed';
      } catch (error) {
        if (error instanceof ZoomError && error.reason === 'meeting-gone') return 'lost';
        if (error instanceof ZoomError && error.reason === 'may-not-schedule') return 'not-handed';
        // The daily limit of the current host counts, as in `#take`.
        return this.#failed(error, host);
      }
      this.#read.delete(number);
      const after = await this.read(number);
      if (!after) return 'lost';
      now = after;
      holder = handOver;
      handed();
    }
    if (Object.keys(change).length > 0) {
      if (handOver !== null) known.set(number, await records.keepMeeting(now, holder));
      const { topic, start, minutes, coHosts } = change;
      const meetingFields: MeetingChange = {
        ...(topic === undefined ? {} : { topic }),
        ...(start === undefined ? {} : { start, zone }),
        ...(minutes === undefined ? {} : { duration: minutes }),
        ...(coHosts === undefined ? {} : { coHosts }),
      };
      await this.#take(holder);
      try {
        await zoom.update(number, meetingFields, signal);
      } catch (error) {
        if (error instanceof ZoomError && error.reason === 'meeting-gone') return 'lost';
        return this.#failed(error, holder);
      }
      now = { ...now, ...meetingFields };
    }
    this.#read.set(number, Promise.resolve(now));
    known.set(number, await records.keepMeeting(now, holder));
    return 'done';
  }

  /** Stores Zoom's data of a meeting, whose passcode may have been changed. @returns whether its link has changed */
  async noted(meeting: ZoomMeeting, host: string, { intents }: EventChanges): Promise<boolean> {
    const { records, known } = this.#parts;
    const of = `link ${meeting.number}`;
    const earlier = intents.take(of).length > 0;
    const before = known.get(meeting.number);
    if (before && saysTheSame(before, meeting)) return earlier;
    const isOther = before !== undefined && before.joinUrl !== meeting.joinUrl;
    if (isOther) await intents.intend(of, ['renewed']);
    known.set(meeting.number, await records.keepMeeting(meeting, host));
    return isOther || earlier;
  }

  async gone(number: number): Promise<void> {
    const { records, known } = this.#parts;
    await records.markGone(number);
    const row = known.get(number);
    if (row) known.set(number, { ...row, goneAt: row.goneAt ?? new Date() });
  }

  /** Reports removals of an earlier turn that ended before their outcome was known. */
  async recall(changes: EventChanges): Promise<void> {
    const all = [
      ...changes.intents.numbers('old').map((number) => ({ number, removed: changes.oldRemoved, of: 'old' })),
      ...changes.intents
        .numbers('double')
        .map((number) => ({ number, removed: changes.doublesRemoved, of: 'double' })),
    ];
    for (const { number, removed, of } of all) {
      // A meeting that still exists is removed now, and its removal is reported then.
      if ((await this.read(number)) !== null) continue;
      changes.intents.take(`${of} ${number}`);
      await this.gone(number);
      removed.push(number);
    }
  }

  /** Removes replaced meetings, unless they are used elsewhere or LMS Admin did not create them. */
  async removeOld(slot: Slot, changes: EventChanges): Promise<void> {
    const { record } = slot;
    if (!record?.making?.made) return;
    const { making, meeting } = record;
    const olds = oldsOf(making).filter((number) => number !== meeting);
    const { removed, left, running } = await removeOlds(this.#parts, record.id, olds, changes.intents);
    for (const number of removed) await this.gone(number);
    changes.oldRemoved.push(...removed.filter((number) => !changes.oldRemoved.includes(number)));
    const started = running.map(runningNow).filter((words) => !changes.warnings.includes(words));
    changes.warnings.push(...started);
    const cleared = await clearDoubt(this.#parts, making, meeting, doublesOf(changes));
    const isSame = left.length === oldsOf(making).length && cleared === !making.doubtful;
    if (isSame && left.length > 0) return;
    const [old = null, ...older] = left;
    const rest = { ...making, old, older, doubtful: making.doubtful === true && !cleared };
    await this.keepRecord(slot, { making: cleared && left.length === 0 ? null : rest });
  }

  async #finish(slot: Slot, making: ZoomMaking, meeting: ZoomMeeting): Promise<void> {
    const { records, known } = this.#parts;
    this.#read.set(meeting.number, Promise.resolve(meeting));
    known.set(meeting.number, await records.keepMeeting(meeting, making.host));
    const isAlone = oldsOf(making).every((number) => number === meeting.number);
    const left = isAlone && !making.doubtful ? null : { ...making, made: true };
    await this.keepRecord(slot, { meeting: meeting.number, making: left });
  }

  /** @throws Stopped if the work was cancelled before its turn */
  #inTurn<T>(host: string, work: () => Promise<T>): Promise<T> {
    const { signal, cancel } = this.#parts;
    return this.#turns.run(host.toLowerCase(), signal, async () => {
      if (cancel.aborted) throw new Stopped();
      return work();
    });
  }

  async #take(host: string): Promise<void> {
    this.#parts.lease.hold();
    if (!(await this.#parts.days.take(host))) throw new HostDayOver(host);
    this.#parts.lease.hold();
  }

  async #failed(error: unknown, host: string): Promise<never> {
    if (error instanceof ZoomError && error.reason === 'host-day') {
      await this.#parts.days.full(host);
      throw new HostDayOver(host);
    }
    throw zoomProblem(error);
  }
}

/** Returns the place where duplicates are reported. */
function doublesOf({ intents, doublesRemoved: removed }: EventChanges): Telling {
  return { intents, of: 'double', removed };
}

function runningNow(number: number): string {
  return `Its former meeting (${number}) has started in Zoom. A later run will delete it after it has ended.`;
}

function seen(courseId: number, { event, sectionId, reservationId, record }: Slot): SeenEvent {
  const at = (text: string | null) => (text === null ? null : new Date(text));
  const { id, title, start_at, end_at, hidden } = event;
  // A moved main event keeps the negative number under which it left its record.
  const eventId = record?.eventId === -id ? -id : id;
  const times = { startAt: at(start_at), endAt: at(end_at) };
  return { courseId, sectionId, reservationId, eventId, title, ...times, takesPlace: !hidden };
}

function isAsSeen(record: ZoomRecord, { title, startAt, endAt, takesPlace, ...now }: SeenEvent): boolean {
  const isSameTime = (a: Date | null, b: Date | null) => a?.getTime() === b?.getTime();
  return (
    record.eventId === now.eventId &&
    record.title === storable(title) &&
    record.takesPlace === takesPlace &&
    isSameTime(record.startAt, startAt) &&
    isSameTime(record.endAt, endAt)
  );
}

/** Makes a call once for each key; a failed call is repeated. */
function remembered<K, V>(memory: Map<K, Promise<V>>, key: K, ask: () => Promise<V>): Promise<V> {
  const before = memory.get(key);
  if (before) return before;
  const meetingFields = ask().catch((error: unknown) => {
    memory.delete(key);
    throw error;
  });
  memory.set(key, meetingFields);
  return meetingFields;
}
