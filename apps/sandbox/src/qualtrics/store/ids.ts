/** IDs in Qualtrics's form, identical for the same text, so that a seed always has the same IDs. */

import { createHash } from 'node:crypto';

/** Returns an ID such as `R_`, `ES_` or `UR_` and 15 letters or digits. */
export function idOf(prefix: string, text: string): string {
  const letters = digest(`${prefix} ${text}`).toString('base64').replaceAll(/[+/=]/g, '');
  return `${prefix}_${letters.slice(0, 15)}`;
}

/** Returns an ID that looks like Qualtrics's file IDs. */
export function fileIdOf(text: string): string {
  return `${uuidOf(`file ${text}`)}-def`;
}

export function uuidOf(text: string): string {
  const hex = digest(text).toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
