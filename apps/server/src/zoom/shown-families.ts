/** Shows students in Canvas what the records say (OP-103): each event's own links, or those of its main event. */
import type { BlockLine } from '@lms-admin/domain/zoom-block';
import { meetingOfLink } from '@lms-admin/domain/zoom-links';
import type { Calendar } from './calendar.ts';
import type { Family, Slot } from './calendar-event.ts';
import type { EngineParts } from './engine-parts.ts';
import { type EventChanges, LEFT, LEFT_FORMER, LEFT_OTHER, note, shownAs } from './event-changes.ts';
import { isUnowned, linesOf, linkOf, mainOf, nameOf } from './families.ts';
import type { Effect } from './intents.ts';
import { type FoundBlock, showLinks } from './shown-links.ts';
import {
  type FamilyState,
  leftLinks,
  leftOfMerged,
  numbersOf,
  otherSeen,
  seenBy,
  stateOf,
} from './trial-states.ts';

/** Slots whose link appears, disappears or changes with a write. */
interface Turn {
  appear: readonly Slot[];
  disappear: readonly Slot[];
  other: readonly Slot[];
}

/** How to show an event; missing values come from the records. */
export interface ShownAs {
  /** Whether students already have a link of the event that only needs correcting. */
  wasShown?: boolean;
  visible?: boolean;
  /** The main event whose link the event has; null for its own link. */
  main?: Family | null;
  /** Whether the meeting of the main event is a new one. */
  isNew?: boolean;
}

