/** How long lists were when they were last read: a list that is read again is asked for as a whole at once. */
import { LRUCache } from 'lru-cache';

export interface KnownLength {
  pages: number;
  /** A `next` link of the list, whose page is put in. */
  template: string;
}

const MOST_KNOWN = 2_000;

/** A hint only: lists grow and shrink, and what one token sees another may not. */
export class PageMemory {
  readonly #known = new LRUCache<string, KnownLength>({ max: MOST_KNOWN });

  /** @param list the address of the list without its page */
  recall(list: string): KnownLength | undefined {
    return this.#known.get(list);
  }

  /** @param length null for a list that is not worth it: one page, or pages without numbers */
  remember(list: string, length: KnownLength | null): void {
    if (length === null) this.#known.delete(list);
    else this.#known.set(list, length);
  }
}
