/** GIF: frames, their timing and the number of repeats are kept; everything else is removed. */
import { Broken, byteAt, letters, part, type Removed, type Stripped } from './bytes.ts';

const TRAILER = 0x3b;
const PICTURE = 0x2c;
const EXTENSION = 0x21;
const CONTROL = 0xf9;
const COMMENT = 0xfe;
const TEXT = 0x01;
const APPLICATION = 0xff;
const REPEATS = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0']);
const PROFILE = 'ICCRGBG1012';
/** Length of the program's name in an application extension. */
const NAME_BYTES = 11;
const SCREEN_BYTES = 13;
const PICTURE_BYTES = 10;

/** @throws Broken */
export function stripGif(bytes: Buffer): Stripped {
  if (!/^GIF8[79]a$/.test(letters(bytes, 0, 6))) throw new Broken('no GIF');
  const removed = new Set<Removed>();
  const head = part(bytes, 0, SCREEN_BYTES + coloursAfter(byteAt(bytes, 10)));
  const kept = [head];
  // Applies to the frame that follows.
  let control: Buffer | null = null;
  let pictures = 0;
  let at = head.length;
  for (;;) {
    const kind = byteAt(bytes, at);
    if (kind === TRAILER) break;
    if (kind === PICTURE) {
      const colours = coloursAfter(byteAt(bytes, at + 9));
      // One byte describes how the pixels are packed.
      const end = endOfBlocks(bytes, at + PICTURE_BYTES + colours + 1);
      kept.push(...(control ? [control] : []), bytes.subarray(at, end));
      control = null;
      pictures++;
      at = end;
      continue;
    }
    if (kind !== EXTENSION) throw new Broken('no block');
    const label = byteAt(bytes, at + 1);
    const end = endOfBlocks(bytes, at + 2);
    const block = bytes.subarray(at, end);
    at = end;
    if (label === CONTROL) {
      control = block;
      continue;
    }
    const application = label === APPLICATION ? judge(block) : null;
    if (application) kept.push(application);
    if (!application?.equals(block)) removed.add(wordsOf(label, block));
    // Browsers do not show text blocks, so the timing in front of one is removed with it.
    if (label === TEXT) control = null;
  }
  if (pictures === 0) throw new Broken('no picture');
  if (at + 1 < bytes.length) removed.add('bytes after its end');
  return { content: Buffer.concat([...kept, Buffer.from([TRAILER])]), removed };
}

/** Returns the part of an application extension to keep, or null. */
function judge(block: Buffer): Buffer | null {
  if (byteAt(block, 2) !== NAME_BYTES) return null;
  const name = letters(block, 3, NAME_BYTES);
  if (name === PROFILE) return block;
  if (!REPEATS.has(name)) return null;
  // Number of repeats: 3 bytes, of which the first is a marker. Other data here is unused.
  const begin = 3 + NAME_BYTES;
  if (byteAt(block, begin) !== 3 || byteAt(block, begin + 1) !== 1) return null;
  return Buffer.concat([block.subarray(0, begin + 4), Buffer.from([0])]);
}

function wordsOf(label: number, block: Buffer): Removed {
  if (label === COMMENT || label === TEXT) return 'descriptions and comments';
  return block.subarray(3, 3 + NAME_BYTES).toString('latin1') === 'XMP DataXMP'
    ? 'descriptions and comments'
    : 'other data';
}

/** Returns the bytes of the colour table that the flags declare. */
function coloursAfter(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/**
 * Finds the end of a sequence of blocks. Each block starts with its length; a length of zero ends the sequence.
 * @throws Broken
 */
function endOfBlocks(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const length = byteAt(bytes, at);
    at += 1 + length;
    if (length === 0) return at;
  }
}
