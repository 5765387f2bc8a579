/** Remembers the lengths of lists, so that the next read can request all pages together. */
import { LRUCache } from 'lru-cache';

export interface KnownLength {
  pages: number;
  /** A `next` link of the list, in which the page is replaced. */
  template: string;
}

const MOST_KNOWN = 2_000;

/** Remembered lengths are only a hint: lists grow and shrink, and tokens may see different lists. */
export class PageMemory {
  readonly #known = new LRUCache<string, KnownLength>({ max: MOST_KNOWN });

  /** @param list the address of the list without its page */
  recall(list: string): KnownLength | undefined {
    return this.#known.get(list);
  }

  /** @param length null for a list not worth remembering: one page, or pages without numbers */
  remember(list: string, length: KnownLength | null): void {
    if (length === null) this.#known.delete(list);
    else this.#known.set(list, length);
  }
}
