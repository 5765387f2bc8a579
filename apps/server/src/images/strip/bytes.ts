/** What the readers of image formats share. */

/** The file does not hold what its format says: it is cut off, or was never such a file. */
export class Broken extends Error {
  override name = 'Broken';
}

/** What is taken out of files, in words. */
export type Removed =
  | 'place and camera'
  | 'descriptions and comments'
  | 'previews'
  | 'other data'
  | 'bytes after its end';

/** What is left of a file. */
export interface Stripped {
  content: Buffer;
  removed: ReadonlySet<Removed>;
}

/** A part of the bytes. @throws Broken when it is not there as a whole */
export function part(bytes: Buffer, from: number, length: number): Buffer {
  if (length < 0 || from < 0 || from + length > bytes.length) throw new Broken(`cut off at ${bytes.length}`);
  return bytes.subarray(from, from + length);
}

export function byteAt(bytes: Buffer, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new Broken(`cut off at ${bytes.length}`);
  return byte;
}

/** Letters of a part, as they stand in formats. */
export function letters(bytes: Buffer, from: number, length: number): string {
  return part(bytes, from, length).toString('latin1');
}