export class ShownFamilies {
  readonly #parts: EngineParts;
  readonly #calendar: Calendar;
  /** Meetings of events at the start of the turn: the link of a replaced one is not a copy of another event's link. */
  readonly #first: ReadonlyMap<Slot, ReadonlySet<number>>;
  /** Writes of each event's texts, which must not overlap. */
  readonly #writing = new Map<number, Promise<unknown>>();

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.#calendar = parts.calendar;
    const slots = parts.calendar.families.flatMap((one) => [one.own, ...one.parts]);
    this.#first = new Map(slots.map((slot) => [slot, numbersOf(slot)]));
  }

  /** Returns the link that students see, or would see; null if there is none. */
  linkOf(slot: Slot): string | null {
    return linkOf(this.#calendar, slot);
  }

  /** Returns whether an event has a meeting whose link a run can show to students. */
  canShow(slot: Slot): boolean {
    return slot.record?.meeting != null && !isUnowned(this.#calendar, slot, this.#parts.zoom.defaultOwner);
  }

  /** @param as the new state of the records once Canvas has accepted it @throws EventProblem, CanvasError */
  async show(family: Family, changes: EventChanges, as: ShownAs = {}): Promise<void> {
    const { id } = family.own.event;
    const before = this.#writing.get(id) ?? Promise.resolve();
    const after = before.catch(() => {}).then(() => this.#write(family, changes, as));
    this.#writing.set(id, after);
    await after;
  }

  async #write(family: Family, changes: EventChanges, as: ShownAs): Promise<void> {
    const { own, parts } = family;
    if (family.isLost) return;
    const main = as.main === undefined ? mainOf(this.#calendar, family) : as.main;
    // The event is being merged or unmerged.
    const isMoved = main !== mainOf(this.#calendar, family);
    const isVisible = as.visible ?? (main ?? family).own.record?.visible ?? false;
    const { wasShown = true } = as;
    // The event was never set up here: a link that a person has copied into it stays.
    const isUnknown = own.record === null && parts.every(({ record }) => record === null);
    if (!isVisible && isUnknown && !as.main) return;
    const was = await this.#stateOf(family);
    const lines = isVisible ? linesOf(this.#calendar, family, main, this.#parts.zoom.defaultOwner) : [];
    const isNew = as.isNew ?? (changes.renewed.size > 0 || changes.made > 0);
    const of = `text ${own.event.id}`;
    const earlier = changes.intents.take(of);
    // If an earlier turn has written the text, all of it counts as new.
    let turn: Turn = { appear: lines.length === 0 ? [] : parts, disappear: parts, other: parts };
    let now: Effect[] = [];
    const effectsOf = (found: FoundBlock): Effect[] => {
      if (lines.length === 0) return [isVisible ? 'linksRemoved' : 'hidden'];
      // One of the links leads to a meeting that was hidden from students before.
      const appears = turn.appear.length > 0 && (isNew || !wasShown || found === 'relinked');
      const effects: Effect[] = [
        ...(appears ? (['shown'] as const) : []),
        ...(turn.other.length > 0 ? (['renewed'] as const) : []),
        // For a section whose meeting no longer exists, or that had only the meeting of the main event.
        ...(turn.disappear.length > 0 ? ([isMoved ? 'hidden' : 'linksRemoved'] as const) : []),
      ];
      return effects.length > 0 ? effects : [shownAs(found)];
    };
    const { written } = await showLinks(
      { ...this.#parts, bases: this.#parts.zoom.links },
      family,
      lines,
      async (found) => {
        turn = await this.#turnOf(family, main, lines);
        now = effectsOf(found);
        await changes.intents.intend(of, earlier.length > 0 ? earlier : now);
      },
    );
    // An interrupted earlier turn may have written the text.
    const effects = earlier.length === 0 && written ? now : earlier;
    // For lines that an earlier turn has corrected, this is not known.
    const isAgain = written && earlier.length === 0 && !effects.includes('shown');
    note(changes, effects, {
      name: () => nameOf(family, this.#calendar.zone),
      shown: turn.appear.length || 1,
      hidden: turn.disappear.length || 1,
      again: isAgain ? turn.appear.length : 0,
      renewed: turn.other,
    });
    const isLost = effects.some((one) => one === 'hidden' || one === 'linksRemoved');
    // Whether the event is hidden does not depend on the write: a person may have removed the lines but kept the
    // link.
    const isHidden = as.visible === false && as.main === undefined;
    if (!isLost && !isHidden && !isMoved) return;
    const after = await this.#stateOf(family);
    const isOwn = leftLinks(was, after).length > 0;
    const isMerged = isMoved && main !== null;
    const others = isMerged ? leftOfMerged(after, main, isVisible) : isHidden ? after.written : [];
    if (isMerged ? others.length === 0 : !isOwn && others.length === 0) return;
    const its = main ? numbersOf(main.own) : new Set();
    const isOfMain = isMerged && others.every(({ number }) => its.has(number));
    changes.warnings.push(isOwn && isMoved ? LEFT_FORMER : isOwn || isOfMain ? LEFT : LEFT_OTHER);
    changes.linksLeft.push(nameOf(family, this.#calendar.zone));
  }

  async #stateOf(family: Family): Promise<FamilyState> {
    const { records, zoom } = this.#parts;
    const state = await stateOf(this.#calendar, family, records, zoom.links);
    const slots = [...state.slots].map(([slot, { meeting, numbers }]) => {
      const first = this.#first.get(state.main?.own ?? slot) ?? [];
      return [slot, { meeting, numbers: new Set([...numbers, ...first]) }] as const;
    });
    return { ...state, slots: new Map(slots) };
  }

  /** Returns the change of links visible to students, counted as in the preview. @param lines the new lines */
  async #turnOf(family: Family, main: Family | null, lines: readonly BlockLine[]): Promise<Turn> {
    const { zoom } = this.#parts;
    const was = await this.#stateOf(family);
    const to = new Set(lines.map(({ link }) => link));
    const turns = family.parts.map((slot) => {
      const own = linkOf(this.#calendar, main?.own ?? slot) ?? '';
      const after = to.has(own) ? meetingOfLink(own, zoom.links)?.link : undefined;
      const left = new Set(numberOf(after, zoom.links));
      const isOther = after !== undefined && otherSeen(this.#calendar, { family, slot, was }, left) !== null;
      return { slot, before: seenBy(was, slot)[0]?.link, after, isOther };
    });
    const slotsOf = (some: typeof turns) => some.map(({ slot }) => slot);
    return {
      appear: slotsOf(turns.filter(({ before, after }) => !before && after)),
      disappear: slotsOf(turns.filter(({ before, after }) => before && !after)),
      other: slotsOf(
        turns.filter(({ before, after, isOther }) => before && after && (before !== after || isOther)),
      ),
    };
  }
}

function numberOf(link: string | undefined, bases: readonly string[]): number[] {
  const found = link === undefined ? null : meetingOfLink(link, bases);
  return found ? [found.number] : [];
}
