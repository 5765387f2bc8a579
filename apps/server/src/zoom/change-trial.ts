/** A change made on trial: by its own engine, over records in memory and over clients that write nothing. */
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
import { familyAgain } from './families.ts';
import { Intents } from './intents.ts';
import { calendarToBe, hostDaysOf } from './open.ts';
import { Engine, type Reconciled } from './reconcile.ts';
import { type RecordStore, ZoomRecords } from './records.ts';
import { countedDays, type TriedMeetings, trialCanvas, trialZoom } from './trial.ts';
import { type States, statesOf } from './trial-states.ts';

/** An event that is named, and what would come of it; its family is null where the calendar has none. */
export interface Came {
  event: number;
  family: Family | null;
  end: Reconciled;
}

/** What the trial is made with, and what it leaves. */
export interface Trial {
  parts: ChangeParts;
  admin: Admin;
  signal: AbortSignal;
  change: ZoomChange;
  /** Of the real Zoom. */
  zoom: ZoomClient;
  calendar: Calendar;
  records: RecordStore;
  tried: TriedMeetings;
  came: readonly Came[];
  before: States;
  after: States;
  /** Whether Zoom has a meeting whose place another one takes. */
  isThere: (number: number) => Promise<boolean>;
  /** Whether a meeting has started in Zoom. */
  hasStarted: (number: number) => Promise<boolean>;
  /** What it takes of the days of hosts. */
  taken: ReadonlyMap<string, number>;
}

export interface Tried {
  change: ZoomChange;
  /** Which LMS the course belongs to. */
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
  // What was moved here from another course brings its record along, as in the change itself.
  const { calendar, records } = await calendarToBe(parts, stored, change.course, { token, signal });
  // As the change itself does: who lost a licence a moment ago is not as remembered.
  const zoom = parts.zoom.afresh();
  const { client, tried } = trialZoom(zoom);
  const { days, taken } = countedDays(hostDaysOf(parts));
  const engine = new Engine({
    zoom: client,
    canvas: trialCanvas(canvas, calendar),
    token,
    days,
    records,
    // Nothing is changed, so no one else has to wait.
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
    return { event: names.event, family: familyAgain(calendar, names), end };
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

/** The number of its own meeting that is made or changed; null: none is. */
export function touched({ tried: { made, changed } }: Trial, { record }: Slot): number | null {
  const number = record?.meeting ?? null;
  return number !== null && (made.has(number) || changed.has(number)) ? number : null;
}
