/**
 * Meetings in Zoom, made exactly once (OP-104): what is to be made is written down first, and looked for after an uncertain
 * answer or a crash. Each creation and update is taken from the host's day before it is asked for.
 */
import { randomInt } from 'node:crypto';
import type { MeetingDetails, MeetingStep } from '@lms-admin/domain/zoom-decisions';
import type { ZoomMaking } from '../platform/schema.ts';
import { type MeetingChange, type ZoomClient, ZoomError, type ZoomMeeting } from '../zoom-api/types.ts';
import type { Slot } from './calendar.ts';
import type { CourseLease } from './course-lease.ts';
import type { HostDays } from './host-days.ts';
import { HostDayOver, isDefinite, zoomProblem } from './problems.ts';
import {
  type MeetingRow,
  type RecordPatch,
  type SeenEvent,
  saysTheSame,
  type ZoomRecord,
  type ZoomRecords,
} from './records.ts';

export interface MeetingsParts {
  zoom: ZoomClient;
  days: HostDays;
  records: ZoomRecords;
  lease: CourseLease;
  courseId: number;
  zone: string;
  /** Login of whom it is done for. */
  by: string;
  signal: AbortSignal;
  pause: (ms: number) => Promise<void>;
  /** Whether students of the course have a meeting before them in whatever text. */
  isNamed: (number: number) => boolean;
  /** What is known of meetings, by number. */
  known: Map<number, MeetingRow>;
}

type Keep = Extract<MeetingStep, { step: 'keep' }>;
type Make = Extract<MeetingStep, { step: 'make' }>;

/** Lists of meetings lag: who finds nothing looks once more after so long. */
const LAG_MS = 3_000;
/** After so long a list lags no more. */
const SETTLED_MS = 60_000;
const OURS = /^\[lms-admin [a-z\d]{8}\]/;

export class Meetings {
  readonly #parts: MeetingsParts;
  readonly #read = new Map<number, Promise<ZoomMeeting | null>>();
  readonly #handOvers = new Map<string, Promise<boolean>>();

  constructor(parts: MeetingsParts) {
    this.#parts = parts;
  }

