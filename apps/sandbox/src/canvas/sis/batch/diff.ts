import { chunksOf, type Spool } from '../../../files/spool.ts';
import { openStored, storeFile } from '../../files/stored.ts';
import type { FileObject } from '../../store/model.ts';
import type { SisBatch } from '../../store/sis-batch.ts';
import type { ImportKind } from '../csv/detect.ts';
import { type CsvFile, checkFile, checkOwnFile } from '../csv/files.ts';
import { readRows } from '../csv/reader.ts';
import { stringify } from '../csv/write.ts';
import type { Work } from '../importers/work.ts';
import { messages } from '../messages.ts';
import type { Desk } from './intake.ts';
import type { Pace } from './pace.ts';

/** So many imports of a data set may go undiffed in a row (§11). */
const MOST_SKIPS = 5;

/** The columns that say which thing a row is about. Kinds that are not listed are never compared. */
const KEYS: Partial<Record<ImportKind, readonly string[]>> = {
  account: ['account_id'],
  term: ['term_id', 'date_override_enrollment_type'],
  abstract_course: ['abstract_course_id'],
  course: ['course_id'],
  section: ['section_id'],
  xlist: ['xlist_course_id', 'section_id'],
  user: ['user_id'],
  login: ['user_id'],
  enrollment: [
    'course_id',
    'section_id',
    'user_id',
    'user_integration_id',
    'role',
    'role_id',
    'associated_user_id',
  ],
  admin: ['user_id', 'account_id', 'role', 'role_id'],
  group_category: ['group_category_id'],
  group: ['group_id'],
  group_membership: ['group_id', 'user_id'],
  user_observer: ['observer_id', 'student_id'],
};

/** Too many imports of the data set were not compared; nothing is imported (§11). */
export class RemasterRequired extends Error {}

/**
 * Leaves of each file what differs from the last good import of the same data set; rows that vanished get
 * a status that removes them (§11). @throws RemasterRequired
 */
export async function diffFiles(files: CsvFile[], desk: Desk): Promise<CsvFile[]> {
  const { work } = desk;
  const { batch, options, world } = work;
  if (options.diffing_data_set_identifier === null || options.diffing_remaster) return files;
  const former = formerImports(work);
  if (former.skips > MOST_SKIPS) throw new RemasterRequired(messages.diff.remaster);
  if (!former.base) return files;
  const before = await filesOf(former.base, desk);
  if (isTooDifferent(files, former.base, work)) {
    work.report(null, messages.diff.sizeExceeded, null, false);
    world.sisBatches.change(batch, { diffing_threshold_exceeded: true });
    return files;
  }
  const diffed: CsvFile[] = [];
  for (const file of files) {
    const sameKind = before.filter((other) => other.kind === file.kind);
    const alone = files.filter((other) => other.kind === file.kind).length === 1;
    const [one] = sameKind;
    diffed.push(one && sameKind.length === 1 && alone ? await diffFile(one, file, desk) : file);
  }
  // All rows of the difference together; files that were not compared are no part of it.
  const most = options.diff_row_count_threshold;
  const rows = diffed.reduce((sum, file) => sum + (files.includes(file) ? 0 : file.rowCount), 0);
  if (most !== null && rows > most) {
    work.report(null, messages.diff.rowsExceeded, null, false);
    world.sisBatches.change(batch, { diffing_threshold_exceeded: true });
    for (const file of diffed) if (!files.includes(file) && file.kept) await desk.spool.drop(file.kept.key);
    return files;
  }
  world.sisBatches.change(batch, { diffed_against_sis_batch_id: former.base.id });
  for (const file of diffed) {
    if (files.includes(file) || !file.kept || work.readingAgain) continue;
    const { key, size } = file.kept;
    const stored = storeFile(world, file.name, size, { key, member: null }, batch.user_id);
    batch.diffed_csv_attachment_ids.push(stored.id);
  }
  return diffed;
}

/** The last good import of the data set, and how many after it were not compared. */
function formerImports({ batch, options, world }: Work): { base: SisBatch | null; skips: number } {
  let skips = 0;
  for (const other of [...world.sisBatches.values()].toReversed()) {
    if (other.id >= batch.id) continue;
    if (other.options.diffing_data_set_identifier !== options.diffing_data_set_identifier) continue;
    if (!['imported', 'imported_with_messages'].includes(other.workflow_state)) continue;
    if (!other.diffing_threshold_exceeded) return { base: other, skips };
    skips++;
  }
  return { base: null, skips };
}

async function filesOf(base: SisBatch, { work, pace, spool }: Desk): Promise<CsvFile[]> {
  const files: CsvFile[] = [];
  for (const id of base.csv_attachment_ids) {
    const stored = work.world.files.must(id);
    const open = () => openOrNothing(spool, stored);
    const checked = await checkFile(stored.filename, open, pace.yieldNow);
    if (checked.verdict === 'ok') files.push(checked.file);
  }
  return files;
}

async function openOrNothing(spool: Spool, stored: FileObject): Promise<AsyncIterable<Buffer>> {
  return (await openStored(spool, stored)) ?? chunksOf(Buffer.alloc(0));
}

function isTooDifferent(files: readonly CsvFile[], base: SisBatch, { batch, options, world }: Work): boolean {
  if (options.change_threshold === null || files.length === 0) return false;
  const sizeOf = (ids: readonly number[]) => ids.reduce((sum, id) => sum + world.files.must(id).size, 0);
  const before = sizeOf(base.csv_attachment_ids);
  const now = sizeOf(batch.csv_attachment_ids);
  return before > 0 && (Math.abs(now - before) / before) * 100 > options.change_threshold;
}

/** New and changed rows as they are, vanished rows with a status that removes them. */
async function diffFile(
  before: CsvFile,
  now: CsvFile,
  { work: { options }, pace, spool }: Desk,
): Promise<CsvFile> {
  const keys = KEYS[now.kind];
  const status = now.header.indexOf('status');
  if (!keys || before.header.join() !== now.header.join()) return now;
  const positions = keys.map((key) => now.header.indexOf(key)).filter((at) => at >= 0);
  const keyOf = (cells: readonly string[]) => JSON.stringify(positions.map((at) => cells[at] ?? ''));
  const old = new Map<string, string>();
  await eachRow(before, pace, (cells) => old.set(keyOf(cells), stringify(cells)));
  const lines: string[] = [];
  const present = new Set<string>();
  await eachRow(now, pace, (cells) => {
    const key = keyOf(cells);
    present.add(key);
    const line = stringify(cells);
    if (old.get(key) !== line) lines.push(line);
  });
  const removal = removalStatus(now.kind, options);
  if (status >= 0)
    await eachRow(before, pace, (cells) => {
      const key = keyOf(cells);
      if (present.has(key)) return;
      present.add(key);
      lines.push(stringify(now.header.map((_, at) => (at === status ? removal : (cells[at] ?? '')))));
    });
  const kept = await spool.keepBuffer(Buffer.from(stringify(now.header) + lines.join('')));
  return (await checkOwnFile(now.name, kept, pace.yieldNow)) ?? now;
}

function removalStatus(kind: ImportKind, options: Work['options']): string {
  if (kind === 'enrollment') return options.diffing_drop_status ?? 'deleted';
  if (kind === 'user') return options.diffing_user_remove_status ?? 'deleted';
  return 'deleted';
}

async function eachRow(file: CsvFile, pace: Pace, see: (cells: string[]) => void): Promise<void> {
  for await (const group of readRows(file.open, file.layout)) {
    for (const { cells, row } of group) if (row > 1) see(cells);
    await pace.yieldNow();
  }
}
