/** Has Canvas show students of each event what our records say (OP-103): its own links, or those of its main event. */
import type { Calendar } from './calendar.ts';
import type { Family, Slot } from './calendar-event.ts';
import { type Did, note, shownAs } from './did.ts';
import type { EngineParts } from './engine-parts.ts';
import { isUnowned, linesOf, linkOf, mainOf, nameOf } from './families.ts';
import type { Effect } from './intents.ts';
import { oldsOf } from './leftovers.ts';
import { linksOf } from './other-links.ts';
import { type FoundBlock, showLinks } from './shown-links.ts';

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
  /** One at a time writes an event's texts. */
  readonly #writing = new Map<number, Promise<unknown>>();

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.#calendar = parts.calendar;
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
    const isVisible = as.visible ?? (main ?? family).own.record?.visible ?? false;
    const { wasShown = true } = as;
    // Nobody has wished anything of it: what a person has copied into it stays.
    const isUnknown = own.record === null && parts.every(({ record }) => record === null);
    if (!isVisible && isUnknown && !as.main) return;
    const lines = isVisible ? linesOf(this.#calendar, family, main, this.#parts.zoom.defaultOwner) : [];
    const isNew = as.isNew ?? (did.renewed > 0 || did.made > 0);
    const of = `text ${own.event.id}`;
    const earlier = did.intents.take(of);
    const after = main ? Math.min(lines.length, 1) * parts.length : lines.length;
    let before = 0;
    let now: Effect[] = [];
    const effectsOf = (found: FoundBlock): Effect[] => {
      if (lines.length === 0) return [isVisible ? 'linksRemoved' : 'hidden'];
      // More links than we wrote last: one is of a meeting that students were not to see before.
      if (after > before && (isNew || !wasShown || found === 'relinked')) return ['shown'];
      if (!wasShown) return ['renewed'];
      // Of its own new meeting that is told already.
      if (isNew && as.isNew === undefined && found === 'relinked') return [];
      return [shownAs(found)];
    };
    const { written } = await showLinks(
      { ...this.#parts, bases: this.#parts.zoom.links },
      family,
      lines,
      async (found) => {
        before = await this.#seenIn(family);
        now = effectsOf(found);
        await did.intents.intend(of, earlier.length > 0 ? earlier : now);
      },
    );
    // An earlier turn may have written it without seeing the end.
    const effects = earlier.length === 0 && written ? now : earlier;
    const links = Math.abs(after - before) || 1;
    note(did, effects, () => nameOf(family, this.#calendar.zone), links);
  }

  /** In how many of its sections students have a link of ours before them; an event that is given by none counts as one. */
  async #seenIn({ own, parts }: Family): Promise<number> {
    const { records, zoom } = this.#parts;
    const { ours } = await linksOf(own.event, records, zoom.links);
    const numbers = new Set(ours.map(({ number }) => number));
    const its = parts.flatMap(({ record }) => [record?.meeting ?? 0, ...oldsOf(record?.making ?? null)]);
    const isShared = numbers.size === 1 && its.every((number) => !numbers.has(number));
    return isShared ? parts.length : Math.min(numbers.size, parts.length);
  }
}
