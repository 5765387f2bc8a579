import type { ImportFault } from '../../faults/faults.ts';
import type { SisBatch, SisState } from '../../store/sis-batch.ts';
import type { World } from '../../store/world.ts';
import { countName, IMPORT_KINDS, type ImportKind } from '../csv/detect.ts';
import type { CsvFile } from '../csv/files.ts';
import { InvalidUtf8, MalformedCsv } from '../csv/reader.ts';
import { IMPORTERS } from '../importers/index.ts';
import { Work } from '../importers/work.ts';
import { messages } from '../messages.ts';
import { applyFile, NulInText, WorkerCrash } from './apply.ts';
import { BadArchive } from './archive.ts';
import { CleanupRefused, cleanUp } from './cleanup.ts';
import { diffFiles, RemasterRequired } from './diff.ts';
import { type Desk, takeIn, type Upload } from './intake.ts';
import { countMessages, showMessages, statisticsOf, writeErrorsFile, zeroCounts } from './outcome.ts';
import { type Pace, Stopped } from './pace.ts';
import type { Spool } from './spool.ts';

/** Imports of fewer rows run in one go (§7.3). */
const SMALL = 50;

export interface Run {
  world: World;
  batch: SisBatch;
  upload: Upload;
  pace: Pace;
  spool: Spool;
  fault: ImportFault | null;
  /** The number under which a crash is reported. */
  errorReport: () => number;
}

/** Takes one import from `created` to its final state (§7.3). Returns early when it was aborted meanwhile. */
export async function runImport(run: Run): Promise<void> {
  const { world, batch, pace } = run;
  const work = new Work(world, batch);
  world.sisBatches.change(batch, { workflow_state: 'importing', started_at: world.now() });
  try {
    if (run.fault?.kind === 'import-hang') await pace.hang();
    if (run.fault?.kind === 'import-fail') throw new WorkerCrash('The import job failed permanently');
    await process(run, work);
    await cleanUp(work, pace);
    await finish(run, work, true);
  } catch (error) {
    // A reset also closes the files that are being read.
    if (error instanceof Stopped || pace.isStopped) return;
    if (error instanceof CleanupRefused) {
      work.report(null, error.message, null, false);
      await finish(run, work, false, 'aborted');
    } else if (error instanceof WorkerCrash) crash(world, batch, error);
    else if (error instanceof RemasterRequired) {
      work.fail(null, error.message);
      await finish(run, work, false);
    } else {
      // Uploads cannot cause anything else: this one is a fault of the sandbox, and whoever runs it should see it.
      if (!(error instanceof BadArchive || error instanceof NulInText)) console.error(error);
      work.fail(work.fileName === '' ? null : work.fileName, messages.file.crash(run.errorReport()));
      await finish(run, work, false);
    }
  }
}

/** Reads the files and applies them kind by kind (§8.1). */
async function process(run: Run, work: Work): Promise<void> {
  const { world, batch, pace } = run;
  const desk: Desk = { work, pace, spool: run.spool };
  const files = await diffFiles(await takeIn(run.upload, desk), desk);
  const rows = files.reduce((sum, file) => sum + file.rowCount, 0);
  const small = rows < SMALL;
  const counts = zeroCounts();
  const completed: ImportKind[] = [];
  const byKind = IMPORT_KINDS.map((kind) => ({ kind, files: files.filter((file) => file.kind === kind) }));
  const supplied = byKind.filter((group) => group.files.length > 0);
  world.sisBatches.change(batch, {
    data: {
      ...batch.data,
      supplied_batches: supplied.map((group) => group.kind),
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
  for (const { kind, files: ofKind } of supplied) {
    for (const file of ofKind) {
      const crashAfter = half - done;
      const counted = await applyOne(file, { importer: IMPORTERS[kind], work, pace, advance, crashAfter });
      counts[countName(kind)] = (counts[countName(kind)] ?? 0) + counted;
      if (small || !completed.includes(kind)) completed.push(kind);
    }
    world.sisBatches.change(batch, {});
  }
  work.fileName = '';
}

/** A file of the upload may turn bad between its two readings only if the archive lies about itself. */
async function applyOne(file: CsvFile, how: Parameters<typeof applyFile>[1]): Promise<number> {
  try {
    return await applyFile(file, how);
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

/** The names of the functions, without the places of this machine. */
function stackOf(error: Error): string {
  const calls = (error.stack ?? '').matchAll(/^\s+at (?:async )?([\w.#<>$]+) /gm);
  return [...calls].map(([, name]) => `in ${name}`).join('\n');
}
