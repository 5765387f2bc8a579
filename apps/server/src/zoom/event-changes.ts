/** Changes made to one event, as figures and as text. */

import { listed } from '../platform/text.ts';
import type { Slot } from './calendar-event.ts';
import { type CoHosts, unlicensedHost } from './co-hosts.ts';
import { type Effect, Intents } from './intents.ts';
import type { FoundBlock } from './shown-links.ts';

/** Message about a link that a person has written into an event and that stays there. */
export const LEFT =
  'Its text still has a link to this meeting. LMS Admin did not add this link, so delete it in the LMS.';
export const LEFT_OTHER =
  'Its text still has a link to another meeting. LMS Admin did not add this link. If students should not use it to join, delete it in the LMS.';
export const LEFT_FORMER =
  'Its text still has a link to its former meeting. LMS Admin did not add this link. If students should not use it to join, delete it in the LMS.';
const ALL_LEFT = [LEFT, LEFT_OTHER, LEFT_FORMER];

/** Removes these messages if a warning about dead links replaces them. */
export function dropLeft(changes: EventChanges): void {
  const rest = changes.warnings.filter((one) => !ALL_LEFT.includes(one));
  changes.warnings.splice(0, changes.warnings.length, ...rest);
}

export interface SectionOver {
  event: number;
  title: string;
  start_at: string | null;
  section: string;
  /** Whether the section has a meeting that could be left as it is. */
  hasMeeting: boolean;
}

export interface EventChanges {
  /** Intended changes of this job, including those of earlier turns. */
  intents: Intents;
  /** Created meetings. */
  made: number;
  /** Meetings whose time was changed together with the event's. */
  moved: number;
  /** Meetings with other changes. */
  changed: number;
  handedOver: number;
  /** Events, or sections of an event with section times, with a new link. */
  renewed: Set<number>;
  /** Meetings that were missing in Zoom. */
  gone: number;
  /** Meetings in Zoom whose host is not active there. */
  unheld: number;
  /** Numbers of former meetings that were removed. */
  oldRemoved: number[];
  /** Numbers of removed duplicates, from meetings that were created twice. */
  doublesRemoved: number[];
  merged: boolean;
  unmerged: boolean;
  /** Links shown to students, or hidden from them: one for each section of an event with section times. */
  shown: number;
  hidden: number;
  /** Events newly recorded as published or hidden, although what students see is unchanged. */
  setPublished: number;
  setHidden: number;
  /** Links that students see again, in lines that were corrected. */
  seenAgain: number;
  /** Events from which the link had been removed, or edited. */
  putBack: number;
  replaced: number;
  /** Events whose section links changed their order, because a section's time was moved. */
  reordered: number;
  /** Events whose section links had former sections, or former names. */
  updated: number;
  /** Names of events that lost a link because it did not lead to a valid meeting. */
  linksRemoved: string[];
  /** Meetings whose alternative hosts were changed, or differ from the stored ones. */
  coHosts: CoHosts[];
  /** Sections that a change left as they are, since they are over. */
  over: SectionOver[];
  /** Names of events that are hidden or have a new or no link, and whose text has a link that a person has written. */
  linksLeft: string[];
  /** Complete sentences about matters that a person must deal with. */
  warnings: string[];
  /** Changes to the events that are merged with this one, by event id. */
  others: Map<number, { name: string; changes: EventChanges }>;
}

export function nothingDone(intents: Intents = new Intents()): EventChanges {
  return {
    intents,
    made: 0,
    moved: 0,
    changed: 0,
    handedOver: 0,
    renewed: new Set(),
    gone: 0,
    unheld: 0,
    oldRemoved: [],
    doublesRemoved: [],
    merged: false,
    unmerged: false,
    shown: 0,
    hidden: 0,
    setPublished: 0,
    setHidden: 0,
    seenAgain: 0,
    putBack: 0,
    replaced: 0,
    reordered: 0,
    updated: 0,
    linksRemoved: [],
    coHosts: [],
    over: [],
    linksLeft: [],
    warnings: [],
    others: new Map(),
  };
}

/** Returns the changes to an event that is merged with the one of `changes`. @param name name of the merged event */
export function changesTo(changes: EventChanges, event: number, name: string): EventChanges {
  const known = changes.others.get(event)?.changes ?? nothingDone(changes.intents);
  changes.others.set(event, { name, changes: known });
  return known;
}

