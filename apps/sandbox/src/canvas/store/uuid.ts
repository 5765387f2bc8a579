import { randomBytes } from 'node:crypto';

const ALPHABET = Buffer.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789kz');
const LENGTH = 40;
/** How many characters come from one round of 32 bits. */
const PER_ROUND = 5;
/** A single text made from bytes is cheaper to send than one joined from characters. */
const bytes = Buffer.alloc(LENGTH);

/** Creates a `uuid` in Canvas's form, different each time. */
export function newUuid(): string {
  return Buffer.from(randomBytes(LENGTH).map((byte) => ALPHABET[byte & 63] as number)).toString('latin1');
}

/**
 * Derives the `uuid` of an object from its kind and ID, so that it survives a restart. It only mixes bits: it
 * protects no secret, and lists show hundreds of them.
 */
export function uuidOf(kind: string, id: number): string {
  let state = 0x9e3779b9 ^ id;
  for (let i = 0; i < kind.length; i++) state = Math.imul(state ^ kind.charCodeAt(i), 0x01000193);
  state = Math.imul(state ^ Math.floor(id / 2 ** 32), 0x85ebca6b) ^ id;
  for (let at = 0; at < LENGTH; at += PER_ROUND) {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    bits = (bits ^ (bits >>> 14)) >>> 0;
    for (let i = 0; i < PER_ROUND; i++) {
      bytes[at + i] = ALPHABET[bits & 63] as number;
      bits >>>= 6;
    }
  }
  return bytes.toString('latin1');
}
