/** The one file of an export's zip. */
import { OutsideError } from '../outbound/errors.ts';
import { BadZip, entriesOf, entryBytes, spooledZip } from '../platform/zip.ts';
import { QUALTRICS } from './answers.ts';

/** Entries that are looked at. */
const MOST_ENTRIES = 100;

/**
 * Its bytes, once the zip has come as a whole.
 * @param dataFolder where it is laid down meanwhile
 * @param most bytes that it unpacks to
 * @throws OutsideError `odd` for anything else than one whole entry, `too-much`; what `source` throws
 */
export async function* unzipped(
  dataFolder: string,
  source: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<Buffer, void, void> {
  // It is named after the survey, and a survey may be called anything.
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
  throw error instanceof BadZip ? odd(`the file is cut or damaged: ${error.message}`) : error;
}

function odd(detail: string): OutsideError {
  return new OutsideError(QUALTRICS, 'odd', { sent: 'answered', detail });
}
