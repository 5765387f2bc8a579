/** Ids as Zoom's look (reference of Zoom §1), the same for the same text: a campus can be told from its seed. */

import { createHash } from 'node:crypto';

/** 22 characters of URL-safe base64, as user ids are. */
export function idOf(text: string): string {
  return digest(text).subarray(0, 16).toString('base64url');
}

/** Base64 that ends with `==`, as the `uuid` of a meeting. */
export function uuidOf(text: string): string {
  return digest(text).subarray(0, 16).toString('base64');
}

/** Of so many digits; the first is no zero. */
export function digitsOf(text: string, count: number): string {
  const all = BigInt(`0x${digest(text).toString('hex')}`).toString();
  return `${1 + (Number(all[0]) % 9)}${all.slice(1, count)}`;
}

/** The number of the nth meeting: 11 digits, beyond 32 bits, no two alike. */
export function meetingNumber(nth: number): number {
  // The factor and the modulus have no divisor in common, so the remainders do not repeat before there are 10^10 of them.
  return 80_000_000_000 + ((nth * 6_700_417) % 9_999_999_967);
}

/** Replacement of a passcode in a link; with another passcode it is another text (§7, §9). */
export function encryptedPasscode(number: number, passcode: string): string {
  return `${idOf(`pwd ${number} ${passcode}`)}.1`;
}

/** Replacement of a number in the address of a calendar file (§11). */
export function opaqueNumber(number: number): string {
  return `tZ${Buffer.from(String(number)).toString('base64url')}`;
}

/** The number of such an address; null: it is none. */
export function numberInOpaque(text: string): number | null {
  const number = text.startsWith('tZ') ? Buffer.from(text.slice(2), 'base64url').toString() : '';
  return /^\d+$/.test(number) ? Number(number) : null;
}

/** Without it, such an address is closed. */
export function icsKey(number: number): string {
  return idOf(`ics ${number}`);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
