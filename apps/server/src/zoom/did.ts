/** What was done to one event, in figures and in words. */
import type { Found } from './shown-links.ts';

export interface Did {
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
}

export function nothingDone(): Did {
  return {
    made: 0,
    moved: 0,
    changed: 0,
    handedOver: 0,
    renewed: 0,
    gone: 0,
    oldRemoved: 0,
    merged: false,
    unmerged: false,
    shown: 0,
    hidden: 0,
    putBack: 0,
    replaced: 0,
  };
}

/** A link was written where it was found so. */
export function noteShown(did: Did, found: Found, wasShown: boolean): void {
  if (!wasShown) did.shown++;
  else if (found === 'edited') did.replaced++;
  else did.putBack++;
}

/** Whether nothing outside was changed. */
export function didNothing(did: Did): boolean {
  return Object.values(did).every((one) => one === 0 || one === false);
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
    did.oldRemoved > 0 && 'old meeting removed',
    did.shown > 0 && 'link shown to students',
    did.hidden > 0 && 'link hidden from students',
    did.putBack > 0 && 'link put back into the event',
    did.replaced > 0 && 'edited link replaced',
  ].filter((part) => part !== false);
  if (parts.length === 0) return 'Nothing to do.';
  const text = parts.join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
