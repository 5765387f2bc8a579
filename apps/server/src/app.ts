/** Builds the back end: services, jobs, tools, and the routes that use them. */

import type { ZoomEvent } from '@lms-admin/contract/zoom';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { mayUse } from './access/rights.ts';
import type { Admin } from './auth/admin.ts';
import { addGuard } from './auth/guard.ts';
import { addAuthRoutes, type LoginLimits } from './auth/routes.ts';
import { tidy } from './imports/housekeeping.ts';
import { importJob } from './imports/import-job.ts';
import { Imports } from './imports/imports.ts';
import { addImportRoutes } from './imports/routes.ts';
import { createJobFigures } from './jobs/figures.ts';
import { forgetOldJobs } from './jobs/forget.ts';
import { Jobs } from './jobs/jobs.ts';
import { type JobKind, keptDays } from './jobs/kind.ts';
import { addJobRoutes } from './jobs/routes.ts';
import { createJobRunner } from './jobs/runner.ts';
import { Invoke } from './lms/invoke.ts';
import type { LmsRegistry } from './lms/policies.ts';
import { addLmsRoutes } from './lms/routes.ts';
import { openDoor } from './operation/door.ts';
import { addOperationFigures, type TokenWatch, watchToken } from './operation/figures.ts';
import { removeOld } from './operation/personal/old.ts';
import { sayRestored } from './operation/restored.ts';
import { addSystemPage } from './operation/system/routes.ts';
import type { Config } from './platform/config.ts';
import { addHealth, WORK_HELD } from './platform/health.ts';
import { createHttp } from './platform/http.ts';
import { isHeld } from './platform/installation.ts';
import { createLog, logDestination } from './platform/log.ts';
import { startRounds } from './platform/rounds.ts';
import type { Declaration } from './platform/route.ts';
import { consoleFolder, serveConsole } from './platform/static.ts';
import { closeServices, openServices, type Services } from './services.ts';
import { importSources, toolParts } from './tools.ts';
import { beginRecords, withRecords } from './zoom/table.ts';

export interface ServerOptions {
  /** Clock of sessions and caches, in milliseconds since 1970. */
  now?: () => number;
  log?: Logger;
  /** Overrides of the sign-in limits. */
  loginLimits?: Partial<LoginLimits>;
  /** Keeps the embedded database in memory, starting from these files (tests). */
  databaseInMemory?: Blob;
  /** Milliseconds to wait for a PostgreSQL server that is starting; none by default. */
  databaseStartMs?: number;
  /** Replaces the LMS calls of the contract (tests). */
  lmsRegistry?: LmsRegistry;
  /** Additional kinds of jobs (tests). */
  jobKinds?: readonly JobKind[];
  /** Folder of the built console; null if it is not served. */
  console?: string | null;
}

export interface Server {
  app: FastifyInstance;
  /** All routes with their declarations. */
  routes: readonly Declaration[];
  /** Services behind the routes, for tests that inspect or change them. */
  services: Services & { jobs: Jobs };
  /** Public origin. With port 0, it is known once the server listens. */
  readonly url: string;
  listen(): Promise<void>;
  /** Stops accepting requests, waits for running ones and closes everything. Can be called twice. */
  close(): Promise<void>;
}

/** A whole campus may share one address, so this only limits the load; guessing a code would need far more requests. */
const LOGIN_LIMITS = { address: 600, browser: 30, person: 20 };
const SWEEP_MS = 60_000;
/** Interval in milliseconds for checking which LMS answers: a practice LMS can be reset at any time. */
const RESET_SEEN_MS = 5_000;
const LMS_SEEN_MS = 300_000;
/** Startup warning about unreadable sign-ins, with their number. */
const ANOTHER_KEY =
  'LMS_ADMIN_KEY has changed: these sign-ins cannot be read, and the people have to sign in again. To keep the sign-ins, start with the previous key in LMS_ADMIN_KEY_OLD';
/** Milliseconds within which running requests must finish when the server stops. */
const CLOSE_MS = 3_000;

