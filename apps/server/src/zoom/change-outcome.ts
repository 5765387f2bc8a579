/** What came of the events of a change, kept while it goes on, and told at its end (OP-69). */
import type { ZoomChangeResult } from '@lms-admin/contract/zoom';
import { z } from 'zod';
import type { ItemRow } from '../jobs/items.ts';
import type { JobEnd, JobWork } from '../jobs/kind.ts';
import { counted, listed, storable } from '../platform/text.ts';
import type { Calendar } from './calendar.ts';
import { type Did, didNothing, figuresOf } from './did.ts';
import { familyAgain, nameOf } from './families.ts';
import { EFFECTS } from './intents.ts';
import { changedEvent } from './other-changes.ts';
import type { Reconciled } from './reconcile.ts';

/** A synchroniser may make the events again while the job waits for the next day. */
export const itemInput = changedEvent.extend({
  main: changedEvent.nullable(),
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
}

/** From the record of the job. */
export function keptIn(checkpoint: Record<string, unknown> | null): Kept {
  const { failed, did, helps, later, begun, same } = (checkpoint ?? {}) as Partial<Kept>;
  return {
    failed: { ...failed },
    did: { ...did },
    helps: { ...helps },
    later: Object.fromEntries(
      Object.entries(later ?? {}).map(([event, one]) => [event, laterOf(event, one)]),
    ),
    begun: { ...begun },
    same: { ...same },
  };
}

/** Earlier versions kept the name alone. */
function laterOf(event: string, one: Kept['later'][string] | string): Kept['later'][string] {
  return typeof one === 'string'
    ? { event: Number(event), title: one, start_at: null, by: 'somebody else', name: one }
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
  if (state === 'failed' && next) kept.helps[of.event] = next;
  const { id: event = of.event, start_at = null } = familyAgain(calendar, of)?.own.event ?? {};
  if (state === 'failed')
    kept.failed[of.event] = {
      event,
      title: item.label,
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
  ['handedOver', 'meetings handed over'],
  ['renewed', 'links renewed'],
  ['shown', 'links shown'],
  ['hidden', 'links hidden'],
  ['setPublished', 'events set to Published'],
  ['setHidden', 'events set to Hidden'],
];

/** How the job ends. */
export function endOf(kept: Kept, { done, failed: not }: { done: number; failed: number }): JobEnd {
  const result = resultOf(kept);
  const later = namesOf(kept);
  const note = wordsOfLater(later);
  const part = result.failed.filter((one) => one.part).length;
  const same = Object.keys(kept.same).length;
  const figures: [string, number][] = [
    ['events done', done - later.length - same],
    ...(same > 0 ? ([['events already as wanted', same]] satisfies [string, number][]) : []),
    ...(later.length > 0
      ? ([['events left to later changes', later.length]] satisfies [string, number][])
      : []),
    ...FIGURES.flatMap(([name, words]): [string, number][] =>
      kept.did[name] ? [[words, kept.did[name]]] : [],
    ),
    ...(part > 0 ? ([['events done in part', part]] satisfies [string, number][]) : []),
    ...(not > part ? ([['events not done', not - part]] satisfies [string, number][]) : []),
  ];
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

/** What is the same for all is said; nobody is told to try again where that helps none. */
function nextOf({ failed, helps }: Kept): string {
  const events = Object.keys(failed);
  const own = new Set(Object.values(helps));
  if (events.some((event) => !helps[event])) return 'Look at what is said of each event, and try again.';
  const [only, ...others] = own;
  return only !== undefined && others.length === 0
    ? only
    : 'Look at what is said of each event, and choose others.';
}

/** Null: there are none. */
export function wordsOfLater(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const of = names.length === 1 ? '1 event was' : `${names.length} events were`;
  return storable(`A later change applies to ${listed(names)}: ${of} left as that change has it.`);
}

/** What is done and what is not, where the job was cancelled. */
export function cancelWords({ job }: JobWork, kept: Kept): string {
  const all = job.total ?? 0;
  const left = namesOf(kept);
  const done = job.done - left.length;
  const some = Object.keys(kept.begun).length;
  const rest =
    some === 0
      ? 'the others are as they were.'
      : `${counted(some, 'event was', 'events were')} done in part, which stays; the others are as they were.`;
  const words = `Cancelled: ${done} of ${counted(all, 'event was', 'events were')} done; ${rest}`;
  return [words, wordsOfLater(left)].filter((one) => one !== null).join(' ');
}
