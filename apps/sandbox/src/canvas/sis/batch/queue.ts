import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Spool } from '../../../files/spool.ts';
import type { Progress } from '../../store/model.ts';
import type { SisBatch, SisOptions } from '../../store/sis-batch.ts';
import type { World } from '../../store/world.ts';
import type { ImportFault } from '../faults.ts';
import type { Upload } from './intake.ts';
import { Pace } from './pace.ts';
import { isFinished, type RestoreOptions, restore, restoreProgress } from './restore.ts';
import { runImport } from './run.ts';

/** The parts of a sandbox that the queue needs. */
export interface QueueHost {
  world: World;
  spool: Spool;
  options: { importPace: number | 'instant' };
  takeImportFault(): ImportFault | null;
}

/** Milliseconds for which a paced import stays in `created`, so that people see it wait. */
const CREATED_MS = 1000;
/**
 * Milliseconds for which the queue pauses after a running import was aborted. Canvas pauses for 10 minutes (§7.4),
 * which would only delay people in training; at `instant` there is no pause.
 */
const REST_AFTER_ABORT_MS = 10_000;

const PENDING = new Set(['initializing', 'created']);
const ABORTABLE = new Set([...PENDING, 'importing', 'cleanup_batch']);

/**
 * The imports of the root account, one at a time, in order (§7.4). They run in the background; a crash affects only its
 * own import.
 */
export class ImportQueue {
  readonly #host: QueueHost;
  readonly #waiting: SisBatch[] = [];
  #running: SisBatch | null = null;
  #restUntil = 0;
  /** Grows with each reset; work of an older generation stops. */
  #generation = 0;
  #errorReports = 0;

  constructor(host: QueueHost) {
    this.#host = host;
    host.world.onReset(() => {
      this.stop();
      this.#restUntil = 0;
      this.#errorReports = 0;
    });
  }

  /** Stops the running import and all waiting ones, without changing their state. */
  stop(): void {
    this.#generation++;
    this.#waiting.length = 0;
    this.#running = null;
  }

  /** Continues imports that had not ended when the sandbox was stopped; an interrupted restore fails (§7.5). */
  resume(): void {
    const { world } = this.#host;
    for (const batch of world.sisBatches.values()) {
      if (ABORTABLE.has(batch.workflow_state)) this.#waiting.push(batch);
      if (batch.workflow_state === 'restoring')
        world.sisBatches.change(batch, { workflow_state: 'restore_failed' });
    }
    for (const progress of world.progresses.values())
      if (progress.workflow_state === 'queued' || progress.workflow_state === 'running')
        world.progresses.change(progress, { workflow_state: 'failed' });
    setImmediate(() => void this.#next());
  }

  /** Records an import as `created` and queues it (§7.1). */
  add(upload: Upload, options: SisOptions, userId: number | null): SisBatch {
    const { world } = this.#host;
    const batch = world.sisBatches.add({
      account_id: world.rootAccount.id,
      user_id: userId,
      workflow_state: 'created',
      started_at: null,
      ended_at: null,
      progress: 0,
      options,
      upload: { name: upload.name, key: upload.kept.key },
      applied: null,
      data: { import_type: 'instructure_csv' },
      processing_warnings: [],
      processing_errors: [],
      errors_attachment_id: null,
      csv_attachment_ids: [],
      diffed_csv_attachment_ids: [],
      diffed_against_sis_batch_id: null,
      diffing_threshold_exceeded: false,
      errors: [],
      state_changes: [],
    });
    this.#waiting.push(batch);
    // Starts later, because the answer to the request must show `created`.
    setImmediate(() => void this.#next());
    return batch;
  }

  /** Aborts an unfinished import, or returns false if the import has finished (§7). */
  abort(batch: SisBatch): boolean {
    if (!ABORTABLE.has(batch.workflow_state)) return false;
    if (!PENDING.has(batch.workflow_state) && this.#host.options.importPace !== 'instant')
      this.#restUntil = performance.now() + REST_AFTER_ABORT_MS;
    this.#host.world.sisBatches.change(batch, { workflow_state: 'aborted' });
    return true;
  }

  /** Aborts imports that have not started; a running import continues (§7). */
  abortAllPending(): void {
    for (const batch of this.#host.world.sisBatches.values())
      if (PENDING.has(batch.workflow_state)) {
        this.abort(batch);
        batch.progress = 100;
      }
  }

  /** Undoes an import in the background, after the import and any other undo of it have ended (§7.5, §18.1). */
  restore(batch: SisBatch, options: RestoreOptions, userId: number): Progress {
    const { world, spool } = this.#host;
    const generation = this.#generation;
    const progress = restoreProgress(world, batch, userId);
    const pace = new Pace(this.#host.options.importPace, () => this.#generation !== generation);
    const failed = () => {
      if (this.#generation !== generation) return;
      world.sisBatches.change(batch, { workflow_state: 'restore_failed' });
      world.progresses.change(progress, { workflow_state: 'failed' });
    };
    const run = async () => {
      await nextTurn();
      while (!isFinished(batch)) await pace.wait();
      await restore(world, batch, options, progress, pace, spool);
    };
    void run().catch(failed);
    return progress;
  }

  async #next(): Promise<void> {
    if (this.#running) return;
    const batch = this.#waiting.shift();
    if (!batch) return;
    const generation = this.#generation;
    const stopped = () => this.#generation !== generation || batch.workflow_state === 'aborted';
    this.#running = batch;
    const pace = new Pace(this.#host.options.importPace, stopped);
    const { world, spool } = this.#host;
    try {
      pace.check();
      await pace.pause(Math.max(CREATED_MS, this.#restUntil - performance.now()));
      const fault = this.#host.takeImportFault();
      const errorReport = () => ++this.#errorReports;
      const upload = await this.#uploadOf(batch);
      await runImport({ world, batch, upload, pace, spool, fault, errorReport });
    } catch (error) {
      if (!stopped()) {
        console.error(error);
        world.sisBatches.change(batch, { workflow_state: 'failed', ended_at: world.now() });
      }
    }
    if (this.#generation !== generation) return;
    this.#running = null;
    this.#giveUpUpload(batch);
    setImmediate(() => void this.#next());
  }

  async #uploadOf({ upload }: SisBatch): Promise<Upload | null> {
    const kept = upload && (await this.#host.spool.find(upload.key));
    return upload && kept ? { name: upload.name, kept } : null;
  }

  /** Deletes an upload as soon as it is not needed, because it may contain passwords. */
  #giveUpUpload(batch: SisBatch): void {
    const { world, spool } = this.#host;
    const key = batch.upload?.key;
    batch.upload = null;
    batch.applied = null;
    world.sisBatches.touch(batch);
    if (key !== undefined && ![...world.files.values()].some(({ content }) => content.key === key))
      void spool.drop(key);
  }
}
