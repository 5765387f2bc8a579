/** What students have before them in an event's own texts, for the preview: the record alone does not tell what was edited in the LMS. */
import type { ZoomPreview } from '@lms-admin/contract/zoom';
import { blockState, withoutBlock } from '@lms-admin/domain/zoom-block';
import type { Calendar } from './calendar.ts';
import type { Family, Slot } from './calendar-event.ts';
import { linesOf, namesMeeting } from './families.ts';
import { oldsOf } from './leftovers.ts';
import { linksOf } from './other-links.ts';
import type { RecordStore } from './records.ts';
import { textsToWrite } from './shown-links.ts';

interface Parts {
  records: RecordStore;
  /** What links begin with. */
  bases: readonly string[];
}

/** The links that are found in the texts of one event. */
export interface SeenTexts {
  /** Meetings that our block or the place leads to. */
  numbers: ReadonlySet<number>;
  /** Those of them that are none of the event's own. */
  copied: readonly number[];
  /** Whether a person has written a link into it. */
  written: boolean;
}

/** @param main the event with which it is merged */
export async function seenTexts(
  { records, bases }: Parts,
  { own, parts }: Family,
  main: Family | null,
): Promise<SeenTexts> {
  const { ours, written } = await linksOf(own.event, records, bases);
  const its = [own, ...parts, ...(main?.parts ?? [])].flatMap(({ record }) => [
    ...(record?.meeting ? [record.meeting] : []),
    ...oldsOf(record?.making ?? null),
  ]);
  const numbers = new Set(ours.map(({ number }) => number));
  const copied = [...numbers].filter((number) => !its.includes(number));
  return { numbers, copied, written: written.length > 0 };
}

/** The former meeting of an event that its texts lead to still, since Canvas did not take the new link yet; null: there is none. */
export function formerSeen({ numbers }: Pick<SeenTexts, 'numbers'>, { record }: Slot): number | null {
  if (!record?.making?.made || numbers.has(record.meeting ?? 0)) return null;
  return oldsOf(record.making).find((old) => numbers.has(old)) ?? null;
}

/** Whether students get somewhere from an event, or from one of its sections. */
export function isSeen({ numbers }: Pick<SeenTexts, 'numbers'>, family: Family, slot: Slot): boolean {
  if (slot === family.own) return numbers.size > 0;
  return numbers.has(slot.record?.meeting ?? 0) || formerSeen({ numbers }, slot) !== null;
}

/**
 * Whether an event's texts lead to the meeting of another one still when that has a new one.
 * @param isWritten whether the change writes our block and our address into them
 */
export function stillLeadsTo(number: number, { own: { event } }: Family, isWritten: boolean): boolean {
  if (!isWritten) return namesMeeting(event, number);
  const description = withoutBlock(event.description ?? '', event.hidden);
  return namesMeeting({ ...event, description, location_address: null }, number);
}

/** What is put right in the texts of a published event whose link stays the same; null: they are as they should be. */
export async function repairOf(
  { records, bases }: Parts,
  calendar: Calendar,
  family: Family,
  main: Family | null,
): Promise<ZoomPreview['texts'][number]['how'] | null> {
  const lines = linesOf(calendar, family, main);
  if (lines.length === 0) return null;
  const { event } = family.own;
  const change = await textsToWrite({ records, bases }, event, lines);
  if (Object.keys(change).length === 0) return null;
  const state = blockState(event.description ?? '', lines);
  // Lines that only change places were edited by nobody.
  if (state === 'reordered') return null;
  return state === 'missing' ? 'missing' : 'edited';
}
