import type { Spool } from '../../../files/spool.ts';
import { BadArchive } from '../../files/archive.ts';
import type { SisBatch, SisState } from '../../store/sis-batch.ts';
import type { World } from '../../store/world.ts';
import { countName, IMPORT_KINDS, type ImportKind } from '../csv/detect.ts';
import type { CsvFile } from '../csv/files.ts';
import { InvalidUtf8, MalformedCsv } from '../csv/reader.ts';
import type { ImportFault } from '../faults.ts';
import { IMPORTERS } from '../importers/index.ts';
import { Work } from '../importers/work.ts';
import { messages } from '../messages.ts';
import { applyFile, NulInText, WorkerCrash } from './apply.ts';
import { CleanupRefused, cleanUp } from './cleanup.ts';
import { diffFiles, RemasterRequired } from './diff.ts';
import { type Desk, takeIn, type Upload } from './intake.ts';
import { countMessages, showMessages, statisticsOf, writeErrorsFile, zeroCounts } from './outcome.ts';
import { type Pace, Stopped } from './pace.ts';

/** Imports with fewer rows run in one go (§7.3). */
const SMALL = 50;

export interface Run {
  world: World;
  batch: SisBatch;
  /** Null: the bytes were deleted. */
  upload: Upload | null;
  pace: Pace;
  spool: Spool;
  fault: ImportFault | null;
  /** The number under which a crash is reported. */
  errorReport: () => number;
}

/**
 * Takes one import from `created`, or from where it was stopped, to its final state (§7.3). Returns early if it is
 * aborted.
 */
export async function runImport(run: Run): Promise<void> {
  const { world, batch, pace } = run;
  const work = new Work(world, batch);
  world.sisBatches.change(batch, {
    workflow_state: 'importing',
    started_at: batch.started_at ?? world.now(),
  });
  try {
    if (!run.upload) throw new WorkerCrash('The file of the import is no longer there');
    if (run.fault?.kind === 'import-hang') await pace.hang();
    if (run.fault?.kind === 'import-fail') throw new WorkerCrash('The import job failed permanently');
    await process(run, run.upload, work);
    await cleanUp(work, pace);
    await finish(run, work, true);
  } catch (error) {
    // A reset also closes the files being read.
    if (error instanceof Stopped || pace.isStopped) return;
    if (error instanceof CleanupRefused) {
      work.report(null, error.message, null, false);
      await finish(run, work, false, 'aborted');
    } else if (error instanceof WorkerCrash) crash(world, batch, error);
    else if (error instanceof RemasterRequired) {
      work.fail(null, error.message);
      await finish(run, work, false);
    } else {
      // An upload cannot cause any other error: this is a fault of the sandbox, which its operator
      // should see.
      if (!(error instanceof BadArchive || error instanceof NulInText)) console.error(error);
      work.fail(work.fileName === '' ? null : work.fileName, messages.file.crash(run.errorReport()));
      await finish(run, work, false);
    }
  }
}

/** Reads the files and applies them kind by kind (§8.1). */
async function process(run: Run, upload: Upload, work: Work): Promise<void> {
  const { world, batch, pace } = run;
  const files = await readFiles(run, upload, work);
  const rows = files.reduce((sum, file) => sum + file.rowCount, 0);
  const small = rows < SMALL;
  batch.applied ??= { files: 0, rows: 0, counted: 0 };
  const { applied } = batch;
  const inOrder = IMPORT_KINDS.flatMap((kind) => files.filter((file) => file.kind === kind));
  const counts = (batch.data['counts'] as Record<string, number> | undefined) ?? zeroCounts();
  const completed = (batch.data['completed_importers'] as ImportKind[] | undefined) ?? [];
  forgetMessagesOfRowsToCome(batch, inOrder[applied.files]);
  world.sisBatches.change(batch, {
    data: {
      ...batch.data,
      supplied_batches: [...new Set(inOrder.map((file) => file.kind))],
      completed_importers: completed,
      running_immediately: small,
      downloadable_attachment_ids: [...batch.csv_attachment_ids],
      counts,
    },
  });
  let done = 0;
  const half = run.fault?.kind === 'import-crash' ? Math.floor(rows / 2) : Number.POSITIVE_INFINITY;
  const advance = (n: number) => {
    done += n;
    const progress = Math.min(99, Math.floor((done / Math.max(1, rows)) * 100));
    if (progress > batch.progress && !(small && pace.isInstant)) world.sisBatches.change(batch, { progress });
  };
  for (const file of inOrder.slice(0, applied.files)) advance(file.rowCount);
  for (const file of inOrder.slice(applied.files)) {
    const { kind } = file;
    const crashAfter = half - done;
    advance(applied.rows);
    await applyOne(file, { importer: IMPORTERS[kind], work, pace, advance, applied, crashAfter });
    counts[countName(kind)] = (counts[countName(kind)] ?? 0) + applied.counted;
    // Without rows, the importer has nothing to complete.
    if (file.rowCount > 0 && (small || !completed.includes(kind))) completed.push(kind);
    batch.applied = Object.assign(applied, { files: applied.files + 1, rows: 0, counted: 0 });
    world.sisBatches.change(batch, {});
  }
  work.fileName = '';
}