/** Returns the effect of writing a link that students had before, given how it was found. */
export function shownAs(found: FoundBlock): Effect {
  if (found === 'edited') return 'replaced';
  if (found === 'relinked') return 'renewed';
  if (found === 'outdated') return 'updated';
  return found === 'reordered' ? 'reordered' : 'putBack';
}

/** Facts about a write, for counting its effects. */
export interface Noted {
  name: () => string;
  /** Links that appear. */
  shown?: number;
  /** Links that disappear. */
  hidden?: number;
  /** Links that appear in lines that students had before. */
  again?: number;
  /** Slots that have a different link. */
  renewed?: readonly Slot[];
}

/** Counts the effects of a write. */
export function note(
  changes: EventChanges,
  effects: readonly Effect[],
  { name, shown = 1, hidden = 1, again = 0, renewed = [] }: Noted,
): void {
  changes.seenAgain += again;
  for (const effect of new Set(effects)) {
    if (effect === 'linksRemoved') changes.linksRemoved.push(name());
    else if (effect === 'renewed') noteRenewed(changes, renewed);
    else if (effect === 'merged' || effect === 'unmerged') changes[effect] = true;
    else if (effect === 'shown') changes.shown += shown;
    else if (effect === 'hidden') changes.hidden += hidden;
    else if (effect !== 'removed') changes[effect]++;
  }
}

/** Counts a changed link once, whether its meeting, its text or both have changed. */
export function noteRenewed(changes: EventChanges, slots: readonly Slot[]): void {
  for (const { event } of slots) changes.renewed.add(event.id);
}

/** Counts an event that is newly shown or hidden, if no link was added or removed. */
export function noteMarked(changes: EventChanges, was: boolean, visible: boolean): void {
  if (was === visible || changes.shown + changes.hidden > 0) return;
  changes[visible ? 'setPublished' : 'setHidden']++;
}

/** Returns whether nothing was changed. The event may still have warnings for a person. */
export function changedNothing(changes: EventChanges): boolean {
  const { warnings: _, intents: _intents, coHosts: _coHosts, over: _over, ...done } = changes;
  const { linksRemoved, linksLeft: _linksLeft, oldRemoved, doublesRemoved, renewed, others, ...rest } = done;
  const isSame =
    [linksRemoved, oldRemoved, doublesRemoved].every((some) => some.length === 0) &&
    renewed.size === 0 &&
    Object.values(rest).every((one) => one === 0 || one === false);
  return isSame && [...others.values()].every((one) => changedNothing(one.changes));
}

/** Returns the figures of the event and of those that are merged with it. */
export function figuresOf(changes: EventChanges): [keyof EventChanges, number][] {
  const { intents: _, others, renewed, ...counts } = changes;
  const own = Object.entries({ ...counts, renewed: renewed.size }).flatMap(
    ([name, count]): [keyof EventChanges, number][] =>
      Array.isArray(count) || Number(count) === 0 ? [] : [[name as keyof EventChanges, Number(count)]],
  );
  return [...own, ...[...others.values()].flatMap((one) => figuresOf(one.changes))];
}

/** Returns the names of the event and of those merged with it, if a person's link stays in the text. */
export function linksLeftOf({ linksLeft, others }: EventChanges): string[] {
  return [...new Set([...linksLeft, ...[...others.values()].flatMap((one) => linksLeftOf(one.changes))])];
}

/** Returns the message for the event's item. */
export function describeChanges(changes: EventChanges): string {
  const merged = [...changes.others.values()].flatMap((one) => {
    const parts = partsOf(one.changes);
    const own = parts.length === 0 ? [] : [`${one.name}: ${parts.join(', ')}.`];
    return [...own, ...one.changes.warnings.map((text) => `${one.name}: ${text}`)];
  });
  const parts = partsOf(changes);
  const text = parts.length === 0 ? 'nothing to do' : parts.join(', ');
  const own =
    parts.length === 0 && merged.length > 0 ? [] : [`${text.charAt(0).toUpperCase()}${text.slice(1)}.`];
  // A run also warns about people who are omitted from a new meeting.
  const over = changes.over.map(({ section, hasMeeting }) =>
    hasMeeting
      ? `The event of ${section} is over, so its meeting was left unchanged.`
      : `The event of ${section} is over, so it gets no meeting.`,
  );
  return [...own, ...merged, ...new Set([...over, ...coHostWords(changes), ...changes.warnings])].join(' ');
}

