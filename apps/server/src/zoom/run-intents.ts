/** A run's intended changes, stored with its events' items, so that all work is reported after an interruption. */
import { zoomItemInput } from '@lms-admin/contract/zoom';
import { z } from 'zod';
import type { ItemRow } from '../jobs/items.ts';
import type { JobWork } from '../jobs/kind.ts';
import type { Calendar } from './calendar.ts';
import type { Family } from './calendar-event.ts';
import { childrenOf, currentFamily } from './families.ts';
import { Intents, intended } from './intents.ts';

/** A synchroniser may recreate the events while the job waits for the next day. */
export const runItemInput = zoomItemInput.extend({
  reservation: z.string().nullable(),
  intents: intended,
});

export class RunIntents {
  readonly #calendar: Calendar;
  readonly #of = new Map<Family, Intents>();
  readonly #bySeq = new Map<number, Intents>();
  /** Events of items that had not ended when the turn began. */
  readonly #left = new Set<Family>();

  private constructor(calendar: Calendar, items: JobWork['items'], rows: readonly ItemRow[]) {
    this.#calendar = calendar;
    for (const { seq, input, state } of rows) {
      const names = runItemInput.parse(input);
      const family = currentFamily(calendar, names);
      if (!family || this.#of.has(family)) continue;
      const its = new Intents(names.intents, (all) => items.remember(seq, { ...names, intents: all }));
      this.#of.set(family, its);
      this.#bySeq.set(seq, its);
      if (state === 'todo' || state === 'doing') this.#left.add(family);
    }
  }

  /** Reads the items of the run, which must have been stored before. */
  static async begin(calendar: Calendar, items: JobWork['items']): Promise<RunIntents> {
    return new RunIntents(calendar, items, await items.all());
  }

  /** Returns the events of the run. */
  get families(): Family[] {
    return [...this.#of.keys()];
  }

  /**
   * Returns the intentions of an event. A deleted main event has no item: its intentions are stored with its first
   * remaining event.
   */
  of(family: Family): Intents {
    const known = this.#of.get(family);
    if (known) return known;
    const first = this.families.find(
      (one) => this.#left.has(one) && childrenOf(this.#calendar, family).includes(one),
    );
    const its = (first && this.#of.get(first)) ?? new Intents();
    this.#of.set(family, its);
    return its;
  }

  /** Records that the work was reported, and leaves the event for another turn. @returns the new input of its item */
  told({ seq, input }: Pick<ItemRow, 'seq' | 'input'>): z.infer<typeof runItemInput> {
    this.#bySeq.get(seq)?.forget();
    return { ...runItemInput.parse(input), intents: {} };
  }
}
