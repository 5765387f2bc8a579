/** Has Canvas show students of each event what our records say (OP-103): its own links, or those of its main event. */
import type { BlockLine } from '@lms-admin/domain/zoom-block';
import { meetingOfLink } from '@lms-admin/domain/zoom-links';
import type { Calendar } from './calendar.ts';
import type { Family, Slot } from './calendar-event.ts';
import { type Did, note, shownAs } from './did.ts';
import type { EngineParts } from './engine-parts.ts';
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

const LEFT =
  'Its text still has a link to this meeting, in words that LMS Admin did not write: delete it in the LMS.';
const LEFT_OTHER =
  'Its text still has a link to another meeting, in words that LMS Admin did not write: delete it in the LMS if students are not to join by it.';
const LEFT_FORMER =
  'Its text still has a link to its former meeting, in words that LMS Admin did not write: delete it in the LMS if students are not to join by it.';

/** Events, or sections, whose link is there, is no longer there, or is another one after a write. */
interface Turn {
  appear: readonly Slot[];
  disappear: readonly Slot[];
  other: readonly Slot[];
}

/** How an event is to be shown; what is left out is as the records say. */
export interface ShownAs {
  /** Whether students have a link of it already that only has to be put right. */
  wasShown?: boolean;
  visible?: boolean;
  /** The main event whose link it has; null: its own. */
  main?: Family | null;
  /** Whether the meeting of its main event is a new one. */
  isNew?: boolean;
}

export class ShownFamilies {
  readonly #parts: EngineParts;
  readonly #calendar: Calendar;
  /** Meetings that events had as the turn began: where one is replaced, its link is no copy of another event's. */
  readonly #first: ReadonlyMap<Slot, ReadonlySet<number>>;
  /** One at a time writes an event's texts. */
  readonly #writing = new Map<number, Promise<unknown>>();

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.#calendar = parts.calendar;
    const slots = parts.calendar.families.flatMap((one) => [one.own, ...one.parts]);
    this.#first = new Map(slots.map((slot) => [slot, numbersOf(slot)]));
  }

  /** The link that students have before them, or would have; null: there is none. */
  linkOf(slot: Slot): string | null {
    return linkOf(this.#calendar, slot);
  }

  /** Whether it has a meeting whose link a run may show students. */
  canShow(slot: Slot): boolean {
    return slot.record?.meeting != null && !isUnowned(this.#calendar, slot, this.#parts.zoom.defaultOwner);
  }

  /** @param as what the records are to say once Canvas has it @throws EventProblem, CanvasError */
  async show(family: Family, did: Did, as: ShownAs = {}): Promise<void> {
    const { id } = family.own.event;
    const before = this.#writing.get(id) ?? Promise.resolve();
    const after = before.catch(() => {}).then(() => this.#write(family, did, as));
    this.#writing.set(id, after);
    await after;
  }

  async #write(family: Family, did: Did, as: ShownAs): Promise<void> {
    const { own, parts } = family;
    if (family.isLost) return;
    const main = as.main === undefined ? mainOf(this.#calendar, family) : as.main;
    // It is merged, or unmerged.
    const isMoved = main !== mainOf(this.#calendar, family);
    const isVisible = as.visible ?? (main ?? family).own.record?.visible ?? false;
    const { wasShown = true } = as;
    // No one has wished anything of it: what a person has copied into it stays.
    const isUnknown = own.record === null && parts.every(({ record }) => record === null);
    if (!isVisible && isUnknown && !as.main) return;
    const was = await this.#stateOf(family);
    const lines = isVisible ? linesOf(this.#calendar, family, main, this.#parts.zoom.defaultOwner) : [];
    const isNew = as.isNew ?? (did.renewed.size > 0 || did.made > 0);
    const of = `text ${own.event.id}`;
    const earlier = did.intents.take(of);
    // As if all of it were new, where an earlier turn has written it.
    let turn: Turn = { appear: lines.length === 0 ? [] : parts, disappear: parts, other: parts };
    let now: Effect[] = [];
    const effectsOf = (found: FoundBlock): Effect[] => {
      if (lines.length === 0) return [isVisible ? 'linksRemoved' : 'hidden'];
      // One of them is of a meeting that students were not to see before.
      const appears = turn.appear.length > 0 && (isNew || !wasShown || found === 'relinked');
      const effects: Effect[] = [
        ...(appears ? (['shown'] as const) : []),
        ...(turn.other.length > 0 ? (['renewed'] as const) : []),
        // Of a section whose meeting is gone.
        ...(turn.disappear.length > 0 ? (['linksRemoved'] as const) : []),
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
        await did.intents.intend(of, earlier.length > 0 ? earlier : now);
      },
    );
    // An earlier turn may have written it without seeing the end.
    const effects = earlier.length === 0 && written ? now : earlier;
    const links = (lines.length === 0 ? turn.disappear : turn.appear).length || 1;
    note(did, effects, { name: () => nameOf(family, this.#calendar.zone), links, renewed: turn.other });
    const isLost = effects.some((one) => one === 'hidden' || one === 'linksRemoved');
    // Whether anything was written or not: a person may have removed the lines and kept the link.
    const isHidden = as.visible === false && as.main === undefined;
    if (!isLost && !isHidden && !isMoved) return;
    const after = await this.#stateOf(family);
    const isOwn = leftLinks(was, after).length > 0;
    const isMerged = isMoved && main !== null;
    const others = isMerged ? leftOfMerged(after, main, isVisible) : isHidden ? after.written : [];
    if (isMerged ? others.length === 0 : !isOwn && others.length === 0) return;
    const its = main ? numbersOf(main.own) : new Set();
    const isOfMain = isMerged && others.every(({ number }) => its.has(number));
    did.warnings.push(isOwn && isMoved ? LEFT_FORMER : isOwn || isOfMain ? LEFT : LEFT_OTHER);
    did.linksLeft.push(nameOf(family, this.#calendar.zone));
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

  /** What becomes of the links that students have before them, told as the preview tells it. @param lines what they are to be */
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
