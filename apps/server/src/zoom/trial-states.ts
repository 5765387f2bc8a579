/** What students have before them in the events of a course, and which meetings those have: before a trial and after it. */
import { linksInTexts, type MeetingLink, meetingOfLink } from '@lms-admin/domain/zoom-links';
import type { Calendar } from './calendar.ts';
import type { CalendarEvent, Family, Slot } from './calendar-event.ts';
import { mainOf } from './families.ts';
import { oldsOf } from './leftovers.ts';
import { linksOf } from './other-links.ts';
import type { RecordStore } from './records.ts';

export interface MeetingState {
  number: number;
  /** What is published of it. */
  link: string;
  /** E-mail. */
  host: string;
  /** Whether it was found to be gone. */
  gone: boolean;
}

export type Texts = Pick<CalendarEvent, 'description' | 'location_address' | 'location_name'>;

interface SlotState {
  /** The meeting that it uses: its own, or that of its main event. */
  meeting: MeetingState | null;
  /** That meeting, and those whose place it has taken. */
  numbers: ReadonlySet<number>;
}

export interface FamilyState {
  main: Family | null;
  /** Whether students are to see its link. */
  visible: boolean;
  texts: Texts;
  /** Links in our block, or in the place as ours. */
  ours: readonly MeetingLink[];
  /** Meetings to which the place leads, whichever section one is of. */
  place: ReadonlySet<number>;
  /** Links that people have written. */
  written: readonly MeetingLink[];
  slots: ReadonlyMap<Slot, SlotState>;
}

export type States = ReadonlyMap<Family, FamilyState>;

/** @param bases what links begin with */
export async function statesOf(
  calendar: Calendar,
  records: RecordStore,
  bases: readonly string[],
): Promise<States> {
  const { families } = calendar;
  const numbers = families.flatMap(({ own }) => linksInTexts(own.event, bases).map(({ number }) => number));
  const known = await records.known([...new Set(numbers)]);
  const asked = { known: async (some: readonly number[]) => new Set(some.filter((one) => known.has(one))) };
  const states = families.map(
    async (family) => [family, await stateOf(calendar, family, asked, bases)] as const,
  );
  return new Map(await Promise.all(states));
}

/** One event's. */
export async function stateOf(
  calendar: Calendar,
  family: Family,
  known: Pick<RecordStore, 'known'>,
  bases: readonly string[],
): Promise<FamilyState> {
  const { description, location_address, location_name } = family.own.event;
  const main = mainOf(calendar, family);
  const { ours, written } = await linksOf(family.own.event, known, bases);
  const place = linksInTexts({ location_address }, bases);
  return {
    main,
    visible: (main ?? family).own.record?.visible ?? false,
    texts: { description, location_address, location_name },
    ours,
    place: new Set(place.map(({ number }) => number)),
    written,
    slots: new Map(family.parts.map((slot) => [slot, slotState(calendar, main?.own ?? slot, bases)])),
  };
}

function slotState({ meetings }: Calendar, { record }: Slot, bases: readonly string[]): SlotState {
  const row = meetings.get(record?.meeting ?? 0);
  const numbers = new Set([...(record?.meeting ? [record.meeting] : []), ...oldsOf(record?.making ?? null)]);
  if (!row) return { meeting: null, numbers };
  const { number, joinUrl, hostEmail: host, goneAt } = row;
  const link = meetingOfLink(joinUrl, bases)?.link ?? joinUrl;
  return { meeting: { number, link, host, gone: goneAt !== null }, numbers };
}

/** The links that students of an event, or of one of its sections, have before them; what leads to their own meeting first. */
export function seenBy({ ours, place, slots }: FamilyState, slot: Slot): MeetingLink[] {
  const its = slots.get(slot)?.numbers ?? new Set();
  const others = new Set([...slots].flatMap(([one, { numbers }]) => (one === slot ? [] : [...numbers])));
  const own = ours.filter(({ number }) => its.has(number));
  const isSeen = (number: number) => !its.has(number) && (place.has(number) || !others.has(number));
  return [...own, ...ours.filter(({ number }) => isSeen(number))];
}

/** Links to the meetings that it had, which people have written into its texts and which stay there. */
export function leftLinks({ slots }: FamilyState, { written }: FamilyState): MeetingLink[] {
  const its = new Set([...slots.values()].flatMap(({ meeting, numbers }) => [meeting?.number, ...numbers]));
  return written.filter(({ number }) => its.has(number));
}

/** The meeting that is there. */
export function heldBy({ slots }: FamilyState, slot: Slot): MeetingState | null {
  const meeting = slots.get(slot)?.meeting ?? null;
  return meeting?.gone ? null : meeting;
}

export function isSameText(a: Texts, b: Texts): boolean {
  return (
    (a.description ?? '') === (b.description ?? '') &&
    (a.location_address ?? '') === (b.location_address ?? '') &&
    (a.location_name ?? '') === (b.location_name ?? '')
  );
}