/**
 * Builds the server; it answers after `listen`.
 * @throws ConfigError for a broken access file or key; FolderInUse if another process uses the data folder
 */
export async function buildServer(config: Config, options: ServerOptions = {}): Promise<Server> {
  const log = options.log ?? createLog(config.logLevel, await logDestination(config.logFormat));
  const limits = { ...LOGIN_LIMITS, now: options.now ?? Date.now, ...options.loginLimits };
  const services = await openServices(config, {
    log,
    now: limits.now,
    signInsPerMinute: limits.person,
    databaseInMemory: options.databaseInMemory ?? null,
    databaseStartMs: options.databaseStartMs ?? 0,
  });
  log.info({ lms: config.lms.url, mode: config.practice ? 'practice' : 'production' }, 'starting');
  const work = assemble(services, options.jobKinds ?? []);
  const app = await createHttp(config, log, services.site);
  const stop = new AbortController();
  const token = watchToken(services.canvas, config.lms.serviceToken);
  addSystemRoutes(app, services, work, token, stop.signal);
  addSystemPage(app, {
    ...services,
    kinds: work.listed,
    jobs: work.jobs,
    systems: {
      lms: services.canvas,
      others: [services.zoom, services.qualtrics, services.objects, services.timetable],
    },
    token,
    env: process.env,
  });
  addAuthRoutes(app, { ...services, limits });
  await addToolRoutes(app, services, work, options.lmsRegistry);
  await serveConsole(app, options.console === undefined ? consoleFolder() : options.console);
  return new BuiltServer(app, services, work, token, stop);
}

/** Creates the jobs and the tools that add their kinds. No job runs before the runner is started. */
export function assemble(services: Services, furtherKinds: readonly JobKind[] = []) {
  const tools = toolParts(services);
  const sources = importSources(services);
  const kinds = [importJob(services, sources), ...tools.flatMap((tool) => tool.kinds ?? []), ...furtherKinds];
  const listed = [...kinds, ...tools.flatMap((tool) => tool.recorded ?? [])];
  const figures = createJobFigures();
  const runner = createJobRunner({ ...services, timings: services.config.jobs, figures }, kinds);
  const jobs = new Jobs(services, runner, listed);
  const imports = new Imports({ ...services, jobs }, sources);
  return { tools, kinds, listed, figures, runner, jobs, imports };
}

type Work = ReturnType<typeof assemble>;

/** Adds the guard of all routes and the routes about the server itself. */
function addSystemRoutes(
  app: FastifyInstance,
  services: Services,
  { figures }: Work,
  token: TokenWatch,
  stop: AbortSignal,
): void {
  const {
    config,
    db: database,
    canvas,
    timetable,
    zoom,
    qualtrics,
    objects,
    sessions,
    site,
    now,
    directory,
  } = services;
  addGuard(app, { sessions, site, now, mayUse });
  addHealth(app, {
    database,
    site,
    dataFolder: config.dataFolder,
    metrics: { from: config.metricsFrom, token: config.metricsToken },
    systems: [canvas, timetable, zoom, qualtrics, objects],
    stopping: () => stop.aborted,
    figures: [
      (registry) => figures.register(registry, database.db),
      (registry) => addOperationFigures(registry, { config, db: database, canvas, token, directory, now }),
    ],
  });
}

async function addToolRoutes(
  app: FastifyInstance,
  services: Services,
  work: Work,
  registry?: LmsRegistry,
): Promise<void> {
  const { tools, kinds, jobs, imports } = work;
  const withZoom = (admin: Admin, events: readonly ZoomEvent[]) => withRecords(services, admin, events);
  const beforeZoom = (admin: Admin) => beginRecords(services, admin);
  const invoke = new Invoke({ ...services, imports, withZoom, beforeZoom }, registry);
  addLmsRoutes(app, { ...services, invoke });
  addJobRoutes(app, { ...services, jobs }, kinds);
  addImportRoutes(app, imports);
  for (const tool of tools) await tool.addRoutes?.(app, jobs);
}