/** Reads the files of the upload that are to be applied. Errors in them are reported once. */
async function readFiles(run: Run, upload: Upload, work: Work): Promise<CsvFile[]> {
  const { batch, pace, spool } = run;
  work.isRereading = batch.applied !== null;
  if (!work.isRereading) {
    // An earlier attempt at this step may have been stopped, so its results are discarded.
    batch.errors = [];
    batch.csv_attachment_ids = [];
    batch.diffed_csv_attachment_ids = [];
  }
  const desk: Desk = { work, pace, spool };
  const files = await diffFiles(await takeIn(upload, desk), desk);
  work.isRereading = false;
  return files;
}

/** Discards the messages of rows that were checked but not applied, because a resumed import checks them again. */
function forgetMessagesOfRowsToCome(batch: SisBatch, current: CsvFile | undefined): void {
  const lastRow = (batch.applied?.rows ?? 0) + 1;
  batch.errors = batch.errors.filter(
    ({ file, row }) => row === null || file !== current?.name || row <= lastRow,
  );
}

/**
 * Applies one file. Between its two readings a file can turn invalid only if the archive misstates its
 * contents.
 */
async function applyOne(file: CsvFile, how: Parameters<typeof applyFile>[1]): Promise<void> {
  try {
    await applyFile(file, how);
  } catch (error) {
    if (error instanceof MalformedCsv || error instanceof InvalidUtf8)
      throw new Error('The file changed while it was read', { cause: error });
    throw error;
  }
}

/** Writes counts, statistics, messages and the final state (§7.2, §7.3). */
async function finish(run: Run, work: Work, processed: boolean, forced?: SisState): Promise<void> {
  const { world, batch, pace } = run;
  const { error_count, warning_count } = countMessages(batch);
  const ok = processed && error_count === 0;
  await writeErrorsFile(world, batch, run.spool, pace);
  showMessages(batch);
  const counts = (batch.data['counts'] as Record<string, number> | undefined) ?? zeroCounts();
  const state = ok ? 'imported' : 'failed';
  const withMessages = error_count + warning_count > 0 ? (`${state}_with_messages` as const) : state;
  work.fileName = '';
  world.sisBatches.change(batch, {
    workflow_state: forced ?? withMessages,
    ended_at: world.now(),
    progress: ok || forced === 'aborted' ? 100 : batch.progress,
    data: {
      ...batch.data,
      counts: { ...counts, error_count, warning_count },
      statistics: statisticsOf(batch),
    },
  });
}

function crash(world: World, batch: SisBatch, error: Error): void {
  world.sisBatches.change(batch, {
    workflow_state: 'failed',
    ended_at: world.now(),
    data: { ...batch.data, error_message: error.message, stack_trace: stackOf(error) },
  });
}

/** Returns the names of the functions, without local paths. */
function stackOf(error: Error): string {
  const calls = (error.stack ?? '').matchAll(/^\s+at (?:async )?([\w.#<>$]+) /gm);
  return [...calls].map(([, name]) => `in ${name}`).join('\n');
}
