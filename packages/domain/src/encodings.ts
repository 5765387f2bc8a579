/**
 * Possible encodings of a text, if its bytes are words in several: Windows-1252 and Windows-1250 share most letters,
 * and some pairs of their letters are also valid UTF-8. Only the person with the file can decide. Pure.
 */

/** Possible encodings of a text without a mark. */
export const READINGS = [
  'utf-8',
  'windows-1252',
  'windows-1250',
  'windows-1254',
  'windows-1251',
  'macintosh',
] as const;
export type Reading = (typeof READINGS)[number];
type OneByte = Exclude<Reading, 'utf-8'>;

/** Some words, read in one encoding. */
export interface Sample {
  encoding: Reading;
  words: string[];
}

const ONE_BYTE = READINGS.filter((one): one is OneByte => one !== 'utf-8');
/** The encodings of older Excel versions in most of Europe: never excluded because of how the words look. */
const COMMON: readonly OneByte[] = ['windows-1252', 'windows-1250'];

/** Number of words shown, and of different words examined. */
const MOST_SHOWN = 8;
const MOST_LOOKED_AT = 5_000;
const LONGEST_WORD = 40;

const decoders = new Map(ONE_BYTE.map((one) => [one, new TextDecoder(one)]));
// Without this option Node.js reads Windows-1252 as Latin-1.
const WHOLE = { stream: true };
const utf8 = new TextDecoder('utf-8', { fatal: true });

const CONTROLS = /[\u0080-\u009f\ufffd\ufffe\uffff]|\p{Cn}|\p{Co}/u;
const LATIN = /\p{Script=Latin}/u;
const OTHER_SCRIPT = /(?!\p{Script=Latin}|\p{Script=Common}|\p{Script=Inherited})\p{L}/u;
/** Characters that do not occur in words. */
const NO_LETTER = /[^\p{L}\p{M}\p{N}'’‘ʼ.·-]/u;
const CAPITAL_INSIDE = /\p{Ll}\p{Lu}/u;
/** Phonetic letters, and letters of few languages: the result of reading two letters of Windows-1252 as UTF-8. */
const RARE =
  /[\u0180-\u019f\u01a2-\u01ae\u01b1-\u01cc\u01dd-\u01e5\u01e8-\u01f4\u01f6\u01f7\u0200-\u0217\u021c-\u0258\u025a-\u02af]/;

/** Collects words with non-ASCII letters, piece by piece. */
export class OddWords {
  readonly #seen = new Set<string>();
  readonly #words: Uint8Array[] = [];
  #open: number[] = [];

  /** Adds a piece of the bytes; a word can continue in the next one. */
  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (inWord(byte)) {
        if (this.#open.length < LONGEST_WORD) this.#open.push(byte);
      } else if (this.#open.length > 0) this.#close();
    }
  }

  #close(): void {
    const word = this.#open;
    this.#open = [];
    if (this.#words.length >= MOST_LOOKED_AT || !isNamed(word)) return;
    const key = String.fromCharCode(...word);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#words.push(Uint8Array.from(word));
  }

  /** Lists the readings of a text that is not UTF-8, likelier ones first; empty if all are the same. */
  samples(): Sample[] {
    if (this.#open.length > 0) this.#close();
    return differing(this.#oneByte());
  }

  /** Lists the readings of a text that is valid UTF-8, if none of its words look plausible; otherwise empty. */
  strange(): Sample[] {
    if (this.#open.length > 0) this.#close();
    const words = this.#words.map(asUtf8);
    if (words.length === 0 || !words.every((word) => word !== null && isStrange(word))) return [];
    return differing([{ encoding: 'utf-8', words: words.map((word) => word ?? '') }, ...this.#oneByte()]);
  }

  /** Returns all words in each possible encoding. */
  #oneByte(): Sample[] {
    const read = ONE_BYTE.map((encoding) => ({
      encoding,
      words: this.#words.map((word) => decoders.get(encoding)?.decode(word, WHOLE) ?? ''),
    }));
    const likely = new Set(read.filter(({ words }) => words.every(isLikely)));
    return read
      .filter((one) => COMMON.includes(one.encoding) || likely.has(one))
      .sort((a, b) => Number(likely.has(b)) - Number(likely.has(a)));
  }
}

/** Returns whether a word contains letters, and not only a single symbol such as €. */
function isNamed(word: readonly number[]): boolean {
  const odd = word.filter((byte) => byte >= 0x80).length;
  return (
    odd > 1 ||
    (odd === 1 && word.some((byte) => (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)))
  );
}

/**
 * Tells whether a byte belongs to a word: letters, digits, non-ASCII bytes, and characters that join parts of a name.
 */
function inWord(byte: number): boolean {
  return (
    byte >= 0x80 ||
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x27 ||
    byte === 0x2d
  );
}

function asUtf8(word: Uint8Array): string | null {
  try {
    return utf8.decode(word);
  } catch {
    return null;
  }
}

/** Returns whether a word looks plausible in its reading: one script, no symbols between letters, no capitals inside. */
function isLikely(word: string): boolean {
  if (CONTROLS.test(word) || CAPITAL_INSIDE.test(word)) return false;
  if (LATIN.test(word) && OTHER_SCRIPT.test(word)) return false;
  return !NO_LETTER.test(word);
}

/** Returns whether a word, read as UTF-8, is one that people hardly ever write. */
function isStrange(word: string): boolean {
  return CONTROLS.test(word) || RARE.test(word) || (LATIN.test(word) && OTHER_SCRIPT.test(word));
}

/** Lists the readings that differ, with the differing words; empty if there is nothing to choose. */
function differing(samples: readonly Sample[]): Sample[] {
  const [first] = samples;
  if (!first) return [];
  const places = first.words.flatMap((word, at) =>
    samples.some(({ words }) => words[at] !== word) ? [at] : [],
  );
  const distinct = new Map(samples.toReversed().map((one) => [JSON.stringify(one.words), one]));
  const kept = samples.filter((one) => distinct.get(JSON.stringify(one.words)) === one);
  if (kept.length < 2) return [];
  return kept.map(({ encoding, words }) => ({
    encoding,
    words: places.slice(0, MOST_SHOWN).map((at) => words[at] ?? ''),
  }));
}