class BuiltServer implements Server {
  readonly app: FastifyInstance;
  readonly routes: readonly Declaration[];
  readonly services: Services & { jobs: Jobs };
  readonly #work: Work;
  readonly #token: TokenWatch;
  readonly #stop: AbortController;
  readonly #sweeper: NodeJS.Timeout;
  #endRounds: (() => Promise<void>) | null = null;
  #endAccess: (() => void) | null = null;
  #endWatch: (() => void) | null = null;
  #closeDoor: (() => Promise<void>) | null = null;
  #closing: Promise<void> | null = null;

  constructor(
    app: FastifyInstance,
    services: Services,
    work: Work,
    token: TokenWatch,
    stop: AbortController,
  ) {
    this.app = app;
    this.routes = app.declared;
    this.services = { ...services, jobs: work.jobs };
    this.#work = work;
    this.#token = token;
    this.#stop = stop;
    this.#sweeper = setInterval(() => void this.#sweep(), SWEEP_MS);
    this.#sweeper.unref();
  }

  get url(): string {
    return this.services.site.origin;
  }

  async listen(): Promise<void> {
    const { config, log, site, grants, db, files, access } = this.services;
    const { tools, jobs, runner, listed } = this.#work;
    await this.app.listen({ port: config.port, host: config.host });
    const address = this.app.server.address();
    if (config.origin === null && typeof address === 'object' && address !== null) {
      site.origin = `http://localhost:${address.port}`;
    }
    if (config.otherKey !== null) log.info({ grants: await grants.resealAll() }, 'sealed with the new key');
    const unreadable = await grants.countUnreadable();
    if (unreadable > 0) log.warn({ grants: unreadable }, ANOTHER_KEY);
    this.#closeDoor = db.ownFolder
      ? await openDoor({ ...this.services, services: { ...this.services, listed } })
      : null;
    if (await isHeld(db.db)) log.warn(WORK_HELD);
    for (const tool of tools) await tool.start?.(jobs);
    this.#endAccess = access.watch();
    await runner.start();
    this.#watchSystems();
    const { retention } = config;
    this.#endRounds = startRounds(log, [
      () => tidy(db.db),
      () => forgetOldJobs(db.db, files, listed, keptDays(retention)),
      () => removeOld(db.db, retention),
      () => this.#token.look(),
    ]);
    void this.#sweep();
    void this.#sayRestored();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #watchSystems(): void {
    const { config, log, identity, grants, zoom } = this.services;
    // Without a service token, the admins' own calls show which LMS answers.
    if (grants.hasServiceToken) {
      const everyMs = config.practice ? RESET_SEEN_MS : LMS_SEEN_MS;
      this.#endWatch = identity.watch(grants.rootToken(null), everyMs);
    }
    void zoom.check().then(({ state, message, next }) => {
      if (state === 'down' && !this.#stop.signal.aborted) log.warn({ system: zoom.system, next }, message);
    });
  }

  #sayRestored(): Promise<void> {
    const { db, canvas, log, grants } = this.services;
    const token = grants.hasServiceToken ? grants.rootToken(null) : null;
    return sayRestored({ db: db.db, canvas, log, token, stop: this.#stop.signal }).catch((error: unknown) =>
      log.warn({ err: error }, 'the state after the restore could not be reported'),
    );
  }

  #sweep(): Promise<void> {
    const { sessions, log } = this.services;
    return sessions
      .sweep()
      .catch((error: unknown) => log.warn({ err: error }, 'the regular clean-up failed'));
  }

  async #close(): Promise<void> {
    const { runner, tools } = this.#work;
    this.#stop.abort();
    clearInterval(this.#sweeper);
    const cut = setTimeout(() => this.app.server.closeAllConnections(), CLOSE_MS);
    await Promise.all([this.app.close(), runner.stop(), ...tools.map((tool) => tool.stop?.())]);
    clearTimeout(cut);
    this.#endWatch?.();
    this.#endAccess?.();
    await this.#closeDoor?.();
    await this.#endRounds?.();
    await closeServices(this.services);
  }
}
