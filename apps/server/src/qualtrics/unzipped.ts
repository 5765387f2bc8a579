/** Reads the one file in an export's zip. */
import { OutsideError } from '../outbound/errors.ts';
import { BadZip, entriesOf, entryBytes, spooledZip } from '../platform/zip.ts';
import { QUALTRICS } from './answers.ts';

/** Limit for the number of entries. */
const MOST_ENTRIES = 100;

/**
 * Yields the file's bytes once the whole zip has arrived.
 * @param dataFolder temporary place of the zip
 * @param most limit for the unpacked bytes
 * @throws OutsideError `odd` for anything but one complete entry, `too-much`; like `source`
 */
export async function* unzipped(
  dataFolder: string,
  source: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<Buffer, void, void> {
  // The entry is named after the survey, which can have any name.
  const { zip, close } = await spooledZip(dataFolder, source, false).catch(refuse);
  try {
    const entries = await entriesOf(zip, MOST_ENTRIES).catch(refuse);
    const [entry] = entries;
    if (!entry || entries.length > 1) throw odd(`the zip has ${entries.length} files instead of one`);
    if (entry.uncompressedSize > most) {
      const detail = `an export of more than ${most} bytes`;
      throw new OutsideError(QUALTRICS, 'too-much', { sent: 'answered', detail });
    }
    yield* entryBytes(zip, entry);
  } catch (error) {
    refuse(error);
  } finally {
    await close();
  }
}

function refuse(error: unknown): never {
  throw error instanceof BadZip ? odd(`the file is truncated or damaged: ${error.message}`) : error;
}

function odd(detail: string): OutsideError {
  return new OutsideError(QUALTRICS, 'odd', { sent: 'answered', detail });
}
