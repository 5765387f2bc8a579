/** Account reports, one at a time for the whole root account (reference §17.1). */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ZipFile } from 'yazl';
import type { Spool } from '../../files/spool.ts';
import { storeFile } from '../files/stored.ts';
import { stringify } from '../sis/csv/write.ts';
import type { AccountReport } from '../store/model.ts';
import type { World } from '../store/world.ts';
import { columnsOf } from './columns.ts';
import { type ReportTable, tablesIn } from './kinds.ts';
import { extraTextOf, requestOf } from './parameters.ts';
import { rowsOf } from './rows.ts';
import { ReportScope } from './scope.ts';

export interface ReportHost {
  world: World;
  spool: Spool;
  options: { reportMs: number };
}

/** After this many rows, the run yields to other work and updates its progress. */
const TURN = 1_000;
/** Number of steps in which a run shows its progress. */
const STEPS = 4;
const NO_FILE = 'Failed, the report failed to generate a file. Please try again.';

export class ReportQueue {
  readonly #host: ReportHost;
  #running: AccountReport | null = null;
  /** Grows with each reset and stop; work of an older generation stops. */
  #generation = 0;
  /** Ends the pause of the current run. */
  #wake: () => void = () => {};

  constructor(host: ReportHost) {
    this.#host = host;
    host.world.onReset(() => this.stop());
  }

  /** Stops the current run, without changing its state. */
  stop(): void {
    this.#generation++;
    this.#running = null;
    this.#wake();
  }

  /** Restarts runs that had not ended when the sandbox was stopped. */
  resume(): void {
    const { reports } = this.#host.world;
    for (const one of reports.values())
      if (isOpen(one)) reports.change(one, { status: 'created', progress: 0, started_at: null });
    this.next();
  }

  /** Starts the oldest waiting run, if none is running. */
  next(): void {
    if (this.#running !== null) return;
    const { reports } = this.#host.world;
    const waiting = [...reports.values()].find(({ status }) => status === 'created');
    if (!waiting) return;
    this.#running = waiting;
    void this.#run(waiting, this.#generation);
  }

  /** @returns false for a run that has ended */
  abort(report: AccountReport): boolean {
    if (!isOpen(report)) return false;
    const { world } = this.#host;
    world.reports.change(report, { status: 'aborted', ended_at: world.now() });
    if (this.#running === report) {
      this.stop();
      setImmediate(() => this.next());
    }
    return true;
  }

  async #run(report: AccountReport, generation: number): Promise<void> {
    const { world, spool, options } = this.#host;
    const { reports } = world;
    const goesOn = () => generation === this.#generation && isOpen(report);
    await nextTurn();
    if (!goesOn()) return;
    reports.change(report, { status: 'running', started_at: world.now() });
    try {
      // The report shows the state of the sandbox at this moment, however long the run takes.
      const file = await this.#make(report, goesOn);
      for (let step = 1; step <= STEPS && goesOn(); step++) {
        await this.#pause(options.reportMs / STEPS);
        if (goesOn()) reports.change(report, { progress: Math.min(99, step * (100 / STEPS)) });
      }
      if (!goesOn()) {
        // Nothing refers to the bytes of this file.
        if (file !== null) await spool.drop(file.kept.key);
        return;
      }
      const extra_text = extraTextOf(world, this.#requestOf(report), tablesIn(report.parameters));
      if (file === null) {
        this.#end(report, 'error', NO_FILE);
      } else {
        const { key, size } = file.kept;
        const { id } = storeFile(world, file.name, size, { key, member: null }, report.user_id);
        this.#end(report, 'complete', extra_text, id);
      }
    } catch (error) {
      if (goesOn()) this.#end(report, 'error', NO_FILE);
      console.error(error);
    }
    if (this.#running !== report) return;
    this.#running = null;
    this.next();
  }

  /** @param text added to the parameters of a run that has ended */
  #end(report: AccountReport, status: 'complete' | 'error', text: string, file: number | null = null): void {
    const { world } = this.#host;
    const parameters = { ...report.parameters, extra_text: text };
    world.reports.change(report, {
      status,
      progress: 100,
      ended_at: world.now(),
      parameters,
      file_id: file,
    });
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #requestOf({ account_id, report, parameters }: AccountReport) {
    const { world } = this.#host;
    return requestOf(world, world.accounts.must(account_id), report, parameters);
  }

  /** Writes the file of a run: one table as CSV, several as a zip. Returns null without tables. */
  async #make(report: AccountReport, goesOn: () => boolean) {
    const { world, spool } = this.#host;
    const tables = tablesIn(report.parameters);
    const scope = new ReportScope(world, this.#requestOf(report));
    const files: [ReportTable, Buffer][] = [];
    for (const table of tables) {
      let lines = 1;
      const { columns, needed } = columnsOf(report.report, table);
      const parts = [stringify(columns)];
      for (const row of rowsOf(table, scope)) {
        if (needed.some((column) => row[column] === null || row[column] === '')) continue;
        parts.push(stringify(columns.map((column) => textOf(row[column]))));
        if (++lines % TURN > 0) continue;
        world.reports.change(report, { current_line: lines });
        await nextTurn();
        if (!goesOn()) return null;
      }
      world.reports.change(report, { current_line: lines });
      files.push([table, Buffer.from(parts.join(''))]);
    }
    const [first, ...others] = files;
    if (!first) return null;
    const name = `${report.report}_${dayOf(world.clock())}_${report.id}`;
    if (others.length === 0) return { name: `${name}.csv`, kept: await spool.keepBuffer(first[1]) };
    const zip = new ZipFile();
    for (const [table, bytes] of files) zip.addBuffer(bytes, `${table}.csv`);
    zip.end();
    return { name: `${name}.zip`, kept: await spool.keep(Readable.from(zip.outputStream)) };
  }
}

/** Returns a date such as `05_Nov_2026`. */
function dayOf(ms: number): string {
  const day = new Date(ms);
  const month = day.toLocaleString('en-US', { month: 'short', timeZone: 'UTC' });
  return `${day.toISOString().slice(8, 10)}_${month}_${day.getUTCFullYear()}`;
}

const isOpen = ({ status }: AccountReport): boolean => status === 'created' || status === 'running';

const textOf = (value: string | number | boolean | null | undefined): string | number | null =>
  typeof value === 'boolean' ? String(value) : (value ?? null);
