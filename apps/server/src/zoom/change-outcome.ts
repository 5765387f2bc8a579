/** What came of the events of a change, kept while it goes on, and told at its end (OP-69). */
import type { ZoomChangeResult } from '@lms-admin/contract/zoom';
import { z } from 'zod';
import type { ItemCounts, ItemRow } from '../jobs/items.ts';
import type { JobEnd } from '../jobs/kind.ts';
import { listed, storable } from '../platform/text.ts';
import type { Calendar } from './calendar.ts';
import { type CancelledWork, cancelWords } from './cancelled.ts';
import { type Did, didNothing, figuresOf, linksLeftOf } from './did.ts';
import { familyAgain, nameOf } from './families.ts';
import { EFFECTS } from './intents.ts';
import { changedEvent } from './other-changes.ts';
import type { Reconciled } from './reconcile.ts';

/** A synchroniser may make the events again while the job waits for the next day. */
export const itemInput = changedEvent.extend({
  main: changedEvent.nullable(),
  /** As the change began; missing in records of earlier versions. */
  title: z.string().optional(),
  intents: z.record(z.string(), z.array(z.enum(EFFECTS))).default({}),
});
/** `part`: something of it was done; missing in records of earlier versions. */
interface FailedEvent {
  event: number;
  title: string;
  start_at: string | null;
  message: string;
  part?: boolean;
}

/** What came of an event, as it is kept in the job's record. */
export interface Kept {
  /** By event. */
  failed: Record<string, FailedEvent>;
  did: Partial<Record<keyof Did, number>>;
  /** What helps with those that failed where trying again does not, by event. */
  helps: Record<string, string>;
  /** Events that were left to a later change, by event. */
  later: Record<string, ZoomChangeResult['later'][number] & { name: string }>;
  /** Events that wait in the middle, by event: something was done to them. */
  begun: Record<string, true>;
  /** Events of which nothing had to be done, by event. */
  same: Record<string, true>;
  /** Names of events whose text keeps a link that a person has written, by the event that was changed. */
  linked: Record<string, string[]>;
}

/** From the record of the job. */
export function keptIn(checkpoint: Record<string, unknown> | null): Kept {
  const { failed, did, helps, later, begun, same, linked } = (checkpoint ?? {}) as Partial<Kept>;
  return {
    failed: { ...failed },
    did: { ...did },
    helps: { ...helps },
    later: Object.fromEntries(
      Object.entries(later ?? {}).map(([event, one]) => [event, laterOf(event, one)]),
    ),
    begun: { ...begun },
    same: { ...same },
    linked: { ...linked },
  };
}

/** Earlier versions kept the name alone. */
function laterOf(event: string, one: Kept['later'][string] | string): Kept['later'][string] {
  return typeof one === 'string'
    ? { event: Number(event), title: one, start_at: null, by: 'another person', name: one }
    : one;
}

/** The event is left as a later change has it, or will have it. */
export function leftToLater(
  kept: Kept,
  calendar: Calendar,
  names: z.infer<typeof itemInput>,
  by: string,
): { state: 'done'; message: string } {
  const family = familyAgain(calendar, names);
  delete kept.failed[names.event];
  delete kept.helps[names.event];
  delete kept.begun[names.event];
  delete kept.linked[names.event];
  const { id: event = names.event, title = '', start_at = null } = family?.own.event ?? {};
  const name = family ? nameOf(family, calendar.zone) : `Event ${names.event}`;
  kept.later[names.event] = {
    event,
    title: storable(title),
    start_at,
    by: storable(by),
    name: storable(name),
  };
  return { state: 'done', message: storable(`Not changed: a later change by ${by} applies to this event.`) };
}

/** Notes what came of an event. */
export function noteIn(
  kept: Kept,
  calendar: Calendar,
  item: ItemRow,
  { state, message, did, next }: Reconciled,
): void {
  const of = itemInput.parse(item.input);
  delete kept.failed[of.event];
  delete kept.helps[of.event];
  if (state !== 'todo') delete kept.begun[of.event];
  else if (!didNothing(did)) kept.begun[of.event] = true;
  if (state === 'done' && didNothing(did)) kept.same[of.event] = true;
  const linked = linksLeftOf(did).map(storable);
  if (linked.length > 0) kept.linked[of.event] = linked;
  else delete kept.linked[of.event];
  if (state === 'failed' && next) kept.helps[of.event] = next;
  const { id: event = of.event, start_at = null } = familyAgain(calendar, of)?.own.event ?? {};
  if (state === 'failed')
    kept.failed[of.event] = {
      event,
      title: of.title ?? item.label,
      start_at,
      message: storable(message),
      part: !didNothing(did),
    };
  for (const [name, count] of figuresOf(did)) kept.did[name] = (kept.did[name] ?? 0) + count;
}

/** The events that were left to later changes, as they are named in words. */
export const namesOf = ({ later }: Kept) => Object.values(later).map(({ name }) => name);

/** The job's result. */
export function resultOf({ failed, later }: Kept) {
  const left = Object.values(later).map(({ event, title, start_at, by }) => ({ event, title, start_at, by }));
  const all = Object.values(failed).map((one) => ({ ...one, part: one.part ?? false }));
  return { failed: all, ...(left.length > 0 ? { later: left } : {}) };
}

