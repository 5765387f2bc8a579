/** What was done to one event, in figures and in words. */
import { type Effect, Intents } from './intents.ts';
import type { FoundBlock } from './shown-links.ts';

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
  /** Links that are others than before. */
  renewed: number;
  /** Meetings that were found to be gone. */
  gone: number;
  /** Meetings that are in Zoom, but whose host is not active there. */
  unheld: number;
  /** Former meetings that were removed. */
  oldRemoved: number;
  merged: boolean;
  unmerged: boolean;
  /** Events, merged ones too, whose link students see now, or no longer. */
  shown: number;
  hidden: number;
  /** Events from which the link had been taken away, or edited. */
  putBack: number;
  replaced: number;
  /** Events whose links by section stand in another order, as a section's time was moved. */
  reordered: number;
  /** Events whose links by section were of sections, or had names, of before. */
  updated: number;
  /** Names of events that lost a link, since it led to no meeting that can be held. */
  linksRemoved: string[];
  /** Whole sentences about what needs a person. */
  warnings: string[];
}

export function nothingDone(intents: Intents = new Intents()): Did {
  return {
    intents,
    made: 0,
    moved: 0,
    changed: 0,
    handedOver: 0,
    renewed: 0,
    gone: 0,
    unheld: 0,
    oldRemoved: 0,
    merged: false,
    unmerged: false,
    shown: 0,
    hidden: 0,
    putBack: 0,
    replaced: 0,
    reordered: 0,
    updated: 0,
    linksRemoved: [],
    warnings: [],
  };
}

/** What it is to write a link where it was found so. */
export function shownAs(found: FoundBlock, wasShown: boolean): Effect {
  if (!wasShown) return 'shown';
  if (found === 'edited') return 'replaced';
  if (found === 'relinked') return 'renewed';
  if (found === 'outdated') return 'updated';
  return found === 'reordered' ? 'reordered' : 'putBack';
}

/** Counts what came of a write. @param name of the event */
export function note(did: Did, effects: readonly Effect[], name: () => string): void {
  for (const effect of new Set(effects)) {
    if (effect === 'linksRemoved') did.linksRemoved.push(name());
    else if (effect === 'merged' || effect === 'unmerged') did[effect] = true;
    else did[effect]++;
  }
}

/** Whether nothing outside was changed; what needs a person may be found all the same. */
export function didNothing(did: Did): boolean {
  const { warnings: _, intents: _intents, linksRemoved, ...rest } = did;
  return linksRemoved.length === 0 && Object.values(rest).every((one) => one === 0 || one === false);
}

/** For the line of the event. */
export function wordsOfDid(did: Did): string {
  const parts = [
    did.merged && 'merged',
    did.unmerged && 'unmerged',
    did.made > 0 && (did.made === 1 ? 'meeting made' : `${did.made} meetings made`),
    did.handedOver > 0 && 'meeting handed over',
    did.moved > 0 && 'meeting moved',
    did.changed > 0 && 'meeting changed',
    did.renewed > 0 && 'link renewed',
    did.gone > 0 && 'its old meeting is no longer in Zoom',
    did.unheld > 0 && 'its old meeting cannot be held, as its host is not active in Zoom',
    did.oldRemoved > 0 &&
      (did.oldRemoved === 1 ? 'old meeting removed' : `${did.oldRemoved} old meetings removed`),
    did.shown > 0 && 'link shown to students',
    did.hidden > 0 && 'link hidden from students',
    did.putBack > 0 && 'link put back into the event',
    did.replaced > 0 && 'edited link replaced',
    did.reordered > 0 && 'links put in the order of their times',
    did.updated > 0 && 'links updated to the present sections',
    did.linksRemoved.length > 0 && 'link removed, as it led to no meeting that can be held',
  ].filter((part) => part !== false);
  const text = parts.length === 0 ? 'nothing to do' : parts.join(', ');
  return [`${text.charAt(0).toUpperCase()}${text.slice(1)}.`, ...did.warnings].join(' ');
}
