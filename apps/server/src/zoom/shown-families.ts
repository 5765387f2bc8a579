/** Has Canvas show students of each event what our records say (OP-103): its own links, or those of its main event. */
import type { Calendar } from './calendar.ts';
import type { Family, Slot } from './calendar-event.ts';
import { type Did, note, shownAs } from './did.ts';
import type { EngineParts } from './engine-parts.ts';
import { linesOf, linkOf, mainOf, nameOf } from './families.ts';
import type { Effect } from './intents.ts';
import { type FoundBlock, showLinks } from './shown-links.ts';

/** How an event is to be shown; what is left out is as the records say. */
export interface ShownAs {
  /** Whether students have a link of it already that only has to be put right. */
  wasShown?: boolean;
  visible?: boolean;
  /** The main event whose link it has; null: its own. */
  main?: Family | null;
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
    if (!isVisible && own.record === null && parts.every(({ record }) => record === null)) return;
    const lines = isVisible ? linesOf(this.#calendar, family, main) : [];
    const renewed = did.renewed > 0 || did.made > 0;
    const of = `text ${own.event.id}`;
    const earlier = did.intents.take(of);
    const effectOf = (found: FoundBlock): Effect => {
      if (lines.length === 0) return isVisible ? 'linksRemoved' : 'hidden';
      return shownAs(found, wasShown && !renewed);
    };
    const { found, written } = await showLinks(
      { ...this.#parts, bases: this.#parts.zoom.links },
      family,
      lines,
      (state) => did.intents.intend(of, earlier.length > 0 ? earlier : [effectOf(state)]),
    );
    // An earlier turn may have written it without seeing the end.
    const effects = earlier.length === 0 && written ? [effectOf(found)] : earlier;
    note(did, effects, () => nameOf(family, this.#calendar.zone));
  }
}
