/** A trial of a change: its own engine works on records in memory, with clients that write nothing. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ZoomChange } from '@lms-admin/contract/zoom';
import type { Admin } from '../auth/admin.ts';
import { mapLimited } from '../platform/limited.ts';
import type { ZoomClient } from '../zoom-api/types.ts';
import type { Calendar } from './calendar.ts';
import type { Family, Slot } from './calendar-event.ts';
import type { ChangeParts } from './change-check.ts';
import { atOnceOf, doItem, finishChange, itemsOf } from './change-events.ts';
import { itemInput } from './change-outcome.ts';
import { NOT_CANCELLED } from './engine-parts.ts';
import type { Reconciled } from './event-ends.ts';
import { currentFamily } from './families.ts';
import { Intents } from './intents.ts';
import { calendarToBe, hostDaysOf } from './open.ts';
import { Engine } from './reconcile.ts';
import { type RecordStore, ZoomRecords } from './records.ts';
import { countedDays, type TriedMeetings, trialCanvas, trialZoom } from './trial.ts';
import { type States, statesOf } from './trial-states.ts';

/** An event of the change with its expected outcome; the family is null if the event is not in the calendar. */
export interface Came {
  event: number;
  family: Family | null;
  end: Reconciled;
}

/** The parts of a trial, and its results. */
export interface Trial {
  parts: ChangeParts;
  admin: Admin;
  signal: AbortSignal;
  change: ZoomChange;
  /** The real Zoom client. */
  zoom: ZoomClient;
  calendar: Calendar;
  records: RecordStore;
  tried: TriedMeetings;
  came: readonly Came[];
  before: States;
  after: States;
  /** Whether Zoom still has a meeting that was replaced. */
  isThere: (number: number) => Promise<boolean>;
  /** Whether a meeting has started in Zoom. */
  hasStarted: (number: number) => Promise<boolean>;
  /** Calls used from the daily limits of hosts. */
  taken: ReadonlyMap<string, number>;
}

export interface Tried {
  change: ZoomChange;
  /** The LMS of the course. */
  lms: string;
  signal: AbortSignal;
}

/** @throws CanvasError, ZoomError */
export async function tryChange(
  parts: ChangeParts,
  admin: Admin,
  { change, lms, signal }: Tried,
): Promise<Trial> {
  const { canvas, db } = parts;
  const { token } = admin;
  const stored = new ZoomRecords(db.db, lms);
  // Events moved here from another course bring their records along, as in the change itself.
  const { calendar, records } = await calendarToBe(parts, stored, change.course, { token, signal });
  // Without the cache, as in the change itself: a host may have just lost their licence.
  const zoom = parts.zoom.withoutCache();
  const { client, tried } = trialZoom(zoom, calendar);
  const { days, taken } = countedDays(hostDaysOf(parts));
  const engine = new Engine({
    zoom: client,
    canvas: trialCanvas(canvas, calendar),
    token,
    days,
    records,
    // Nothing is changed, so no other job has to wait.
    lease: { hold() {} },
    calendar,
    by: admin.login,
    signal,
    cancel: NOT_CANCELLED,
    pause: (ms) => sleep(ms, undefined, { signal }),
  });
  const before = await statesOf(calendar, records, zoom.links);
  const came = await mapLimited(itemsOf(calendar, change), atOnceOf(change), async (item): Promise<Came> => {
    const names = itemInput.parse(item.input);
    const end = await doItem(engine, change, item, new Intents());
    return { event: names.event, family: currentFamily(calendar, names), end };
  });
  await finishChange(engine, change);
  const after = await statesOf(calendar, records, zoom.links);
  const isThere = async (number: number) =>
    tried.removed.has(number) || (await client.read(number, signal)) !== null;
  const hasStarted = async (number: number) => (await client.read(number, signal))?.running ?? false;
  return {
    parts,
    admin,
    signal,
    change,
    zoom,
    calendar,
    records,
    tried,
    came,
    before,
    after,
    isThere,
    hasStarted,
    taken,
  };
}

/** Returns the number of the event's own meeting, if it is created or changed; otherwise null. */
export function touched({ tried: { created, changed } }: Trial, { record }: Slot): number | null {
  const number = record?.meeting ?? null;
  return number !== null && (created.has(number) || changed.has(number)) ? number : null;
}
