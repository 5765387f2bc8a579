/**
 * What a job sets out to do to one event, written down before it is done: where an answer was lost, the next turn finds the work
 * done, and tells by this that it was the job that did it.
 */

/** What may come of one write. */
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
] as const;
export type Effect = (typeof EFFECTS)[number];

/** By what it is done to, such as the meeting of an event. */
export type Intended = Record<string, Effect[]>;

export class Intents {
  readonly #earlier: Map<string, Effect[]>;
  readonly #all: Map<string, Effect[]>;
  readonly #keep: (all: Intended) => Promise<void>;

  /** @param earlier what earlier turns have set out to do @param keep stores all of it */
  constructor(earlier: Intended = {}, keep: (all: Intended) => Promise<void> = async () => {}) {
    this.#earlier = new Map(Object.entries(earlier));
    this.#all = new Map(this.#earlier);
    this.#keep = keep;
  }

  /** Call it before anything is written. What an earlier turn set out to do stays. */
  async intend(of: string, effects: readonly Effect[]): Promise<void> {
    const both = [...new Set([...(this.#all.get(of) ?? []), ...effects])];
    if (both.length === this.#all.get(of)?.length) return;
    this.#all.set(of, both);
    await this.#keep(Object.fromEntries(this.#all));
  }

  /** Nothing came of it. */
  async drop(of: string): Promise<void> {
    this.#all.delete(of);
    await this.#keep(Object.fromEntries(this.#all));
  }

  /** What an earlier turn set out to do, asked for once it is found done; told once. */
  take(of: string): Effect[] {
    const earlier = this.#earlier.get(of) ?? [];
    this.#earlier.delete(of);
    return earlier;
  }
}