  /** As Zoom has it now, asked once; null: it is gone. @throws ZoomError */
  read(number: number): Promise<ZoomMeeting | null> {
    const { zoom, signal } = this.#parts;
    return remembered(this.#read, number, () => zoom.read(number, signal));
  }

  /** Whether it can be handed over, asked once for each two. */
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

  /** Stores what is known of the event, and changes its record. */
  async keepRecord(slot: Slot, patch: RecordPatch): Promise<ZoomRecord> {
    const { records, by, courseId } = this.#parts;
    slot.record = await records.keep(slot.record, seen(courseId, slot), patch, by);
    return slot.record;
  }

  /**
   * What was begun before is found, or known not to have happened.
   * @returns what is to be made once more under the same marker
   */
  async resume(slot: Slot): Promise<ZoomMaking | null> {
    const making = slot.record?.making ?? null;
    if (making === null || making.made) return null;
    const [found, ...doubled] = await this.#look(making, true);
    if (!found) return making;
    await this.#removeAll(doubled);
    await this.#made(slot, making, await this.#whole(found));
    return null;
  }

  /** Makes a meeting and has the record lead to it. @throws HostDayOver, EventProblem, ZoomError */
  async make(
    slot: Slot,
    { host, coHosts, why }: Make,
    details: MeetingDetails,
    again: ZoomMaking | null,
  ): Promise<void> {
    const { zoom, zone, signal } = this.#parts;
    const old = why === 'host' ? (slot.record?.meeting ?? null) : null;
    const repeated = again !== null && again.host === host;
    const making = repeated
      ? { ...again, old }
      : { marker: newMarker(), host, since: new Date().toISOString(), old, made: false };
    await this.#take(host);
    await this.keepRecord(slot, { making });
    let doubtful = false;
    let meeting: ZoomMeeting;
    try {
      const { topic, start, minutes: duration } = details;
      meeting = await zoom.create(
        host,
        { topic, marker: making.marker, start, duration, zone, coHosts },
        signal,
      );
    } catch (error) {
      // After an uncertain answer it stays written down, and is looked for.
      if (isDefinite(error)) await this.keepRecord(slot, { making: null });
      return this.#failed(error, host);
    }
    if (repeated) {
      // The first one may have come to light by now; the list may not have this one yet.
      const listed = await this.#look(making, false);
      const earlier = listed.filter(({ number }) => number !== meeting.number);
      const [oldest] = earlier;
      doubtful = !oldest && !isSettled(making);
      if (oldest) {
        await this.#removeAll([...earlier.slice(1), meeting]);
        meeting = await this.#whole(oldest);
      }
    }
    await this.#made(slot, { ...making, doubtful }, meeting);
  }

  /**
   * Hands over and changes the meeting that is there.
   * @returns `lost`: it is gone after all; `not-handed`: Zoom does not hand it over after all
   */
  async keep(
    meeting: ZoomMeeting,
    host: string,
    { handOver, change }: Keep,
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
        return this.#failed(error, handOver);
      }
      this.#read.delete(number);
      const after = await this.read(number);
      if (!after) return 'lost';
      now = after;
      holder = handOver;
    }
    if (Object.keys(change).length > 0) {
      const { topic, start, minutes, coHosts } = change;
      const asked: MeetingChange = {
        ...(topic === undefined ? {} : { topic }),
        ...(start === undefined ? {} : { start, zone }),
        ...(minutes === undefined ? {} : { duration: minutes }),
        ...(coHosts === undefined ? {} : { coHosts }),
      };
      await this.#take(holder);
      try {
        await zoom.update(number, asked, signal);
      } catch (error) {
        if (error instanceof ZoomError && error.reason === 'meeting-gone') return 'lost';
        return this.#failed(error, holder);
      }
      now = { ...now, ...asked };
    }
    this.#read.set(number, Promise.resolve(now));
    known.set(number, await records.keepMeeting(now, holder));
    return 'done';
  }

  /** What Zoom says of it is what is shown: a passcode may have been changed there. @returns whether its link is another one */
  async noted(meeting: ZoomMeeting, host: string): Promise<boolean> {
    const { records, known } = this.#parts;
    const before = known.get(meeting.number);
    if (before && saysTheSame(before, meeting)) return false;
    known.set(meeting.number, await records.keepMeeting(meeting, host));
    return before !== undefined && before.joinUrl !== meeting.joinUrl;
  }

  async gone(number: number): Promise<void> {
    const { records, known } = this.#parts;
    await records.markGone(number);
    const row = known.get(number);
    if (row) known.set(number, { ...row, goneAt: row.goneAt ?? new Date() });
  }

  /** Removes the meeting whose place another one has taken, unless it is used elsewhere or was not made by us. */
  async removeOld(slot: Slot): Promise<boolean> {
    const { records, zoom, lease, signal, isNamed } = this.#parts;
    const { record } = slot;
    if (!record?.making?.made) return false;
    const { old } = record.making;
    const isFree = old !== null && !isNamed(old) && !(await records.isUsed(old, record.id));
    const there = isFree ? await zoom.read(old, signal) : null;
    if (there && OURS.test(there.agenda)) {
      lease.hold();
      try {
        await zoom.remove(there.number, signal);
      } catch (error) {
        // It runs: it is removed by the next run.
        if (error instanceof ZoomError && error.reason === 'running') return false;
        throw error;
      }
      await this.gone(there.number);
    }
    const cleared = await this.#clearDoubt(record.making, record.meeting);
    await this.keepRecord(slot, { making: cleared ? null : { ...record.making, old: null } });
    return there !== null;
  }

  /** Removes what was made twice, as soon as a list would show it. @returns whether nothing is left to look for */
  async #clearDoubt(making: ZoomMaking, kept: number | null): Promise<boolean> {
    if (!making.doubtful) return true;
    if (!isSettled(making)) return false;
    const all = await this.#look(making, false);
    // Whatever the event leads to now stays.
    const others = all.filter(({ number }) => number !== kept && !this.#parts.isNamed(number));
    if (all.some(({ number }) => number === kept)) await this.#removeAll(others);
    return true;
  }

  async #made(slot: Slot, making: ZoomMaking, meeting: ZoomMeeting): Promise<void> {
    const { records, known } = this.#parts;
    this.#read.set(meeting.number, Promise.resolve(meeting));
    known.set(meeting.number, await records.keepMeeting(meeting, making.host));
    const isAlone = making.old === null || making.old === meeting.number;
    const left = isAlone && !making.doubtful ? null : { ...making, made: true };
    await this.keepRecord(slot, { meeting: meeting.number, making: left });
  }

  /** The oldest first. */
  async #look({ host, marker, since }: ZoomMaking, twice: boolean): Promise<ZoomMeeting[]> {
    const { zoom, signal, pause } = this.#parts;
    const look = async () => {
      try {
        return await zoom.withMarker(host, marker, signal);
      } catch (error) {
        if (error instanceof ZoomError && error.reason === 'host-gone') return [];
        throw error;
      }
    };
    const found = await look();
    if (found.length > 0 || !twice || isSettled({ since })) return found;
    await pause(LAG_MS);
    return look();
  }

  /** Lists leave out passcode and co-hosts. */
  async #whole(listed: ZoomMeeting): Promise<ZoomMeeting> {
    return (await this.#parts.zoom.read(listed.number, this.#parts.signal)) ?? listed;
  }

  async #removeAll(meetings: readonly ZoomMeeting[]): Promise<void> {
    for (const { number } of meetings) {
      this.#parts.lease.hold();
      await this.#parts.zoom.remove(number, this.#parts.signal);
    }
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

function seen(courseId: number, { event, sectionId, reservationId }: Slot): SeenEvent {
  const at = (text: string | null) => (text === null ? null : new Date(text));
  const { id: eventId, title, start_at, end_at } = event;
  return { courseId, sectionId, reservationId, eventId, title, startAt: at(start_at), endAt: at(end_at) };
}

function isSettled({ since }: Pick<ZoomMaking, 'since'>): boolean {
  return Date.now() - Date.parse(since) > SETTLED_MS;
}

/** Eight letters and digits: found again at the start of an agenda. */
function newMarker(): string {
  const letter = () => 'abcdefghijklmnopqrstuvwxyz0123456789'[randomInt(36)] ?? 'a';
  return `[lms-admin ${Array.from({ length: 8 }, letter).join('')}]`;
}

/** Asked once; what failed is asked again. */
function remembered<K, V>(memory: Map<K, Promise<V>>, key: K, ask: () => Promise<V>): Promise<V> {
  const before = memory.get(key);
  if (before) return before;
  const asked = ask().catch((error: unknown) => {
    memory.delete(key);
    throw error;
  });
  memory.set(key, asked);
  return asked;
}
