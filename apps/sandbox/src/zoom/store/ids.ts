/**
 * IDs that look like Zoom's (Zoom reference §1). The same text always gives the same ID, so that a seed's IDs never
 * change.
 */

import { createHash } from 'node:crypto';

/** Returns 22 characters of URL-safe base64, like user IDs. */
export function idOf(text: string): string {
  return digest(text).subarray(0, 16).toString('base64url');
}

/** Returns base64 that ends with `==`, like the `uuid` of a meeting. */
export function uuidOf(text: string): string {
  return digest(text).subarray(0, 16).toString('base64');
}

/** Returns `count` digits for this text; the first is not zero. */
export function digitsOf(text: string, count: number): string {
  const all = BigInt(`0x${digest(text).toString('hex')}`).toString();
  return `${1 + (Number(all[0]) % 9)}${all.slice(1, count)}`;
}

/** Returns the number of the nth meeting: 11 digits, more than 32 bits, unique. */
export function meetingNumber(nth: number): number {
  // Factor and modulus have no common divisor, so the first 10^10 remainders do not repeat.
  return 80_000_000_000 + ((nth * 6_700_417) % 9_999_999_967);
}

/** Returns a passcode as it appears in a link; each passcode gives a different text (§7, §9). */
export function encryptedPasscode(number: number, passcode: string): string {
  return `${idOf(`pwd ${number} ${passcode}`)}.1`;
}

/** Returns a number as it appears in the address of a calendar file (§11). */
export function opaqueNumber(number: number): string {
  return `tZ${Buffer.from(String(number)).toString('base64url')}`;
}

/** Reads the number in the address of a calendar file, or returns null if the address is not valid. */
export function numberInOpaque(text: string): number | null {
  const number = text.startsWith('tZ') ? Buffer.from(text.slice(2), 'base64url').toString() : '';
  return /^\d+$/.test(number) ? Number(number) : null;
}

/** Returns the key that opens the address of a calendar file. */
export function icsKey(number: number): string {
  return idOf(`ics ${number}`);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
