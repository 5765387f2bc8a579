/** Puts the back end together: the house, the jobs, the tools, and the routes over them. */

import type { ZoomEvent } from '@lms-admin/contract/zoom';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { mayUse } from './access/rights.ts';
import type { Admin } from './auth/admin.ts';
import { addGuard } from './auth/guard.ts';
import { addAuthRoutes, type LoginLimits } from './auth/routes.ts';
import { type House, openHouse } from './house.ts';
import { tidy } from './imports/housekeeping.ts';
import { importJob } from './imports/import-job.ts';
import { Imports } from './imports/imports.ts';
import { addImportRoutes } from './imports/routes.ts';
import { createJobFigures } from './jobs/figures.ts';
import { forgetOldJobs } from './jobs/forget.ts';
import { Jobs } from './jobs/jobs.ts';
import type { JobKind } from './jobs/kind.ts';
import { addJobRoutes } from './jobs/routes.ts';
import { createJobRunner } from './jobs/runner.ts';
import { Invoke } from './lms/invoke.ts';
import type { LmsRegistry } from './lms/policies.ts';
import { addLmsRoutes } from './lms/routes.ts';
import type { Config } from './platform/config.ts';
import { addHealth } from './platform/health.ts';
import { createHttp } from './platform/http.ts';
import { createLog } from './platform/log.ts';
import { startRounds } from './platform/rounds.ts';
import type { Declaration } from './platform/route.ts';
import { consoleFolder, serveConsole } from './platform/static.ts';
import { importSources, toolParts } from './tools.ts';
import { beginRecords, withRecords } from './zoom/table.ts';

export interface ServerOptions {
  /** The clock of sessions and caches, in milliseconds since 1970. */
  now?: () => number;
  log?: Logger;
  /** Limits of signing in that differ. */
  loginLimits?: Partial<LoginLimits>;
  /** Keeps the embedded database in memory, beginning with these files (tests). */
  databaseInMemory?: Blob;
  /** The LMS calls there are, where they are not the contract's (tests). */
  lmsRegistry?: LmsRegistry;
  /** Further kinds of jobs (tests). */
  jobKinds?: readonly JobKind[];
  /** Folder of the built console; null serves none. */
  console?: string | null;
}

export interface Server {
  app: FastifyInstance;
  /** Every route, as it declares itself. */
  routes: readonly Declaration[];
  /** What stands behind the routes, for tests that look or reach behind them. */
  services: House & { jobs: Jobs };
  /** Public origin; with port 0 known once it listens. */
  readonly url: string;
  listen(): Promise<void>;
  /** Takes no more requests, lets the running ones end, closes everything. May be called twice. */
  close(): Promise<void>;
}

/** A whole campus may come from one address: what is limited is the load, guessing would need far more. */
const LOGIN_LIMITS = { address: 600, browser: 30, person: 20 };
const SWEEP_MS = 60_000;
/** How often it is asked which LMS answers: a practice campus is reset by hand, a real one is rarely another. */
const RESET_SEEN_MS = 5_000;
const LMS_SEEN_MS = 300_000;
/** What the start says of sign-ins that cannot be read, with how many they are. */
const ANOTHER_KEY =
  'LMS_ADMIN_KEY has changed: these sign-ins cannot be read, and the people have to sign in again. To keep them, start with the former key as LMS_ADMIN_KEY_OLD';
/** Running requests get this long to end when the server stops. */
const CLOSE_MS = 3_000;

/**
 * Builds the server; it answers after `listen`.
 * @throws ConfigError for a broken access file or key; FolderInUse when another process has the data folder
 */
export async function buildServer(config: Config, options: ServerOptions = {}): Promise<Server> {
  const log = options.log ?? createLog(config.logLevel);
  const limits = { ...LOGIN_LIMITS, now: options.now ?? Date.now, ...options.loginLimits };
  const house = await openHouse(config, {
    log,
    now: limits.now,
    signInsPerMinute: limits.person,
    databaseInMemory: options.databaseInMemory ?? null,
  });
  log.info({ lms: config.lms.url, mode: config.practice ? 'practice' : 'production' }, 'starting');
  const work = assemble(house, options.jobKinds ?? []);
  const app = await createHttp(config, log, house.site);
  const stop = new AbortController();
  addSystemRoutes(app, house, work, stop.signal);
  addAuthRoutes(app, { ...house, limits });
  await addToolRoutes(app, house, work, options.lmsRegistry);
  await serveConsole(app, options.console === undefined ? consoleFolder() : options.console);
  return new BuiltServer(app, house, work, stop);
}

