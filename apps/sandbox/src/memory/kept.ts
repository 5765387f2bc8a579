/** State that a sandbox saves, as the saving code sees it: entries by key, written and read as JSON. */

export type Key = string | number;

/** Something to save, such as a table of the world or the OAuth tokens. */
export interface Kept {
  /** Calls back with the key of each new, changed or removed entry. */
  follow(changed: (key: Key) => void): void;
  /**
   * The entries as JSON, in chunks small enough to create in one go. With `whole`, every entry is complete;
   * otherwise, parts that were packed before can be missing.
   */
  pack(keys: Iterable<Key>, whole: boolean): Iterable<unknown>;
  /** Reads a piece that `pack` created, and reports its entries as changed. */
  unpack(piece: unknown): void;
}

/** Maximum number of entries in one piece. */
export const PIECE = 5000;

/** A map whose entries are saved. Call `set` again after changing a value in place. */
export class KeptMap<V> implements Kept {
  readonly #entries = new Map<string, V>();
  #changed: (key: string) => void = () => {};

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  set(key: string, value: V): void {
    this.#entries.set(key, value);
    this.#changed(key);
  }

  delete(key: string): void {
    if (this.#entries.delete(key)) this.#changed(key);
  }

  clear(): void {
    for (const key of this.#entries.keys()) this.delete(key);
  }

  get size(): number {
    return this.#entries.size;
  }

  keys(): IterableIterator<string> {
    return this.#entries.keys();
  }

  values(): IterableIterator<V> {
    return this.#entries.values();
  }

  [Symbol.iterator](): IterableIterator<[string, V]> {
    return this.#entries[Symbol.iterator]();
  }

  follow(changed: (key: Key) => void): void {
    this.#changed = changed;
  }

  *pack(keys: Iterable<Key>, whole: boolean): Iterable<unknown> {
    let piece: unknown[] = [];
    for (const key of keys) {
      const value = this.#entries.get(String(key));
      if (value !== undefined) piece.push([key, value]);
      else if (!whole) piece.push([key]);
      if (piece.length < PIECE) continue;
      yield piece;
      piece = [];
    }
    if (piece.length > 0) yield piece;
  }

  unpack(piece: unknown): void {
    for (const [key, value] of piece as [string, V?][]) {
      if (value === undefined) this.delete(key);
      else this.set(key, value);
    }
  }
}
