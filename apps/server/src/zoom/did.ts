/** What was done to one event, in figures and in words. */
import type { Slot } from './calendar-event.ts';
import { type CoHosts, unlicensedHost } from './co-hosts.ts';
import { type Effect, Intents } from './intents.ts';
import type { FoundBlock } from './shown-links.ts';

export interface SectionOver {
  event: number;
  title: string;
  start_at: string | null;
  /** Name of the section. */
  section: string;
  /** Whether there is one that could be left as it is. */
  hasMeeting: boolean;
}

export interface Did {
  /** What this job set out to do, in earlier turns too. */
  intents: Intents;
  /** Meetings that were made. */
  made: number;
  /** Meetings whose time was changed with the event's. */
  moved: number;
  /** Meetings of which something else was changed. */
  changed: number;
  handedOver: number;
  /** Events, or sections of one that is given by section, whose links are others than before. */
  renewed: Set<number>;
  /** Meetings that were found to be gone. */
  gone: number;
  /** Meetings that are in Zoom, but whose host is not active there. */
  unheld: number;
  /** Former meetings that were removed, by number. */
  oldRemoved: number[];
  /** Meetings that were created twice, of which one was removed, by number. */
  doublesRemoved: number[];
  merged: boolean;
  unmerged: boolean;
  /** Links that students see now, or no longer: one for each section of an event that is given by section. */
  shown: number;
  hidden: number;
  /** Events that count as published or hidden from now on, although what students see stays as it was. */
  setPublished: number;
  setHidden: number;
  /** Events from which the link had been removed, or edited. */
  putBack: number;
  replaced: number;
  /** Events whose links by section stand in another order, as a section's time was moved. */
  reordered: number;
  /** Events whose links by section were of sections, or had names, of before. */
  updated: number;
  /** Names of events that lost a link, since it led to no meeting that can be held. */
  linksRemoved: string[];
  /** Of meetings whose alternative hosts were changed, or are others than known. */
  coHosts: CoHosts[];
  /** Sections that a change left as they are, since they are over. */
  over: SectionOver[];
  /** Names of events that are hidden, or whose link is another one or gone, and whose text has a link that a person has written. */
  linksLeft: string[];
  /** Whole sentences about what needs a person. */
  warnings: string[];
  /** What was done to the events that are merged with it, by event. */
  others: Map<number, { name: string; did: Did }>;
}

