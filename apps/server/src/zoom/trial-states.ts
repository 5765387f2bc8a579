/** The links that students see in the events of a course, and their meetings: before a trial and after it. */
import { linksInTexts, type MeetingLink, meetingOfLink } from '@lms-admin/domain/zoom-links';
import type { Calendar } from './calendar.ts';
import type { CalendarEvent, Family, Slot } from './calendar-event.ts';
import { childrenOf, mainOf } from './families.ts';
import { oldsOf } from './leftovers.ts';
import { linksOf } from './other-links.ts';
import type { RecordStore } from './records.ts';

export interface MeetingState {
  number: number;
  /** The published link. */
  link: string;
  /** Email of the host. */
  host: string;
  /** Whether the meeting was missing in Zoom. */
  gone: boolean;
}

export type Texts = Pick<CalendarEvent, 'description' | 'location_address' | 'location_name'>;

interface SlotState {
  /** The meeting in use: its own, or that of its main event. */
  meeting: MeetingState | null;
  /** Numbers of that meeting, and of those it has replaced. */
  numbers: ReadonlySet<number>;
}

export interface FamilyState {
  main: Family | null;
  /** Whether the event has a record. */
  isKnown: boolean;
  /** Whether students should see the event's link. */
  visible: boolean;
  texts: Texts;
  /** Links in LMS Admin's block, or in its location address. */
  ours: readonly MeetingLink[];
  /** Meetings that the location leads to, of any section. */
  place: ReadonlySet<number>;
  /** Links that people have written. */
  written: readonly MeetingLink[];
  slots: ReadonlyMap<Slot, SlotState>;
}

export type States = ReadonlyMap<Family, FamilyState>;

/** @param bases beginnings of links */
export async function statesOf(
  calendar: Calendar,
  records: RecordStore,
  bases: readonly string[],
): Promise<States> {
  const { families } = calendar;
  const numbers = families.flatMap(({ own }) => linksInTexts(own.event, bases).map(({ number }) => number));
  const known = await records.known([...new Set(numbers)]);
  const knownHosts = {
    known: async (some: readonly number[]) => new Set(some.filter((one) => known.has(one))),
  };
  const states = families.map(
    async (family) => [family, await stateOf(calendar, family, knownHosts, bases)] as const,
  );
  return new Map(await Promise.all(states));
}

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
  const slots = [family.own, ...family.parts];
  return {
    main,
    isKnown: slots.some(({ record }) => record !== null),
    visible: (main ?? family).own.record?.visible ?? false,
    texts: { description, location_address, location_name },
    ours,
    place: new Set(place.map(({ number }) => number)),
    written,
    slots: new Map(family.parts.map((slot) => [slot, slotState(calendar, main?.own ?? slot, bases)])),
  };
}

/** Returns the numbers of its meeting, and of those that it has replaced. */
export function numbersOf({ record }: Slot): Set<number> {
  return new Set([...(record?.meeting ? [record.meeting] : []), ...oldsOf(record?.making ?? null)]);
}

function slotState({ meetings }: Calendar, slot: Slot, bases: readonly string[]): SlotState {
  const row = meetings.get(slot.record?.meeting ?? 0);
  const numbers = numbersOf(slot);
  if (!row) return { meeting: null, numbers };
  const { number, joinUrl, hostEmail: host, goneAt } = row;
  const link = meetingOfLink(joinUrl, bases)?.link ?? joinUrl;
  return { meeting: { number, link, host, gone: goneAt !== null }, numbers };
}

/** Returns the links that students of an event, or of one of its sections, see; links to their own meeting come first. */
export function seenBy({ ours, place, slots }: FamilyState, slot: Slot): MeetingLink[] {
  const its = slots.get(slot)?.numbers ?? new Set();
  const others = new Set([...slots].flatMap(([one, { numbers }]) => (one === slot ? [] : [...numbers])));
  const own = ours.filter(({ number }) => its.has(number));
  const isSeen = (number: number) => !its.has(number) && (place.has(number) || !others.has(number));
  return [...own, ...ours.filter(({ number }) => isSeen(number))];
}

/**
 * Returns a link of another event, or of other sections, that students see and that is replaced. Section links next
 * to the event's own link do not count. Null if there is none, or if students have no link afterwards.
 * @param left numbers of the links that they have afterwards
 */
export function otherSeen(
  calendar: Calendar,
  { family, slot, was }: { family: Family; slot: Slot; was: FamilyState },
  left: ReadonlySet<number>,
): { number: number; ofSections: boolean } | null {
  const its = was.slots.get(slot)?.numbers ?? new Set();
  const seen = seenBy(was, slot);
  const other = seen.find(({ number }) => !its.has(number) && !left.has(number));
  if (!other || left.size === 0) return null;
  const ofSections = wasOfSections(calendar, { family, slot, was }, other.number);
  const isOwnSeen = seen.some(({ number }) => its.has(number));
  return ofSections && isOwnSeen ? null : { number: other.number, ofSections };
}

/** Returns whether a link that was for the whole event is now for sections, or the reverse. */
function wasOfSections(
  calendar: Calendar,
  { family, slot, was }: { family: Family; slot: Slot; was: FamilyState },
  number: number,
): boolean {
  const { own, parts } = family;
  if (!parts.includes(own) && own.record?.meeting === number) {
    // The events that are merged with this one have this link: a section with its own meeting got the link from them.
    const isTheirs = childrenOf(calendar, family).length > 0;
    return !isTheirs || (was.slots.get(slot)?.meeting ?? null) === null;
  }
  if ([...was.slots.values()].some(({ numbers }) => numbers.has(number))) return true;
  return calendar.orphans.some(
    (one) => one.sectionId > 0 && one.meeting === number && mayBeSectionOf(one, family),
  );
}

/** Records do not name the event of a section, but the section's title begins with the event's title. */
function mayBeSectionOf({ title }: { title: string }, { own: { event, record } }: Family): boolean {
  return record !== null && [event.title, record.title].some((its) => title.startsWith(its));
}

/** Returns the links to former meetings of an event that people have written into its texts and that stay there. */
export function leftLinks({ slots }: FamilyState, { written }: FamilyState): MeetingLink[] {
  const its = new Set([...slots.values()].flatMap(({ meeting, numbers }) => [meeting?.number, ...numbers]));
  return written.filter(({ number }) => its.has(number));
}

/** Returns the meeting in use, if it still exists. */
export function heldBy({ slots }: FamilyState, slot: Slot): MeetingState | null {
  const meeting = slots.get(slot)?.meeting ?? null;
  return meeting?.gone ? null : meeting;
}

/**
 * Returns the links that people have written into an event that gets its main event's link, and that lead elsewhere.
 * In a hidden event no link should remain.
 */
export function leftOfMerged(
  { written }: Pick<FamilyState, 'written'>,
  main: Family,
  visible: boolean,
): readonly MeetingLink[] {
  const its = numbersOf(main.own);
  return visible ? written.filter(({ number }) => !its.has(number)) : written;
}

export function isSameText(a: Texts, b: Texts): boolean {
  return (
    (a.description ?? '') === (b.description ?? '') &&
    (a.location_address ?? '') === (b.location_address ?? '') &&
    (a.location_name ?? '') === (b.location_name ?? '')
  );
}