/** The jobs over the house, and the tools that bring their kinds. */
function assemble(house: House, furtherKinds: readonly JobKind[]) {
  const tools = toolParts(house);
  const sources = importSources(house);
  const kinds = [importJob(house, sources), ...tools.flatMap((tool) => tool.kinds ?? []), ...furtherKinds];
  const listed = [...kinds, ...tools.flatMap((tool) => tool.recorded ?? [])];
  const figures = createJobFigures();
  const runner = createJobRunner({ ...house, timings: house.config.jobs, figures }, kinds);
  const jobs = new Jobs(house, runner, listed);
  const imports = new Imports({ ...house, jobs }, sources);
  return { tools, kinds, listed, figures, runner, jobs, imports };
}

type Work = ReturnType<typeof assemble>;

/** The guard of all routes, and what is asked about the server itself. */
function addSystemRoutes(app: FastifyInstance, house: House, { figures }: Work, stop: AbortSignal): void {
  const { config, db: database, canvas, timetable, zoom, qualtrics, objects, sessions, site } = house;
  addGuard(app, { sessions, site, mayUse });
  addHealth(app, {
    database,
    dataFolder: config.dataFolder,
    metricsFrom: config.metricsFrom,
    systems: [canvas, timetable, zoom, qualtrics, objects],
    stopping: () => stop.aborted,
    figures: [(registry) => figures.register(registry, database.db)],
  });
}

async function addToolRoutes(
  app: FastifyInstance,
  house: House,
  work: Work,
  registry?: LmsRegistry,
): Promise<void> {
  const { tools, kinds, jobs, imports } = work;
  const withZoom = (admin: Admin, events: readonly ZoomEvent[]) => withRecords(house, admin, events);
  const beforeZoom = (admin: Admin) => beginRecords(house, admin);
  const invoke = new Invoke({ ...house, imports, withZoom, beforeZoom }, registry);
  addLmsRoutes(app, { ...house, invoke });
  addJobRoutes(app, { ...house, jobs }, kinds);
  addImportRoutes(app, imports);
  for (const tool of tools) await tool.addRoutes?.(app, jobs);
}

class BuiltServer implements Server {
  readonly app: FastifyInstance;
  readonly routes: readonly Declaration[];
  readonly services: House & { jobs: Jobs };
  readonly #work: Work;
  readonly #stop: AbortController;
  readonly #sweeper: NodeJS.Timeout;
  #endRounds: (() => Promise<void>) | null = null;
  #endWatch: (() => void) | null = null;
  #closing: Promise<void> | null = null;

  constructor(app: FastifyInstance, house: House, work: Work, stop: AbortController) {
    this.app = app;
    this.routes = app.declared;
    this.services = { ...house, jobs: work.jobs };
    this.#work = work;
    this.#stop = stop;
    this.#sweeper = setInterval(() => void this.#sweep(), SWEEP_MS);
    this.#sweeper.unref();
  }

  get url(): string {
    return this.services.site.origin;
  }

  async listen(): Promise<void> {
    const { config, log, site, grants, db, files } = this.services;
    const { tools, jobs, runner, listed } = this.#work;
    await this.app.listen({ port: config.port, host: config.host });
    const address = this.app.server.address();
    if (config.origin === null && typeof address === 'object' && address !== null) {
      site.origin = `http://localhost:${address.port}`;
    }
    if (config.otherKey !== null) log.info({ grants: await grants.resealAll() }, 'sealed with the new key');
    const unreadable = await grants.countUnreadable();
    if (unreadable > 0) log.warn({ grants: unreadable }, ANOTHER_KEY);
    for (const tool of tools) await tool.start?.(jobs);
    await runner.start();
    this.#watchSystems();
    this.#endRounds = startRounds(log, [() => tidy(db.db), () => forgetOldJobs(db.db, files, listed)]);
    void this.#sweep();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #watchSystems(): void {
    const { config, log, identity, grants, zoom } = this.services;
    // Without a service token the admins' own calls tell.
    if (grants.hasServiceToken) {
      const everyMs = config.practice ? RESET_SEEN_MS : LMS_SEEN_MS;
      this.#endWatch = identity.watch(grants.rootToken(null), everyMs);
    }
    void zoom.check().then(({ state, message, next }) => {
      if (state === 'down' && !this.#stop.signal.aborted) log.warn({ system: zoom.system, next }, message);
    });
  }

  #sweep(): Promise<void> {
    const { sessions, log } = this.services;
    return sessions.sweep().catch((error: unknown) => log.warn({ err: error }, 'sweep failed'));
  }

  async #close(): Promise<void> {
    const { canvas, attachments, timetable, zoom, qualtrics, objects, db } = this.services;
    const { runner, tools } = this.#work;
    this.#stop.abort();
    clearInterval(this.#sweeper);
    const cut = setTimeout(() => this.app.server.closeAllConnections(), CLOSE_MS);
    await Promise.all([this.app.close(), runner.stop(), ...tools.map((tool) => tool.stop?.())]);
    clearTimeout(cut);
    this.#endWatch?.();
    await this.#endRounds?.();
    await canvas.close();
    await attachments.close();
    await timetable.close();
    await zoom.close();
    await qualtrics.close();
    await objects.close();
    await db.close();
  }
}
