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
import { createImports } from './imports/imports.ts';
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
  const {
    site,
    db: database,
    canvas,
    timetable,
    zoom,
    qualtrics,
    identity,
    grants,
    sessions,
    files,
    objects,
  } = house;
  const { db } = database;
  log.info({ lms: config.lms.url, mode: config.practice ? 'practice' : 'production' }, 'starting');
  const tools = toolParts(house);
  const sources = importSources(house);
  const kinds = [
    importJob(house, sources),
    ...tools.flatMap((tool) => tool.kinds ?? []),
    ...(options.jobKinds ?? []),
  ];
  const listed = [...kinds, ...tools.flatMap((tool) => tool.recorded ?? [])];
  const figures = createJobFigures();
  const runner = createJobRunner({ ...house, timings: config.jobs, figures }, kinds);
  const jobs = new Jobs(house, runner, listed);
  const imports = createImports({ ...house, jobs }, sources);

  const app = await createHttp(config, log, site);
  addGuard(app, { sessions, site, mayUse });
  let stopping = false;
  addHealth(app, {
    database,
    dataFolder: config.dataFolder,
    metricsFrom: config.metricsFrom,
    systems: [canvas, timetable, zoom, qualtrics, objects],
    stopping: () => stopping,
    figures: [(registry) => figures.register(registry, db)],
  });
  addAuthRoutes(app, { ...house, limits });
  const withZoom = (admin: Admin, events: readonly ZoomEvent[]) => withRecords(house, admin, events);
  const beforeZoom = (admin: Admin) => beginRecords(house, admin);
  addLmsRoutes(app, {
    ...house,
    invoke: new Invoke({ ...house, imports, withZoom, beforeZoom }, options.lmsRegistry),
  });
  addJobRoutes(app, { jobs, files, identity }, kinds);
  addImportRoutes(app, imports);
  for (const tool of tools) await tool.addRoutes?.(app, jobs);
  await serveConsole(app, options.console === undefined ? consoleFolder() : options.console);

  const sweep = () => sessions.sweep().catch((error: unknown) => log.warn({ err: error }, 'sweep failed'));
  const sweeper = setInterval(() => void sweep(), SWEEP_MS);
  sweeper.unref();

  let endRounds: (() => Promise<void>) | null = null;
  let endWatch: (() => void) | null = null;
  let closing: Promise<void> | null = null;
  async function close(): Promise<void> {
    stopping = true;
    clearInterval(sweeper);
    const cut = setTimeout(() => app.server.closeAllConnections(), CLOSE_MS);
    await Promise.all([app.close(), runner.stop(), ...tools.map((tool) => tool.stop?.())]);
    clearTimeout(cut);
    endWatch?.();
    await endRounds?.();
    await canvas.close();
    await house.attachments.close();
    await timetable.close();
    await zoom.close();
    await qualtrics.close();
    await objects.close();
    await database.close();
  }

  return {
    app,
    routes: app.declared,
    services: { ...house, jobs },
    get url() {
      return site.origin;
    },
    async listen() {
      await app.listen({ port: config.port, host: config.host });
      const address = app.server.address();
      if (config.origin === null && typeof address === 'object' && address !== null) {
        site.origin = `http://localhost:${address.port}`;
      }
      if (config.otherKey !== null) log.info({ grants: await grants.resealAll() }, 'sealed with the new key');
      for (const tool of tools) await tool.start?.(jobs);
      await runner.start();
      // Without a service token the admins' own calls tell.
      if (grants.hasServiceToken) {
        endWatch = identity.watch(grants.rootToken(null), config.practice ? RESET_SEEN_MS : LMS_SEEN_MS);
      }
      void zoom.check().then(({ state, message, next }) => {
        if (state === 'down' && !stopping) log.warn({ system: zoom.system, next }, message);
      });
      endRounds = startRounds(log, [() => tidy(db), () => forgetOldJobs(db, files, listed)]);
      void sweep();
    },
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
