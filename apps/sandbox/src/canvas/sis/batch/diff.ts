import { chunksOf, type Spool } from '../../../files/spool.ts';
import { openStored, storeFile } from '../../files/stored.ts';
import type { FileObject } from '../../store/model.ts';
import type { SisBatch } from '../../store/sis-batch.ts';
import type { ImportKind } from '../csv/detect.ts';
import { type CsvFile, checkFile, checkOwnFile, SECRET_COLUMNS } from '../csv/files.ts';
import { cellValue, readRows } from '../csv/reader.ts';
import { stringify } from '../csv/write.ts';
import type { Work } from '../importers/work.ts';
import { messages } from '../messages.ts';
import type { Desk } from './intake.ts';
import type { Pace } from './pace.ts';

/** How many imports of a data set in a row can go without a comparison (§11). */
const MOST_SKIPS = 5;

/** Columns that identify the object in a row. Kinds without an entry are never compared. */
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

/** Too many imports of the data set were not compared, so nothing is imported (§11). */
export class RemasterRequired extends Error {}

/**
 * Reduces each file to its differences from the last good import of the same data set; missing rows get a status that
 * removes them (§11).
 * @throws RemasterRequired
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
  for (const kind of new Set(files.map((file) => file.kind))) {
    const now = files.filter((file) => file.kind === kind);
    const former = before.filter((file) => file.kind === kind);
    diffed.push(...(former.length === 0 ? now : await diffKind(former, now, desk)));
  }
  // All rows of the difference together; files that were not compared do not count.
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
    if (files.includes(file) || !file.kept || work.isRereading) continue;
    const { key, size } = file.kept;
    const stored = storeFile(world, file.name, size, { key, member: null }, batch.user_id);
    batch.diffed_csv_attachment_ids.push(stored.id);
  }
  return diffed;
}

/** Finds the last good import of the data set, and counts the later ones that were not compared. */
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

/** Compares the files of one kind: a single file with a single one, several with those of the same names. */
async function diffKind(before: readonly CsvFile[], now: CsvFile[], desk: Desk): Promise<CsvFile[]> {
  const { work } = desk;
  const [first] = now as [CsvFile];
  const names = new Set(now.map(({ name }) => name));
  const formerOf = ({ name }: CsvFile) =>
    now.length === 1 ? before[0] : before.find((file) => file.name.replace(FILTERED, '.csv') === name);
  const pairs = now.flatMap((file) => {
    const former = formerOf(file);
    return former ? [[former, file] as const] : [];
  });
  if (now.length !== before.length || pairs.length !== now.length || names.size !== now.length) {
    work.report(first.name, messages.diff.mismatched(first.kind), null, false);
    return now;
  }
  const haveOtherHeaders = pairs.some(([former, file]) => sorted(former.header) !== sorted(file.header));
  if (haveOtherHeaders) {
    work.report(first.name, messages.diff.failed(messages.diff.otherHeaders), null, false);
    return now;
  }
  const diffed: CsvFile[] = [];
  for (const [former, file] of pairs) diffed.push(await diffFile(former, file, desk));
  return diffed;
}

/** The name of a kept file of people without its passwords, which then cannot be compared. */
const FILTERED = /_filtered\.csv$/i;

/** Sorts the names of the columns, which can be in any order. */
const sorted = (header: readonly string[]): string =>
  JSON.stringify(header.filter((column) => !SECRET_COLUMNS.has(column)).toSorted());

/**
 * Keeps new and changed rows, and adds missing rows with a status that removes them. Cells are compared as
 * they are read; of several rows about one object, the last counts.
 */
async function diffFile(
  before: CsvFile,
  now: CsvFile,
  { work: { options }, pace, spool }: Desk,
): Promise<CsvFile> {
  const { header } = now;
  const keys = KEYS[now.kind];
  if (!keys) return now;
  const rowsOf = async (file: CsvFile): Promise<Map<string, string[]>> => {
    const at = header.map((column) => file.header.indexOf(column));
    const rows = new Map<string, string[]>();
    await eachRow(file, pace, (raw) => {
      const cells = at.map((place) => cellValue(raw[place]) ?? '');
      const key = JSON.stringify(keys.map((column) => cells[header.indexOf(column)] ?? ''));
      rows.delete(key);
      rows.set(key, cells);
    });
    return rows;
  };
  const [old, current] = [await rowsOf(before), await rowsOf(now)];
  const status = header.indexOf('status');
  const removal = removalStatus(now.kind, options);
  const textOf = (cells: readonly string[] | undefined) =>
    cells?.filter((_, at) => before.header.includes(header[at] ?? '')).join('\0');
  const changed = [...current].filter(([key, cells]) => textOf(old.get(key)) !== textOf(cells));
  const missing = status < 0 ? [] : [...old].filter(([key]) => !current.has(key));
  const lines = [
    ...changed.map(([, cells]) => stringify(cells)),
    ...missing.map(([, cells]) => stringify(cells.with(status, removal))),
  ];
  const kept = await spool.keepBuffer(Buffer.from(stringify(header) + lines.join('')));
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
