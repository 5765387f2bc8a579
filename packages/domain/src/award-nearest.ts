/** Finds the entries of the list that a misspelt choice may have meant, by the letter pairs that names share. Pure. */
import { nameKey } from './award-text.ts';

/** Compared texts; the campus decides only between equally similar names. */
export interface Named {
  campus: string;
  course: string;
  professor: string;
}

/** Maximum number of entries suggested for one choice. */
export const MOST_NEAREST = 3;
/** Half of all pairs: below that, names have little in common. */
const MIN_SIMILARITY = 0.5;
/** Added to the similarity for the same campus; smaller than any other difference. */
const SAME_CAMPUS = 1e-6;

/**
 * Searches for names among those of the list. Only compares entries that share a letter pair, so that thousands of
 * names are found immediately in lists of hundreds.
 */
export class NearestNames<Entry extends Named> {
  readonly #entries: readonly Entry[];
  readonly #courses: PairIndex;
  readonly #professors: PairIndex;

  constructor(entries: readonly Entry[]) {
    this.#entries = entries;
    this.#courses = new PairIndex(entries.map(({ course }) => course));
    this.#professors = new PairIndex(entries.map(({ professor }) => professor));
  }

  /**
   * Returns the most similar entries, best first; of equally similar ones, those of the same campus first, then in
   * the order of the list.
   */
  find({ campus, course, professor }: Named): Entry[] {
    const courses = this.#courses.likeness(course);
    const professors = this.#professors.likeness(professor);
    const best: { at: number; score: number }[] = [];
    for (const [at, entry] of this.#entries.entries()) {
      const likeness = ((courses[at] ?? 0) + (professors[at] ?? 0)) / 2;
      if (likeness < MIN_SIMILARITY) continue;
      const score = likeness + (entry.campus === campus ? SAME_CAMPUS : 0);
      let place = best.length;
      while (place > 0 && (best[place - 1]?.score ?? 0) < score) place--;
      if (place >= MOST_NEAREST) continue;
      best.splice(place, 0, { at, score });
      best.length = Math.min(best.length, MOST_NEAREST);
    }
    return best.flatMap(({ at }) => this.#entries[at] ?? []);
  }
}

/** Texts by the letter pairs that they contain. */
class PairIndex {
  /** Number of pairs in each text. */
  readonly #sizes: Uint16Array;
  readonly #places = new Map<string, number[]>();

  constructor(texts: readonly string[]) {
    this.#sizes = new Uint16Array(texts.length);
    for (const [at, text] of texts.entries()) {
      const pairs = pairsOf(text);
      this.#sizes[at] = pairs.size;
      for (const pair of pairs) {
        const places = this.#places.get(pair);
        if (places) places.push(at);
        else this.#places.set(pair, [at]);
      }
    }
  }

  /** Calculates the similarity to each text, from 0 for nothing in common to 1 for the same pairs (Dice). */
  likeness(text: string): Float64Array {
    const pairs = pairsOf(text);
    const shared = new Float64Array(this.#sizes.length);
    for (const pair of pairs) {
      for (const at of this.#places.get(pair) ?? []) shared[at] = (shared[at] ?? 0) + 1;
    }
    for (let at = 0; at < shared.length; at++) {
      const all = pairs.size + (this.#sizes[at] ?? 0);
      shared[at] = all === 0 ? 0 : (2 * (shared[at] ?? 0)) / all;
    }
    return shared;
  }
}

/** Maximum length of a name: more text adds nothing and would only take time. */
const LONGEST = 200;

/** Collects the pairs of letters, including the start and end of the text. */
function pairsOf(text: string): Set<string> {
  const pairs = new Set<string>();
  const key = nameKey(text.slice(0, LONGEST));
  if (key === '') return pairs;
  const framed = ` ${key} `;
  for (let at = 1; at < framed.length; at++) pairs.add(framed.slice(at - 1, at + 1));
  return pairs;
}
