/** Figures for alerts besides those of work and calls: version, disk, clocks, and the expiry of the service token. */
import { statfs } from 'node:fs/promises';
import { Gauge, type GaugeConfiguration, type Registry } from 'prom-client';
import type { CanvasClient } from '../canvas/types.ts';
import type { Directory } from '../directory/directory.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import { RELEASE } from '../platform/release.ts';
import { tokenEnd } from './doctor/lms.ts';
import { clocksOf } from './system/work.ts';

export interface TokenWatch {
  /** When the service token expires; null if it never does, or if that is unknown. */
  known(): Date | null;
  /** Asks the LMS again. */
  look(): Promise<void>;
}

export function watchToken(canvas: CanvasClient, token: string | null): TokenWatch {
  let end: Date | null = null;
  return {
    known: () => end,
    async look() {
      const found = token === null ? 'never' : await tokenEnd(canvas, token);
      // If the LMS does not answer, the last known expiry still counts.
      if (found !== 'unknown') end = found === 'never' ? null : found;
    },
  };
}

export interface FigureParts {
  config: Config;
  db: Database;
  canvas: CanvasClient;
  token: TokenWatch;
  directory: Pick<Directory, 'asOf'>;
  /** Current time in milliseconds since 1970. */
  now: () => number;
}

/** Adds figures that are read independently; one that cannot be read is omitted. */
export function addOperationFigures(
  registry: Registry,
  { config, db, canvas, token, directory, now }: FigureParts,
): void {
  const registers = [registry];
  const add = <T extends string>(of: GaugeConfiguration<T>) => new Gauge({ ...of, registers });
  add({
    name: 'lms_admin_build_info',
    help: 'Always 1; the labels say which version is running',
    labelNames: ['version', 'node'],
  }).set({ version: RELEASE, node: process.version }, 1);
  add({
    name: 'lms_admin_disk_free_bytes',
    help: 'Bytes that are free on the disk of LMS_ADMIN_DATA',
    async collect() {
      const disk = await statfs(config.dataFolder).catch(() => null);
      if (disk === null) this.remove();
      else this.set(disk.bavail * disk.bsize);
    },
  });
  add({
    name: 'lms_admin_clock_offset_seconds',
    help: 'How far the clock of another system is ahead of the clock of this server',
    labelNames: ['system'],
    async collect() {
      this.reset();
      this.set({ system: 'LMS' }, (canvas.now().getTime() - Date.now()) / 1_000);
      const clocks = await clocksOf(db).catch(() => null);
      if (clocks) this.set({ system: 'database' }, (clocks.database - clocks.server) / 1_000);
    },
  });
  add({
    name: 'lms_admin_service_token_end_seconds',
    help: 'When LMS_SERVICE_TOKEN expires, in seconds since 1970; absent if it does not expire, or if the LMS does not say',
    collect() {
      const end = token.known();
      if (end === null) this.remove();
      else this.set(end.getTime() / 1_000);
    },
  });
  add({
    name: 'lms_admin_directory_age_seconds',
    help: 'Age of the report that the directory was read from; absent if the directory is off or has not been read yet',
    async collect() {
      const asOf = await directory.asOf().catch(() => null);
      if (asOf === null) this.remove();
      else this.set((now() - asOf.getTime()) / 1_000);
    },
  });
}
