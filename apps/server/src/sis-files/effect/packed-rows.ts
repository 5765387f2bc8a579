/** Rows of a file as bytes in a few large blocks: half a million objects would take ten times the memory. */

const BLOCK_BYTES = 1_048_576;
const LENGTH_BYTES = 4;
/** A position is the index of its block times this, plus the byte in it. */
const PLACES = 2 ** 32;

export class PackedRows<T> {
  readonly #blocks: Buffer[] = [];
  #used = BLOCK_BYTES;

  /** @returns its position */
  add(value: T): number {
    const text = JSON.stringify(value);
    const needs = LENGTH_BYTES + Buffer.byteLength(text);
    let block = this.#blocks.at(-1);
    if (!block || this.#used + needs > block.length) {
      block = Buffer.allocUnsafe(Math.max(BLOCK_BYTES, needs));
      this.#blocks.push(block);
      this.#used = 0;
    }
    const at = this.#used;
    block.writeUInt32LE(needs - LENGTH_BYTES, at);
    block.write(text, at + LENGTH_BYTES);
    this.#used += needs;
    return (this.#blocks.length - 1) * PLACES + at;
  }

  read(place: number): T {
    const block = this.#blocks[Math.floor(place / PLACES)];
    if (!block) throw new Error('there is no such row');
    const at = place % PLACES;
    const begin = at + LENGTH_BYTES;
    return JSON.parse(block.toString('utf8', begin, begin + block.readUInt32LE(at))) as T;
  }
}
