/** Reads from EXIF the only value that an image needs: its orientation. */

const ORIENTATION = 0x0112;
const SHORT = 3;
const ENTRY_BYTES = 12;

/**
 * Returns the orientation in a TIFF block.
 * @param tiff the data after `Exif\0\0`, or all of it if the format omits that
 * @returns 2 to 8; null if upright or unreadable
 */
export function orientationIn(tiff: Buffer): number | null {
  const order = tiff.toString('latin1', 0, 4);
  if (tiff.length < 8 || (order !== 'II*\0' && order !== 'MM\0*')) return null;
  const little = order.startsWith('I');
  const short = (at: number) => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const long = (at: number) => (little ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const first = long(4);
  if (first + 2 > tiff.length) return null;
  const count = short(first);
  for (let index = 0; index < count; index++) {
    const at = first + 2 + index * ENTRY_BYTES;
    if (at + ENTRY_BYTES > tiff.length) return null;
    if (short(at) !== ORIENTATION) continue;
    const value = short(at + 8);
    return short(at + 2) === SHORT && value >= 2 && value <= 8 ? value : null;
  }
  return null;
}

/** Writes a TIFF block with only the orientation. */
export function orientationBlock(orientation: number): Buffer {
  const block = Buffer.alloc(26);
  block.write('MM\0*', 0, 'latin1');
  block.writeUInt32BE(8, 4);
  block.writeUInt16BE(1, 8);
  block.writeUInt16BE(ORIENTATION, 10);
  block.writeUInt16BE(SHORT, 12);
  block.writeUInt32BE(1, 14);
  block.writeUInt16BE(orientation, 18);
  return block;
}