export function nothingDone(intents: Intents = new Intents()): Did {
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

/** What is done to an event that is merged with the one of `did`. @param name of the merged event */
export function didTo(did: Did, event: number, name: string): Did {
  const known = did.others.get(event)?.did ?? nothingDone(did.intents);
  did.others.set(event, { name, did: known });
  return known;
}

/** What it is to write a link that students had before where it was found so. */
export function shownAs(found: FoundBlock): Effect {
  if (found === 'edited') return 'replaced';
  if (found === 'relinked') return 'renewed';
  if (found === 'outdated') return 'updated';
  return found === 'reordered' ? 'reordered' : 'putBack';
}

/** What a write concerns. */
export interface Noted {
  /** Name of the event. */
  name: () => string;
  /** Links that appear, or disappear. */
  links?: number;
  /** Those whose links are others. */
  renewed?: readonly Slot[];
}

/** Counts what came of a write. */
export function note(did: Did, effects: readonly Effect[], { name, links = 1, renewed = [] }: Noted): void {
  for (const effect of new Set(effects)) {
    if (effect === 'linksRemoved') did.linksRemoved.push(name());
    else if (effect === 'renewed') noteRenewed(did, renewed);
    else if (effect === 'merged' || effect === 'unmerged') did[effect] = true;
    else if (effect === 'shown' || effect === 'hidden') did[effect] += links;
    else did[effect]++;
  }
}

/** A link counts once, whether its meeting, its text or both have become others. */
export function noteRenewed(did: Did, slots: readonly Slot[]): void {
  for (const { event } of slots) did.renewed.add(event.id);
}

/** Counts an event that is shown or hidden from now on, where no link has come or gone. */
export function noteMarked(did: Did, was: boolean, visible: boolean): void {
  if (was === visible || did.shown + did.hidden > 0) return;
  did[visible ? 'setPublished' : 'setHidden']++;
}

/** Whether nothing was changed; what needs a person may be found anyway. */
export function didNothing(did: Did): boolean {
  const { warnings: _, intents: _intents, coHosts: _coHosts, over: _over, ...done } = did;
  const { linksRemoved, linksLeft: _linksLeft, oldRemoved, doublesRemoved, renewed, others, ...rest } = done;
  const isSame =
    [linksRemoved, oldRemoved, doublesRemoved].every((some) => some.length === 0) &&
    renewed.size === 0 &&
    Object.values(rest).every((one) => one === 0 || one === false);
  return isSame && [...others.values()].every((one) => didNothing(one.did));
}

/** Figures of the event and of those that are merged with it. */
export function figuresOf(did: Did): [keyof Did, number][] {
  const { intents: _, others, renewed, ...counts } = did;
  const own = Object.entries({ ...counts, renewed: renewed.size }).flatMap(
    ([name, count]): [keyof Did, number][] =>
      Array.isArray(count) || Number(count) === 0 ? [] : [[name as keyof Did, Number(count)]],
  );
  return [...own, ...[...others.values()].flatMap((one) => figuresOf(one.did))];
}

/** The event, and those that are merged with it, where a link of a person stays in the text. */
export function linksLeftOf({ linksLeft, others }: Did): string[] {
  return [...new Set([...linksLeft, ...[...others.values()].flatMap((one) => linksLeftOf(one.did))])];
}

/** For the line of the event. */
export function wordsOfDid(did: Did): string {
  const merged = [...did.others.values()].flatMap((one) => {
    const parts = partsOf(one.did);
    const own = parts.length === 0 ? [] : [`${one.name}: ${parts.join(', ')}.`];
    return [...own, ...one.did.warnings.map((text) => `${one.name}: ${text}`)];
  });
  const parts = partsOf(did);
  const text = parts.length === 0 ? 'nothing to do' : parts.join(', ');
  const own =
    parts.length === 0 && merged.length > 0 ? [] : [`${text.charAt(0).toUpperCase()}${text.slice(1)}.`];
  // A run warns of who is left out of a new meeting, too.
  const over = did.over.map(({ section, hasMeeting }) =>
    hasMeeting
      ? `${section} is over, and its meeting was left as it is.`
      : `${section} is over, and gets no meeting.`,
  );
  return [...own, ...merged, ...new Set([...over, ...coHostWords(did), ...did.warnings])].join(' ');
}

/** What was done of an event that could not be done as a whole, lost links apart; begins with a space where it is not empty. */
export function wordsOfRest({ others, ...did }: Did): string {
  const merged = [...others].map(([event, { name, did: its }]): [number, { name: string; did: Did }] => [
    event,
    { name, did: { ...its, linksRemoved: [] } },
  ]);
  const rest: Did = { ...did, linksRemoved: [], warnings: [], others: new Map(merged) };
  return didNothing(rest) ? '' : ` The rest of it was done: ${lowerFirst(wordsOfDid(rest))}`;
}

const MIDWAY = 'Cancelled when it was partly done';
export const STOPPED_BEFORE = 'Cancelled before anything was changed.';
/** What was done is told of the job. */
export const STOPPED_MIDWAY = `${MIDWAY}.`;

/** Of an event that was begun when its work was cancelled. */
export function wordsOfStopped(did: Did): string {
  return didNothing(did) ? STOPPED_BEFORE : `${MIDWAY}: ${lowerFirst(wordsOfDid(did))}`;
}

/** Whether a text is of `wordsOfStopped`. */
export const isOfStopped = (text: string) => text === STOPPED_BEFORE || text.startsWith(MIDWAY);

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** What an event that cannot be done, and those that are merged with it, lose anyway; begins with a space where it is not empty. */
export function wordsOfLost({ linksRemoved, others }: Did): string {
  const merged = [...others.values()].flatMap((one) => one.did.linksRemoved);
  const lost = [
    ...(linksRemoved.length > 0 ? ['Its link'] : []),
    ...merged.map((name) => `The link of ${name}`),
  ];
  return lost.map((link) => ` ${link} was removed, as it led to no meeting that can be held.`).join('');
}

/** Who can start the meetings from now on, and who no longer. */
function coHostWords({ coHosts }: Did): string[] {
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

function partsOf(did: Did): string[] {
  return [
    did.merged && 'merged',
    did.unmerged && 'unmerged',
    did.made > 0 && (did.made === 1 ? 'meeting made' : `${did.made} meetings made`),
    did.handedOver > 0 && 'meeting transferred',
    did.moved > 0 && 'meeting moved',
    did.changed > 0 && 'meeting changed',
    did.renewed.size > 0 && `${did.renewed.size === 1 ? 'link' : 'links'} renewed`,
    did.gone > 0 && 'its old meeting is no longer in Zoom',
    did.unheld > 0 && 'its old meeting cannot be held, as its host is not active in Zoom',
    did.oldRemoved.length > 0 &&
      (did.oldRemoved.length === 1 ? 'old meeting removed' : `${did.oldRemoved.length} old meetings removed`),
    did.doublesRemoved.length > 0 &&
      (did.doublesRemoved.length === 1
        ? 'duplicate meeting removed'
        : `${did.doublesRemoved.length} duplicate meetings removed`),
    did.shown > 0 && `${did.shown === 1 ? 'link' : 'links'} shown to students`,
    did.hidden > 0 && `${did.hidden === 1 ? 'link' : 'links'} hidden from students`,
    did.setPublished > 0 && 'set to Published',
    did.setHidden > 0 && 'set to Hidden',
    did.putBack > 0 && 'link put back into the event',
    did.replaced > 0 && 'edited link replaced',
    did.reordered > 0 && 'links put in the order of their times',
    did.updated > 0 && 'links updated to the present sections',
    did.linksRemoved.length > 0 && 'link removed, as it led to no meeting that can be held',
  ].filter((part) => part !== false);
}
