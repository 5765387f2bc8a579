/**
 * First positions of many texts. A Map of 300,000 strings cut from a file takes several times as long, and three times
 * the memory: here they are bytes in one buffer, found by their hash.
 */
import { randomInt } from 'node:crypto';

/** Longest search in the hash table; only deliberate collisions need more. */
const MOST_STEPS = 256;
/** Maximum number of bytes for one character. */
const WIDEST = 3;
const FIRST_BYTES = 65_536;
const FIRST_SLOTS = 1_024;

export class FirstPlaces {
  /** Number of the text in each slot, counted from 1; 0 for none. */
  #slots = new Int32Array(FIRST_SLOTS);
  #bytes = Buffer.alloc(FIRST_BYTES);
  #used = 0;
  /** For each text: the end of its bytes, its hash, and its position. */
  readonly #ends: number[] = [0];
  readonly #hashes: number[] = [0];
  readonly #places: number[] = [0];
  readonly #seed = randomInt(2 ** 32);

  get size(): number {
    return this.#ends.length - 1;
  }

  /**
   * Records a text unless it is known.
   * @param place a whole number that tells the caller the position
   * @param mayKeep false only searches
   * @returns the first position; null for a new text; `unknown` if it could not be stored
   */
  note(text: string, place: number, mayKeep: boolean): number | null | 'unknown' {
    this.#makeRoom(text.length * WIDEST);
    const begin = this.#used;
    const end = begin + this.#bytes.write(text, begin, 'utf8');
    const hash = hashOf(this.#bytes, begin, end, this.#seed);
    const mask = this.#slots.length - 1;
    for (let step = 0; step < MOST_STEPS; step++) {
      const slot = (hash + step) & mask;
      const known = this.#slots[slot] ?? 0;
      if (known === 0) {
        if (!mayKeep) return 'unknown';
        this.#slots[slot] = this.#ends.push(end) - 1;
        this.#hashes.push(hash);
        this.#places.push(place);
        this.#used = end;
        if (this.size * 2 > this.#slots.length) this.#widen();
        return null;
      }
      if (this.#hashes[known] === hash && this.#isSame(known, begin, end)) return this.#places[known] ?? null;
    }
    return 'unknown';
  }

  #isSame(known: number, begin: number, end: number): boolean {
    const from = this.#ends[known - 1] ?? 0;
    const to = this.#ends[known] ?? 0;
    return to - from === end - begin && this.#bytes.compare(this.#bytes, from, to, begin, end) === 0;
  }

  #makeRoom(bytes: number): void {
    if (this.#used + bytes <= this.#bytes.length) return;
    const wider = Buffer.alloc(Math.max(this.#bytes.length * 2, this.#used + bytes));
    this.#bytes.copy(wider, 0, 0, this.#used);
    this.#bytes = wider;
  }

  #widen(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let one = 1; one <= this.size; one++) {
      let slot = (this.#hashes[one] ?? 0) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = one;
    }
    this.#slots = slots;
  }
}

/** Computes a hash of bytes (after MurmurHash3, 32 bits) that differs between processes. */
function hashOf(bytes: Uint8Array, begin: number, end: number, seed: number): number {
  let hash = seed | 0;
  for (let at = begin; at < end; at++) {
    hash = Math.imul(hash ^ (bytes[at] ?? 0), 0xcc9e2d51);
    hash = (hash << 15) | (hash >>> 17);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
