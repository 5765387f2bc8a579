/** Puts the back end together: services from the inside out, then the routes over them. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { AccountTrees } from './access/account-tree.ts';
import { loadAccessFile } from './access/records.ts';
import { createScope } from './access/scope.ts';
import { createAudit } from './audit/audit.ts';
import { createGrants } from './auth/grants.ts';
import { addGuard } from './auth/guard.ts';
import { createOAuth } from './auth/oauth.ts';
import { addAuthRoutes } from './auth/routes.ts';
import { createSessions } from './auth/sessions.ts';
import { createSignIn } from './auth/sign-in.ts';
import { createCanvasClient } from './canvas/client.ts';
import { createPlans } from './enrollments/plans.ts';
import { RoleLabels } from './enrollments/role-labels.ts';
import { addPlanRoutes } from './enrollments/routes.ts';
import { createSectionPlans } from './enrollments/section-plans.ts';
import { startHousekeeping } from './imports/housekeeping.ts';
import { createImports } from './imports/imports.ts';
import { addImportRoutes } from './imports/routes.ts';
import { createImportRunner } from './imports/runner.ts';
import { createInvoke } from './lms/invoke.ts';
import { addLmsRoutes } from './lms/routes.ts';
import type { Config } from './platform/config.ts';
import { openDatabase } from './platform/database.ts';
import { addHealth } from './platform/health.ts';
import { createHttp } from './platform/http.ts';
import { openJobs } from './platform/jobs.ts';
import { createLog } from './platform/log.ts';
import { loadSecrets } from './platform/secrets.ts';
import { consoleFolder, serveConsole } from './platform/static.ts';
import type { CoreServices, Services } from './services.ts';
import { addSisFileRoutes } from './sis-files/routes.ts';
import { createSisFiles } from './sis-files/sis-files.ts';
import { clearSpool } from './sis-files/zip.ts';
import { People } from './users/people.ts';
import { addPeopleRoutes } from './users/routes.ts';

export interface ServerOptions {
  /** The clock of sessions and caches, in milliseconds since 1970. */
  now?: () => number;
  log?: Logger;
  /** Most sign-in requests a minute from one address. */
  loginsPerMinute?: number;
  /** Keeps the embedded database in memory (tests). */
  databaseInMemory?: boolean;
  /** Folder of the built console; null serves none. */
  console?: string | null;
}

export interface Server {
  app: FastifyInstance;
  services: Services;
  /** Public origin; with port 0 known once it listens. */
  readonly url: string;
  listen(): Promise<void>;
  /** Takes no more requests, lets the running ones end, closes everything. May be called twice. */
  close(): Promise<void>;
}

const LOGINS_PER_MINUTE = 60;
const SWEEP_MS = 60_000;
/** Age from which a laid down upload counts as left behind. */
const SPOOL_MS = 3_600_000;
/** Running requests get this long to end when the server stops. */
const CLOSE_MS = 3_000;

/**
 * Builds the server; it answers after `listen`.
 * @throws ConfigError for a broken access file or key; FolderInUse when another process has the data folder
 */
export async function buildServer(config: Config, options: ServerOptions = {}): Promise<Server> {
  const log = options.log ?? createLog(config.logLevel);
  const now = options.now ?? Date.now;
  const site = { origin: config.origin ?? '' };
  const access = await loadAccessFile(config.accessFile);
  const secrets = await loadSecrets(config);
  const database = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: options.databaseInMemory ? null : config.dataFolder,
  });
  const { db } = database;
  const canvas = createCanvasClient(config.lms);
  const oauth = createOAuth(config.lms);
  const audit = createAudit(db, log);
  const grants = createGrants({ db, canvas, oauth, secrets, serviceToken: config.lms.serviceToken, log });
  const sessions = createSessions({ db, access, grants, now });
  const trees = new AccountTrees({ canvas, hasServiceToken: grants.hasServiceToken, now });
  const scope = createScope({ canvas, trees, now });
  const core: CoreServices = {
    config,
    log,
    db: database,
    canvas,
    access,
    scope,
    sessions,
    grants,
    audit,
    site,
  };
  const jobs = await openJobs(database, log);
  const runner = createImportRunner(core, jobs);
  const people = new People(canvas);
  const imports = createImports({ ...core, people }, runner);
  const labels = new RoleLabels(canvas);
  const plans = createPlans({ ...core, people, labels });
  const sectionPlans = createSectionPlans({ ...core, people, labels });
  const services: Services = { ...core, imports };

  const app = await createHttp(config, log, site);
  addGuard(app, sessions);
  let stopping = false;
  addHealth(app, { database, canvas, stopping: () => stopping });
  const signIn = createSignIn({ db, canvas, oauth, secrets, access, grants, sessions, audit, site, now });
  addAuthRoutes(app, {
    signIn,
    sessions,
    site,
    loginsPerMinute: options.loginsPerMinute ?? LOGINS_PER_MINUTE,
  });
  addLmsRoutes(app, { services, invoke: createInvoke({ ...services, trees }) });
  addPlanRoutes(app, plans, sectionPlans);
  addImportRoutes(app, imports);
  addPeopleRoutes(app, people);
  await addSisFileRoutes(app, createSisFiles({ ...core, people }));
  await serveConsole(app, options.console === undefined ? consoleFolder() : options.console);

  const sweep = () => sessions.sweep().catch((error: unknown) => log.warn({ err: error }, 'sweep failed'));
  const sweeper = setInterval(() => void sweep(), SWEEP_MS);
  sweeper.unref();

  let closing: Promise<void> | null = null;
  async function close(): Promise<void> {
    stopping = true;
    clearInterval(sweeper);
    const cut = setTimeout(() => app.server.closeAllConnections(), CLOSE_MS);
    await Promise.all([app.close(), runner.stop()]);
    clearTimeout(cut);
    await jobs.stop();
    await canvas.close();
    await database.close();
  }

  return {
    app,
    services,
    get url() {
      return site.origin;
    },
    async listen() {
      await app.listen({ port: config.port, host: config.host });
      const address = app.server.address();
      if (config.origin === null && typeof address === 'object' && address !== null) {
        site.origin = `http://localhost:${address.port}`;
      }
      // The embedded database's folder is ours alone; beside PostgreSQL another process may be unpacking.
      await clearSpool(config.dataFolder, database.kind === 'pglite' ? 0 : SPOOL_MS);
      await runner.start();
      await startHousekeeping(core, jobs);
      void sweep();
    },
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
