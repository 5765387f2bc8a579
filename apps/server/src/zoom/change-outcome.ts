/** Outcomes of a change's events, stored during the work and reported at its end (OP-69). */
import type { ZoomChangeResult } from '@lms-admin/contract/zoom';
import { z } from 'zod';
import type { ItemCounts, ItemRow } from '../jobs/items.ts';
import type { JobEnd } from '../jobs/kind.ts';
import { listed, storable } from '../platform/text.ts';
import type { Calendar } from './calendar.ts';
import { type CancelledWork, cancelWords } from './cancelled.ts';
import { changedNothing, type EventChanges, figuresOf, linksLeftOf } from './event-changes.ts';
import type { Reconciled } from './event-ends.ts';
import { currentFamily, nameOf } from './families.ts';
import { intended } from './intents.ts';
import { changedEvent } from './other-changes.ts';

/** A synchroniser may recreate the events while the job waits for the next day. */
export const itemInput = changedEvent.extend({
  main: changedEvent.nullable(),
  /** Title at the beginning of the change; missing in records of earlier versions. */
  title: z.string().optional(),
  intents: intended,
});
/** `part`: the event was partly changed; missing in records of earlier versions. */
interface FailedEvent {
  event: number;
  title: string;
  start_at: string | null;
  message: string;
  part?: boolean;
}

/** Outcomes as stored in the job's record. */
export interface Kept {
  /** Failed events by event id. */
  failed: Record<string, FailedEvent>;
  did: Partial<Record<keyof EventChanges, number>>;
  /** Next steps for failed events for which a repeat does not help, by event id. */
  helps: Record<string, string>;
  /** Events left to a later change, by event id. */
  later: Record<string, ZoomChangeResult['later'][number] & { name: string }>;
  /** Partly done events, by event id. */
  begun: Record<string, true>;
  /** Events that were under way when the work was cancelled, by event id; earlier versions did not store them. */
  stopped: Record<string, true>;
  /** Events that needed no change, by event id. */
  same: Record<string, true>;
  /** Names of events whose text still has a link written by a person, by the changed event. */
  linked: Record<string, string[]>;
}

/** Reads the outcomes from the record of the job. */
export function keptIn(checkpoint: Record<string, unknown> | null): Kept {
  const {
    failed,
    did: changes,
    helps,
    later,
    begun,
    stopped,
    same,
    linked,
  } = (checkpoint ?? {}) as Partial<Kept>;
  return {
    failed: { ...failed },
    did: { ...changes },
    helps: { ...helps },
    later: Object.fromEntries(
      Object.entries(later ?? {}).map(([event, one]) => [event, laterOf(event, one)]),
    ),
    begun: { ...begun },
    stopped: { ...stopped },
    same: { ...same },
    linked: { ...linked },
  };
}

/** Converts a stored change, because earlier versions stored only the name. */
function laterOf(event: string, one: Kept['later'][string] | string): Kept['later'][string] {
  return typeof one === 'string'
    ? { event: Number(event), title: one, start_at: null, by: 'another person', name: one }
    : one;
}