const FIGURES: readonly [keyof Did, string][] = [
  ['made', 'meetings made'],
  ['handedOver', 'meetings transferred'],
  ['renewed', 'links renewed'],
  ['shown', 'links shown'],
  ['hidden', 'links hidden'],
  ['setPublished', 'events set to Published'],
  ['setHidden', 'events set to Hidden'],
];

function figuresOfKept(
  kept: Kept,
  { done, failed: not }: { done: number; failed: number },
): [string, number][] {
  const later = namesOf(kept);
  const begun = Object.keys(kept.begun).length;
  const part = resultOf(kept).failed.filter((one) => one.part).length;
  const same = Object.keys(kept.same).length;
  return [
    ['events done', done - later.length - same],
    ...(same > 0 ? ([['events already as wanted', same]] satisfies [string, number][]) : []),
    ...(later.length > 0
      ? ([['events left to later changes', later.length]] satisfies [string, number][])
      : []),
    ...FIGURES.flatMap(([name, words]): [string, number][] =>
      kept.did[name] ? [[words, kept.did[name]]] : [],
    ),
    ...(part + begun > 0 ? ([['events done in part', part + begun]] satisfies [string, number][]) : []),
    ...(not > part ? ([['events not done', not - part]] satisfies [string, number][]) : []),
  ];
}

/** How the job ends. @param late said of one that was cancelled too late */
export function endOf(kept: Kept, counts: { done: number; failed: number }, late: string | null): JobEnd {
  const { done, failed: not } = counts;
  const aside = [late, wordsOfLinked(kept)].filter((one) => one !== null).join(' ') || null;
  const result = { ...resultOf(kept), ...(aside === null ? {} : { more: aside }) };
  const later = namesOf(kept);
  const words = [late, wordsOfLater(later), wordsOfLinked(kept)];
  const note = words.filter((one) => one !== null).join(' ') || null;
  const part = result.failed.filter((one) => one.part).length;
  const figures = figuresOfKept(kept, counts);
  if (not === 0) return { outcome: later.length > 0 ? 'partly' : 'done', result, figures, note };
  if (done + part > 0) return { outcome: 'partly', result, figures, note };
  const [reason, ...others] = new Set(result.failed.map(({ message }) => message));
  const isOne = reason !== undefined && others.length === 0;
  const message = isOne ? reason : 'None of the events could be changed.';
  return {
    outcome: 'failed',
    result,
    figures,
    problem: { message, next: nextOf(kept) },
  };
}

/** What is the same for all is said; no one is told to try again where that helps none. */
function nextOf({ failed, helps }: Kept): string {
  const events = Object.keys(failed);
  const own = new Set(Object.values(helps));
  if (events.some((event) => !helps[event])) return 'Read the message of each event, and try again.';
  const [only, ...others] = own;
  return only !== undefined && others.length === 0
    ? only
    : 'Read the message of each event, and choose other events.';
}

/** Null: there are none. */
export function wordsOfLater(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const of = names.length === 1 ? '1 event was' : `${names.length} events were`;
  return storable(`A later change applies to ${listed(names)}: ${of} left as that change has it.`);
}

/** Where students can still join by a link that stays; null: nowhere. */
function wordsOfLinked({ linked }: Kept): string | null {
  const names = [...new Set(Object.values(linked).flat())];
  if (names.length === 0) return null;
  const words =
    names.length === 1
      ? `The text of 1 event still has a Zoom link that LMS Admin did not write: ${listed(names)}. Students can join by it until you delete it in the LMS.`
      : `The texts of ${names.length} events still have Zoom links that LMS Admin did not write: ${listed(names)}. Students can join by them until you delete them in the LMS.`;
  return storable(words);
}

/** What came of a cancelled job. @param rest events that have not ended */
export function cancelledOf(
  kept: Kept,
  calendar: Calendar,
  rest: readonly ItemRow[],
  counts: ItemCounts,
): CancelledWork {
  const stopped = rest.map(({ seq, label, input, state }) => {
    const of = itemInput.parse(input);
    const family = familyAgain(calendar, of);
    const { id: event = of.event, start_at = null } = family?.own.event ?? {};
    const part = kept.begun[of.event] === true;
    const name = family ? nameOf(family, calendar.zone) : label;
    // The answer to what was begun last did not come.
    const unknown = !part && state === 'doing' && Object.keys(of.intents).length > 0;
    return { seq, name, told: { event, title: of.title ?? label, start_at, part, unknown } };
  });
  const begun = stopped.filter(({ told }) => told.part);
  const part = begun.map(({ name }) => name);
  const words = cancelWords(counts, { did: 'done', not: 'done', part, left: namesOf(kept).length });
  return {
    note: storable([words, wordsOfLater(namesOf(kept)), wordsOfLinked(kept)].filter(Boolean).join(' ')),
    figures: figuresOfKept(kept, counts),
    begun: new Set(begun.map(({ seq }) => seq)),
    result: { ...resultOf(kept), stopped: stopped.map(({ told }) => told) },
  };
}