/** Describes the changes to an event that failed in part, except for lost links; begins with a space if not empty. */
export function wordsOfRest({ others, ...changes }: EventChanges): string {
  const merged = [...others].map(
    ([event, { name, changes: its }]): [number, { name: string; changes: EventChanges }] => [
      event,
      { name, changes: { ...its, linksRemoved: [] } },
    ],
  );
  const rest: EventChanges = { ...changes, linksRemoved: [], warnings: [], others: new Map(merged) };
  return changedNothing(rest) ? '' : ` The rest was done: ${lowerFirst(describeChanges(rest))}`;
}

export const STOPPED_BEFORE = 'Cancelled before anything was changed.';
/** What was done before the stop is reported for the whole job. */
export const STOPPED_MIDWAY = 'Cancelled after part of it was done.';

/** Returns the message for an event that was under way when the work was cancelled. */
export function wordsOfStopped(changes: EventChanges): string {
  return changedNothing(changes)
    ? STOPPED_BEFORE
    : `Cancelled after part of it was done: ${lowerFirst(describeChanges(changes))}`;
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** Describes lost links of a failed event, and of those merged with it; begins with a space if not empty. */
export function wordsOfLost({ linksRemoved, others }: EventChanges): string {
  const merged = [...others.values()].flatMap((one) => one.changes.linksRemoved);
  const lost = [
    ...(linksRemoved.length > 0 ? ['Its link'] : []),
    ...merged.map((name) => `The link of ${name}`),
  ];
  return lost.map((link) => ` ${link} was removed, as it did not lead to a valid meeting.`).join('');
}

/** Describes meetings that were removed at the end, by number, with the names of their events; null for none. */
export function wordsOfLate(late: Readonly<Record<string, string>>): string | null {
  const all = Object.entries(late).map(([number, name]) => `meeting ${number} of ${name}`);
  if (all.length === 0) return null;
  const of =
    all.length === 1
      ? '1 meeting is no longer used and was'
      : `${all.length} meetings are no longer used and were`;
  return `${of} removed in Zoom: ${listed(all)}.`;
}

/** Names the people who can now start the meetings, and those who no longer can. */
function coHostWords({ coHosts }: EventChanges): string[] {
  const all = coHosts.flatMap(({ from, to, unlicensed }) => [
    ...from
      .filter((one) => !to.includes(one))
      .map((one) =>
        unlicensed.includes(one) ? unlicensedHost(one) : `${one} is no longer an alternative host.`,
      ),
    ...to.filter((one) => !from.includes(one)).map((one) => `${one} is now an alternative host.`),
  ]);
  return [...new Set(all)];
}

function partsOf(changes: EventChanges): string[] {
  return [
    changes.merged && 'merged',
    changes.unmerged && 'unmerged',
    changes.made > 0 && (changes.made === 1 ? 'meeting created' : `${changes.made} meetings created`),
    changes.handedOver > 0 && 'meeting transferred',
    changes.moved > 0 && 'meeting moved',
    changes.changed > 0 && 'meeting changed',
    changes.renewed.size > 0 && `${changes.renewed.size === 1 ? 'link' : 'links'} renewed`,
    changes.gone > 0 && 'its old meeting is no longer in Zoom',
    changes.unheld > 0 && 'its old meeting cannot be held, as its host is not active in Zoom',
    changes.oldRemoved.length > 0 &&
      (changes.oldRemoved.length === 1
        ? 'old meeting removed'
        : `${changes.oldRemoved.length} old meetings removed`),
    changes.doublesRemoved.length > 0 &&
      (changes.doublesRemoved.length === 1
        ? 'duplicate meeting removed'
        : `${changes.doublesRemoved.length} duplicate meetings removed`),
    changes.shown > 0 && `${changes.shown === 1 ? 'link' : 'links'} shown to students`,
    changes.hidden > 0 && `${changes.hidden === 1 ? 'link' : 'links'} hidden from students`,
    changes.setPublished > 0 && 'set to Published',
    changes.setHidden > 0 && 'set to Hidden',
    changes.putBack > 0 && 'link put back into the event',
    changes.replaced > 0 && 'edited link replaced',
    changes.reordered > 0 && 'links sorted by time',
    changes.updated > 0 && 'links updated to the current sections',
    changes.linksRemoved.length > 0 && 'link removed, as it did not lead to a valid meeting',
  ].filter((part) => part !== false);
}