/** Leaves the event to a later change that is done or still waiting. */
export function leftToLater(
  kept: Kept,
  calendar: Calendar,
  names: z.infer<typeof itemInput>,
  by: string,
): { state: 'done'; message: string } {
  const family = currentFamily(calendar, names);
  delete kept.failed[names.event];
  delete kept.helps[names.event];
  delete kept.begun[names.event];
  delete kept.stopped[names.event];
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

/** Records the outcome of an event. */
export function noteIn(
  kept: Kept,
  calendar: Calendar,
  item: ItemRow,
  { state, message, stopped, changes, next }: Reconciled,
): void {
  const of = itemInput.parse(item.input);
  delete kept.failed[of.event];
  delete kept.helps[of.event];
  if (state !== 'todo') delete kept.begun[of.event];
  else if (!changedNothing(changes)) kept.begun[of.event] = true;
  if (stopped) kept.stopped[of.event] = true;
  else delete kept.stopped[of.event];
  if (state === 'done' && changedNothing(changes)) kept.same[of.event] = true;
  const linked = linksLeftOf(changes).map(storable);
  if (linked.length > 0) kept.linked[of.event] = linked;
  else delete kept.linked[of.event];
  if (state === 'failed' && next) kept.helps[of.event] = next;
  const { id: event = of.event, start_at = null } = currentFamily(calendar, of)?.own.event ?? {};
  if (state === 'failed')
    kept.failed[of.event] = {
      event,
      title: of.title ?? item.label,
      start_at,
      message: storable(message),
      part: !changedNothing(changes),
    };
  for (const [name, count] of figuresOf(changes)) kept.did[name] = (kept.did[name] ?? 0) + count;
}

/** Returns the display names of the events that were left to later changes. */
export const namesOf = ({ later }: Kept) => Object.values(later).map(({ name }) => name);

/** Returns the result of the job. */
export function resultOf({ failed, later }: Kept) {
  const left = Object.values(later).map(({ event, title, start_at, by }) => ({ event, title, start_at, by }));
  const all = Object.values(failed).map((one) => ({ ...one, part: one.part ?? false }));
  return { failed: all, ...(left.length > 0 ? { later: left } : {}) };
}

const FIGURES: readonly [keyof EventChanges, string][] = [
  ['made', 'meetings created'],
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
  // The preview counts a link that students see again like any other link that appears.
  const links = { ...kept.did, shown: (kept.did.shown ?? 0) + (kept.did.seenAgain ?? 0) };
  return [
    ['events done', done - later.length - same],
    ...(same > 0 ? ([['events already correct', same]] satisfies [string, number][]) : []),
    ...(later.length > 0 ? ([['events with later changes', later.length]] satisfies [string, number][]) : []),
    ...FIGURES.flatMap(([name, words]): [string, number][] => (links[name] ? [[words, links[name]]] : [])),
    ...(part + begun > 0 ? ([['events partly done', part + begun]] satisfies [string, number][]) : []),
    ...(not > part ? ([['events not done', not - part]] satisfies [string, number][]) : []),
  ];
}

/** Returns the end of the job. @param late note for a cancellation that came too late */
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

/** Returns the shared next step; a repeat is suggested only if it can help. */
function nextOf({ failed, helps }: Kept): string {
  const events = Object.keys(failed);
  const own = new Set(Object.values(helps));
  if (events.some((event) => !helps[event])) return 'Read the message of each event, and try again.';
  const [only, ...others] = own;
  return only !== undefined && others.length === 0
    ? only
    : 'Read the message of each event, and choose other events.';
}

/** @returns null without any names */
export function wordsOfLater(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const of = names.length === 1 ? '1 event was' : `${names.length} events were`;
  return storable(`A later change applies to ${listed(names)}. ${of} left as that change set it.`);
}

/** Names the events where students can still join by a remaining link; null if there are none. */
function wordsOfLinked({ linked }: Kept): string | null {
  const names = [...new Set(Object.values(linked).flat())];
  if (names.length === 0) return null;
  const words =
    names.length === 1
      ? `The text of 1 event still has a Zoom link that LMS Admin did not add: ${listed(names)}. Students can use it to join until you delete it in the LMS.`
      : `The texts of ${names.length} events still have Zoom links that LMS Admin did not add: ${listed(names)}. Students can use them to join until you delete them in the LMS.`;
  return storable(words);
}

/** Returns the outcome of a cancelled job. @param rest events that have not ended */
export function cancelledOf(
  kept: Kept,
  calendar: Calendar,
  rest: readonly ItemRow[],
  counts: ItemCounts,
  late: string | null,
): CancelledWork {
  const left = rest.map(({ seq, label, input, state }) => {
    const of = itemInput.parse(input);
    const family = currentFamily(calendar, of);
    const { id: event = of.event, start_at = null } = family?.own.event ?? {};
    const part = kept.begun[of.event] === true;
    const name = family ? nameOf(family, calendar.zone) : label;
    // The last call got no answer.
    const unknown = !part && state === 'doing' && Object.keys(of.intents).length > 0;
    return {
      seq,
      name,
      stopped: kept.stopped[of.event] === true,
      notice: { event, title: of.title ?? label, start_at, part, unknown },
    };
  });
  const begun = left.filter(({ notice }) => notice.part);
  const part = begun.map(({ name }) => name);
  const words = cancelWords(counts, { verb: 'done', not: 'done', part, left: namesOf(kept).length });
  return {
    note: storable([words, wordsOfLater(namesOf(kept)), wordsOfLinked(kept), late].filter(Boolean).join(' ')),
    figures: figuresOfKept(kept, counts),
    begun: new Set(begun.map(({ seq }) => seq)),
    stopped: new Set(left.flatMap(({ seq, stopped }) => (stopped ? [seq] : []))),
    result: { ...resultOf(kept), stopped: left.map(({ notice }) => notice) },
  };
}
