/**
 * Names in memory, so that people can be searched for at every keystroke. Folded: the names to show are in the
 * database.
 */
import { foldedForms } from '@lms-admin/domain/person-search';

export interface Named {
  id: number;
  name: string;
  sortableName: string;
  login: string;
  sisId: string | null;
}

/** Ids of people: first those for whom every typed word starts a word of their names, then the others. */
export interface NameMatches {
  first: number[];
  others: number[];
  /** Whether the search ended early. */
  more: boolean;
}

const END = '\n';

/** One long text with an entry for each person: searching it is faster than searching as many short texts. */
export class NameIndex {
  #parts: string[] = [END];
  #text = END;
  readonly #ids: number[] = [];
  readonly #starts: number[] = [];
  #length = END.length;

  get size(): number {
    return this.#ids.length;
  }

  /** Adds a person, without the domain of the login, which everyone has in common. */
  add({ id, name, sortableName, login, sisId }: Named): void {
    const account = login.slice(0, login.includes('@') ? login.lastIndexOf('@') : undefined);
    const words = [name, sortableName, account, sisId ?? ''].flatMap((text) =>
      foldedForms(text).flatMap((form) => form.split(' ')),
    );
    const entry = ` ${[...new Set(words)].join(' ')}${END}`;
    this.#ids.push(id);
    this.#starts.push(this.#length);
    this.#length += entry.length;
    this.#parts.push(entry);
  }

  /** Builds the text from the entries that were added. */
  finish(): void {
    this.#text = this.#parts.join('');
    this.#parts = [];
  }

  /** Finds people whose entries contain all the words, in any order. @param most maximum matches of each rank */
  find(typed: string, most: number): NameMatches {
    const found: NameMatches = { first: [], others: [], more: false };
    const words = typed
      .split(/[^\p{L}\p{M}\p{N}'’‘ʼ]+/u)
      .map((word) => foldedForms(word).filter((form) => form !== ''))
      .filter((forms) => forms.length > 0);
    const [longest = []] = words.toSorted(([a = ''], [b = '']) => b.length - a.length);
    const seen = new Set<number>();
    for (const form of longest) this.#collect(form, words, most, found, seen);
    return found;
  }

  /** Collects the entries that contain this form and, for every word, one of its forms. */
  #collect(
    form: string,
    words: readonly (readonly string[])[],
    most: number,
    found: NameMatches,
    seen: Set<number>,
  ): void {
    for (let at = this.#text.indexOf(form), end = 0; at >= 0; at = this.#text.indexOf(form, end)) {
      const which = this.#entryAt(at);
      end = this.#text.indexOf(END, at);
      const id = this.#ids[which];
      if (id === undefined || seen.has(id)) continue;
      const entry = this.#text.slice(this.#starts[which], end);
      if (!words.every((forms) => forms.some((one) => entry.includes(one)))) continue;
      seen.add(id);
      const isFirst = words.every((forms) => forms.some((one) => entry.includes(` ${one}`)));
      const list = isFirst ? found.first : found.others;
      if (list.length < most) list.push(id);
      else found.more = true;
      if (found.first.length === most && found.more) return;
    }
  }

  /** Returns the entry at this position of the text. */
  #entryAt(position: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
