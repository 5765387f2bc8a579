/** A zip of CSVs as the LMS accepts it: stored in the data folder while it is read, and then removed in any case. */
import type { Entry, ZipFile } from 'yauzl';
import { storable } from '../platform/text.ts';
import { BadZip, entriesOf, entryBytes, type SpooledZip, spooledZip } from '../platform/zip.ts';
import { isWorkbookEntry, refuseWorkbook } from './kind-of-file.ts';
import { fileRefused } from './problems.ts';

/** Maximum number of files in a zip, maximum unpacked bytes, and maximum ratio of unpacked to packed bytes. */
export const MAX_ZIP_FILES = 50;
export const MAX_ZIP_BYTES = 536_870_912;
const MAX_GROWTH = 100;
/** Below this size a high ratio is harmless: small files compress well. */
const GROWTH_FROM_BYTES = 10_485_760;
/** Maximum number of entries inspected before the zip is refused. */
const MOST_ENTRIES = 1_000;
/** System files in archives, which are ignored silently. */
const IGNORED = /__macosx|desktop d[bf]|(?:^|\/)\./i;

export interface Member {
  /** File name, with its folder if another folder has a file of the same name. */
  name: string;
  bytes(): AsyncGenerator<Uint8Array, void, void>;
}

/** Stores a zip, runs the work, and removes the zip. @throws AppError bad-request if it is not a zip */
export async function withSpooled(
  dataFolder: string,
  bytes: AsyncIterable<Uint8Array>,
  work: (spooled: SpooledZip) => Promise<void>,
): Promise<void> {
  const spooled = await spooledZip(dataFolder, bytes).catch(refuse);
  try {
    await work(spooled);
  } finally {
    await spooled.close();
  }
}

/**
 * Returns the CSVs of a zip, in the order of the zip.
 * @throws AppError bad-request
 */
export async function membersOf({ zip, size }: SpooledZip): Promise<Member[]> {
  const entries = await entriesOf(zip, MOST_ENTRIES).catch(refuse);
  if (entries.some((entry) => isWorkbookEntry(entry.fileName))) refuseWorkbook('workbook');
  const files = entries.filter(({ fileName }) => !fileName.endsWith('/') && !IGNORED.test(fileName));
  const other = files.filter(({ fileName }) => !/\.csv$/i.test(fileName));
  if (other.length > 0) {
    throw fileRefused('The zip contains files that are not CSV files.', {
      nothingSent: true,
      details: namesOf(other.slice(0, 100)).map((name) => ({
        row: null,
        field: null,
        message: `${name} is not a CSV file.`,
      })),
      next: 'Remove them from the zip and upload it again.',
    });
  }
  if (files.length === 0) throw fileRefused('The zip contains no CSV file.');
  if (files.length > MAX_ZIP_FILES) {
    throw fileRefused(`The zip has more than ${MAX_ZIP_FILES} files, the maximum for one upload.`, {
      next: 'Split it into smaller zips, or upload the files one by one.',
    });
  }
  const unpacked = files.reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  if (unpacked > MAX_ZIP_BYTES) {
    throw fileRefused(
      `The zip unpacks to more than ${MAX_ZIP_BYTES / 1_048_576} MB, the maximum for one upload.`,
      { next: 'Split it into smaller zips, or upload the files one by one.' },
    );
  }
  if (unpacked > Math.max(GROWTH_FROM_BYTES, size * MAX_GROWTH)) {
    throw fileRefused(
      `The zip unpacks to more than ${MAX_GROWTH} times its own size. The LMS rejects files like this.`,
    );
  }
  const names = namesOf(files);
  return files.map((entry, at) => ({ name: names[at] ?? '', bytes: () => unpackedBytes(zip, entry) }));
}

/** Returns the names of the files: with the folder if several folders have one of the same name. */
function namesOf(files: readonly Entry[]): string[] {
  const plain = files.map(({ fileName }) => fileOf(fileName));
  const names = new Set<string>();
  return files.map(({ fileName }, at) => {
    const own = plain[at] ?? '';
    const several = plain.filter((one) => one.toLowerCase() === own.toLowerCase()).length > 1;
    const name = unused(several ? shownPath(fileName) : own, names);
    names.add(name);
    return name;
  });
}

/** Adds a number to paths that differ only in characters that are not shown. */
function unused(name: string, names: ReadonlySet<string>): string {
  let one = name;
  for (let number = 2; names.has(one); number++) one = name.replace(/(\.csv)?$/i, ` (${number}).csv`);
  return one;
}

async function* unpackedBytes(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* entryBytes(zip, entry);
  } catch (error) {
    refuse(error);
  }
}

/** Makes a path safe for display. */
function shownPath(path: string): string {
  const folders = path.split(/[/\\]/).map((one) => one.replace(/\p{C}/gu, ' ').trim());
  return (
    storable(
      folders
        .filter((one) => one !== '')
        .join('/')
        .slice(-150),
    ) || 'file.csv'
  );
}

/** Returns the last part of a path, made safe for display. */
const fileOf = (path: string): string => shownPath(path.split(/[/\\]/).at(-1) ?? '');

function refuse(error: unknown): never {
  if (!(error instanceof BadZip)) throw error;
  throw fileRefused('The zip cannot be read: it is damaged, or protected by a password.', {
    next: 'Create the zip again and upload it.',
    cause: error,
  });
}
