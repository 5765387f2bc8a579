/** The directory for the rest of the back end: refreshed daily or on request, with its age and latest result. */
import type { DirectoryStatus } from '@lms-admin/contract/directory';
import { DIRECTORY_USED_MS, dailyMoments } from '@lms-admin/domain/directory';
import { isZone } from '@lms-admin/domain/wall-clock';
import type { Logger } from 'pino';
import type { Grants } from '../auth/grants.ts';
import { type LmsIdentity, sameLms } from '../canvas/identity.ts';
import { rootZone } from '../canvas/resources/accounts.ts';
import type { CanvasClient } from '../canvas/types.ts';
import type { Jobs, Starter } from '../jobs/jobs.ts';
import { cached } from '../platform/cached.ts';
import type { DirectoryConfig } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { clearSpool } from '../platform/zip.ts';
import { DIRECTORY_REFRESH, spoolOf } from './refresh-kind.ts';
import { baseRun, claimRun, forgetRuns, isOpen, latestRuns, type Run } from './runs.ts';
import { copyBytes, emptyAll } from './tables.ts';

export interface DirectoryParts {
  config: { directory: DirectoryConfig; dataFolder: string };
  db: Database;
  log: Logger;
  canvas: CanvasClient;
  identity: LmsIdentity;
  grants: Grants;
  /** Clock, in milliseconds since 1970. */
  now: () => number;
}

/** The system, not an administrator, starts this work. */
export const SYSTEM: Starter = { login: 'lms-admin', name: 'LMS Admin', canvasUserId: 0, grantId: null };
const LABEL = 'Refresh the directory';
const SHOWN_RUNS = 7;
/** Milliseconds between two reads of the school's time zone from the LMS. */
const ZONE_MS = 6 * 3_600_000;
const FALLBACK_ZONE = 'UTC';

/** Another request started the refresh first. */
class Joined extends Error {
  override name = 'Joined';
}

export interface Begun {
  /** `running` if a refresh was already under way. */
  status: 'started' | 'running';
  job: string;
}

export class Directory {
  readonly #parts: DirectoryParts;
  readonly #zone: () => Promise<string>;

  constructor(parts: DirectoryParts) {
    this.#parts = parts;
    const { canvas, grants } = parts;
    this.#zone = cached(ZONE_MS, async () => {
      const zone = await rootZone({ canvas, token: grants.rootToken(null) });
      return zone !== null && isZone(zone) ? zone : FALLBACK_ZONE;
    });
  }

  get on(): boolean {
    return this.#parts.config.directory.on;
  }

  /** Starts a refresh, or finds the running one. @throws AppError not-found if the directory is off; CanvasError */
  async refresh(
    jobs: Jobs,
    { acceptSmaller = false, requestId = null }: { acceptSmaller?: boolean; requestId?: string | null } = {},
  ): Promise<Begun> {
    const { db, now } = this.#parts;
    if (!this.on)
      throw new AppError('not-found', { message: 'The directory is switched off.', next: this.#whyOff() });
    const lms = await this.#lms();
    for (;;) {
      const [last] = await latestRuns(db.db, 1);
      if (last && isOpen(last)) return { status: 'running', job: last.jobId };
      const number = (last?.number ?? 0) + 1;
      const key = crypto.randomUUID();
      const what = { kind: DIRECTORY_REFRESH, tool: 'system' as const, label: LABEL, key, lms, requestId };
      try {
        const job = await jobs.start(SYSTEM, what, async (tx, jobId) => {
          const run = { number, jobId, lms, requestedAt: new Date(now()), acceptSmaller };
          if (!(await claimRun(tx, run))) throw new Joined();
        });
        return { status: 'started', job: job.id };
      } catch (error) {
        if (!(error instanceof Joined)) throw error;
      }
    }
  }

  /** Starts the daily refresh if it is due, and immediately if there is no copy of this LMS. */
  async refreshWhenDue(jobs: Jobs): Promise<void> {
    if (!this.on) return;
    const { db, now } = this.#parts;
    const lms = await this.#lms();
    const [last] = await latestRuns(db.db, 1);
    if (last && isOpen(last)) return;
    if (last && sameLms(last.lms, lms) && last.requestedAt.getTime() >= (await this.#moments(now())).last)
      return;
    await this.refresh(jobs);
  }

  /** Returns the time when the report of the copy was started, or null if there is no copy of this LMS. */
  async asOf(): Promise<Date | null> {
    const { db, identity } = this.#parts;
    const base = this.on ? await baseRun(db.db) : null;
    return base !== null && sameLms(base.lms, identity.known()) ? base.startedAt : null;
  }

  /** Returns the status for the page and the command. */
  async status(): Promise<DirectoryStatus> {
    const { db, identity, now, config } = this.#parts;
    const [runs, base] = await Promise.all([latestRuns(db.db, SHOWN_RUNS), baseRun(db.db)]);
    const known = base?.startedAt && base.counts ? base : null;
    const age = known?.startedAt ? now() - known.startedAt.getTime() : 0;
    const isOther = known !== null && !sameLms(known.lms, identity.known());
    return {
      state: !this.on
        ? 'off'
        : known === null
          ? 'empty'
          : isOther
            ? 'other'
            : age > DIRECTORY_USED_MS
              ? 'old'
              : 'ready',
      why_off: this.on ? null : this.#whyOff(),
      as_of: known?.startedAt?.getTime() ?? null,
      counts: known?.counts ?? null,
      bytes: await copyBytes(db),
      time: config.directory.time,
      // If the LMS does not return its zone, the next time is unknown.
      next_at: this.on
        ? await this.#moments(now()).then(
            ({ next }) => next,
            () => null,
          )
        : null,
      running: runs.filter(isOpen).map((run) => run.waitWhy ?? run.stage ?? LABEL)[0] ?? null,
      runs: runs.map(shownRun),
    };
  }

  /**
   * Deletes the copy if the directory is off. Always deletes files that a killed server has left in the data folder.
   */
  async tidy(): Promise<void> {
    const { db, config } = this.#parts;
    if (db.kind === 'pglite' || !this.on) await clearSpool(spoolOf(config.dataFolder), 0);
    if (this.on || (await latestRuns(db.db, 1)).length === 0) return;
    await db.db.transaction(async (tx) => {
      await emptyAll(tx);
      await forgetRuns(tx);
    });
  }

  #lms(): Promise<string> {
    const { identity, grants } = this.#parts;
    return identity.now(grants.rootToken(null));
  }

  async #moments(now: number) {
    return dailyMoments(now, this.#parts.config.directory.time, await this.#zone());
  }

  #whyOff(): string {
    return this.#parts.grants.hasServiceToken
      ? 'If you need it, ask IT Support to set DIRECTORY=on.'
      : 'The directory needs a service token. Ask IT Support to set LMS_SERVICE_TOKEN.';
  }
}

function shownRun(run: Run): DirectoryStatus['runs'][number] {
  const { problem, note } = run;
  return {
    asked_at: run.requestedAt.getTime(),
    ended_at: run.endedAt?.getTime() ?? run.swappedAt?.getTime() ?? null,
    outcome: isOpen(run)
      ? 'open'
      : run.swappedAt !== null
        ? 'done'
        : run.outcome === 'cancelled'
          ? 'cancelled'
          : 'failed',
    rows: run.counts === null ? null : Object.values(run.counts).reduce((sum, rows) => sum + rows, 0),
    message: problem?.message ?? note ?? '',
    next: problem?.next ?? '',
  };
}
