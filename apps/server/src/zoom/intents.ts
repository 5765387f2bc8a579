/**
 * Intended changes of a job to one event, stored before they are made: if an answer is lost, the next turn finds the
 * change done, and knows from the record that this job made it.
 */
import { z } from 'zod';

/** Possible effects of one write. */
export const EFFECTS = [
  'made',
  'moved',
  'changed',
  'handedOver',
  'renewed',
  'merged',
  'unmerged',
  'shown',
  'hidden',
  'putBack',
  'replaced',
  'reordered',
  'updated',
  'linksRemoved',
  'removed',
] as const;
export type Effect = (typeof EFFECTS)[number];

/** Effects by subject, such as the meeting of an event. */
export type Intended = Record<string, Effect[]>;

/** Stored form in an item. */
export const intended = z.record(z.string(), z.array(z.enum(EFFECTS))).default({});

export class Intents {
  readonly #earlier: Map<string, Effect[]>;
  readonly #all: Map<string, Effect[]>;
  readonly #keep: (all: Intended) => Promise<void>;
  /** Writes are queued, and each stores all intentions, so the last one is complete. */
  #keeping: Promise<void> = Promise.resolve();

  /** @param earlier intended changes of earlier turns @param keep stores all of them */
  constructor(earlier: Intended = {}, keep: (all: Intended) => Promise<void> = async () => {}) {
    this.#earlier = new Map(Object.entries(earlier));
    this.#all = new Map(this.#earlier);
    this.#keep = keep;
  }

  /** Records intended changes; must be called before anything is written. Changes recorded in earlier turns stay. */
  async intend(of: string, effects: readonly Effect[]): Promise<void> {
    const both = [...new Set([...(this.#all.get(of) ?? []), ...effects])];
    if (both.length === this.#all.get(of)?.length) return;
    this.#all.set(of, both);
    await this.#store();
  }

  /** Records that nothing was changed. */
  async drop(of: string): Promise<void> {
    this.#all.delete(of);
    await this.#store();
  }

  /** Returns an earlier turn's intention once the change has been found to be done. Returns each intention only once. */
  take(of: string): Effect[] {
    const earlier = this.#earlier.get(of) ?? [];
    this.#earlier.delete(of);
    return earlier;
  }

  /** Returns whether an earlier turn intended a change that has not been taken yet. */
  has(of: string): boolean {
    return this.#earlier.has(of);
  }

  /** Forgets intentions once all changes are reported: the next turn starts from here. */
  forget(): void {
    this.#earlier.clear();
    this.#all.clear();
  }

  /**
   * Returns the numbers of the meetings for which an earlier turn stored this intention.
   * @param of the text before the number
   */
  numbers(of: string): number[] {
    return [...this.#earlier.keys()].flatMap((key) =>
      key.startsWith(`${of} `) ? [Number(key.slice(of.length + 1))] : [],
    );
  }

  /** Returns the intentions of one stage of the work, separate from the others. */
  stage(name: string): Intents {
    const at = `${name}: `;
    const its = [...this.#earlier].filter(([key]) => key.startsWith(at));
    const earlier = Object.fromEntries(its.map(([key, effects]) => [key.slice(at.length), effects]));
    return new Intents(earlier, async (all) => {
      for (const key of this.#all.keys()) if (key.startsWith(at)) this.#all.delete(key);
      for (const [key, effects] of Object.entries(all)) this.#all.set(at + key, effects);
      await this.#store();
    });
  }

  #store(): Promise<void> {
    const stored = this.#keeping.catch(() => {}).then(() => this.#keep(Object.fromEntries(this.#all)));
    this.#keeping = stored;
    return stored;
  }
}
