/** Helpers shared by the readers of image formats. */

/** The file does not match its format: it is truncated or was never such a file. */
export class Broken extends Error {
  override name = 'Broken';
}

/** Names of the kinds of data removed from files. */
export type Removed =
  | 'location and camera'
  | 'descriptions and comments'
  | 'previews'
  | 'other data'
  | 'bytes after its end';

/** A file after removal of unneeded data. */
export interface Stripped {
  content: Buffer;
  removed: ReadonlySet<Removed>;
}

/** Returns a part of the bytes. @throws Broken if it is incomplete */
export function part(bytes: Buffer, from: number, length: number): Buffer {
  if (length < 0 || from < 0 || from + length > bytes.length) throw new Broken(`cut off at ${bytes.length}`);
  return bytes.subarray(from, from + length);
}

export function byteAt(bytes: Buffer, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new Broken(`cut off at ${bytes.length}`);
  return byte;
}

/** Returns a part as text, as in format signatures. */
export function letters(bytes: Buffer, from: number, length: number): string {
  return part(bytes, from, length).toString('latin1');
}
