/** Ids as those of Qualtrics look, the same for the same text: a campus can be told from its seed. */

import { createHash } from 'node:crypto';

/** `R_`, `ES_`, `UR_` … and 15 letters or digits. */
export function idOf(prefix: string, text: string): string {
  const letters = digest(`${prefix} ${text}`).toString('base64').replaceAll(/[+/=]/g, '');
  return `${prefix}_${letters.slice(0, 15)}`;
}

/** As the ids of files look. */
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
