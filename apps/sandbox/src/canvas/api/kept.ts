/** Caches lists that are expensive to create and stay valid until the world changes. */
export class KeptLists<T> {
  readonly #kept = new Map<string, { version: number; items: T }>();
  readonly #most: number;

  constructor(most = 64) {
    this.#most = most;
  }

  /** Returns the list kept under this name and version, or creates a new one. */
  get(name: string, version: number, make: () => T): T {
    const held = this.#kept.get(name);
    if (held?.version === version) return held.items;
    const items = make();
    this.#kept.delete(name);
    this.#kept.set(name, { version, items });
    if (this.#kept.size > this.#most) {
      const oldest = this.#kept.keys().next().value;
      if (oldest !== undefined) this.#kept.delete(oldest);
    }
    return items;
  }
}
