import type { Kept, Spool } from '../../../files/spool.ts';
import { membersOf } from '../../files/archive.ts';
import { extensionOf, storeFile } from '../../files/stored.ts';
import type { FileContent } from '../../store/model.ts';
import {
  type CsvFile,
  checkFile,
  checkOwnFile,
  DUPLICATES_THAT_MATTER,
  deduplicate,
  hasSecrets,
  withoutSecrets,
} from '../csv/files.ts';
import { InvalidUtf8, MalformedCsv, type OpenFile } from '../csv/reader.ts';
import type { Work } from '../importers/work.ts';
import { messages } from '../messages.ts';
import type { Pace } from './pace.ts';

/** The upload of an import, as received. */
export interface Upload {
  /** Includes the extension, which decides how the file is read (§7.1). */
  name: string;
  kept: Kept;
}

/** Services for reading files, separate from their import. */
export interface Desk {
  work: Work;
  pace: Pace;
  spool: Spool;
}

interface Candidate {
  name: string;
  size: number;
  open: OpenFile;
  content: FileContent;
}

/**
 * Finds and checks the CSV files of an upload (§8.1, §8.2). Reports bad files and skips them. The files, without
 * passwords, become `csv_attachments`.
 * @throws BadArchive for a zip that cannot be unpacked
 */
export async function takeIn(upload: Upload, desk: Desk): Promise<CsvFile[]> {
  const files: CsvFile[] = [];
  for (const candidate of await candidatesOf(upload, desk.work)) {
    const file = await takeFile(candidate, desk);
    if (file) files.push(file);
    await desk.pace.yieldNow();
  }
  return files;
}

async function candidatesOf(upload: Upload, work: Work): Promise<Candidate[]> {
  const extension = extensionOf(upload.name);
  const { key, size, open } = upload.kept;
  if (extension === 'csv') return [{ name: upload.name, size, open, content: { key, member: null } }];
  // A single file of another type imports nothing; inside a zip it is reported.
  if (extension !== 'zip') return [];
  const members = await membersOf(upload.kept);
  return members.flatMap(({ path, size: unpacked, open: openMember }) => {
    if (extensionOf(path) === 'csv')
      return [{ name: path, size: unpacked, open: openMember, content: { key, member: path } }];
    work.report(path, messages.file.unknownType, null, false);
    return [];
  });
}

async function takeFile(candidate: Candidate, desk: Desk): Promise<CsvFile | null> {
  const { work, pace, spool } = desk;
  try {
    const checked = await checkFile(candidate.name, candidate.open, pace.yieldNow);
    if (checked.verdict === 'no-headers') work.fail(candidate.name, messages.file.noHeaders);
    if (checked.verdict !== 'ok') return null;
    let { file } = checked;
    if (checked.duplicates >= DUPLICATES_THAT_MATTER) {
      const kept = await spool.keepBuffer(await deduplicate(file, pace.yieldNow));
      const name = file.name.replace(/\.csv$/i, '_deduplicated.csv');
      file = (await checkOwnFile(name, kept, pace.yieldNow)) ?? file;
    }
    await attach(file, candidate, desk);
    return file;
  } catch (error) {
    if (error instanceof InvalidUtf8) work.fail(candidate.name, messages.file.invalidUtf8);
    else if (error instanceof MalformedCsv) work.fail(candidate.name, messages.file.malformed);
    else throw error;
    return null;
  }
}

/** Stores the file for download; of a users file with passwords, a copy without them (§7.2). */
async function attach(file: CsvFile, candidate: Candidate, { work, pace, spool }: Desk): Promise<void> {
  if (work.isRereading) return;
  const { batch, world } = work;
  let { name } = file;
  let { size, content } = candidate;
  let { kept } = file;
  if (hasSecrets(file)) {
    name = file.name.replace(/\.csv$/i, '_filtered.csv');
    kept = await spool.keepBuffer(await withoutSecrets(file, pace.yieldNow));
  }
  if (kept) {
    size = kept.size;
    content = { key: kept.key, member: null };
  }
  batch.csv_attachment_ids.push(storeFile(world, name, size, content, batch.user_id).id);
}
