/** Health and figures for operators: alive, ready, metrics. None of it names people. */
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { versionAnswer } from '@lms-admin/contract/system';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { z } from 'zod';
import { bare, text } from './answers.ts';
import { cached } from './cached.ts';
import type { Database } from './database.ts';
import { isHeld } from './installation.ts';
import { type MetricsReaders, metricsDoor } from './metrics-door.ts';
import { MIGRATED, newestKnown } from './migrations.ts';
import {
  type OutsideStats,
  type OutsideSystem,
  outsideWords,
  type SystemState,
  shortName,
  systemState,
} from './outside.ts';
import { RELEASE } from './release.ts';
import { addRoute } from './route.ts';

/** Milliseconds within which the database must answer; otherwise the server counts as not ready. */
const READY_MS = 2_000;

/** How long `/readyz` waits for another system before it reports the last known state, in milliseconds. */
const SYSTEM_MS = 1_000;

/** How long a page of figures is reused: writing it takes about 40 ms (milliseconds). */
const METRICS_MS = 5_000;

const SILENT = 'The database does not answer. Check that it is running, and check DATABASE_URL.';
const READ_ONLY = 'The database is read-only. Connect to one that accepts changes.';
const NEWER = 'A newer version of LMS Admin has used the database. Update this server to that version.';
const NO_ROOM =
  'The folder LMS_ADMIN_DATA cannot be written to. Check the free space on its disk, and its permissions.';
export const WORK_HELD =
  'This database was restored from a backup. Work that changes other systems waits until you run "lms-admin release".';
/** Note about a request that arrived by the public address without the address of the browser. */
export const NO_ADDRESS =
  'The proxy does not pass on the address of the browser (X-Forwarded-For), so all requests seem to come from the proxy.';
const STOPPING = 'The server is stopping.';

/** The size by which a database file grows in one step. */
const ROOM = Buffer.alloc(65_536, 'x');

const readiness = z.object({
  status: z.string(),
  /** Why the server is not ready, and how to solve it. */
  problems: z.array(z.string()),
  /** Unusual conditions that do not stop anyone's work. */
  notes: z.array(z.string()),
  systems: z.array(systemState.extend({ system: z.string() })),
});

export interface HealthParts {
  database: Database;
  site: { origin: string };
  /** Folder that needs free space: for zips, and for the embedded database. */
  dataFolder: string;
  /** Reported only: without the LMS the console still works, and says so. */
  systems: readonly OutsideSystem[];
  stopping: () => boolean;
  metrics: MetricsReaders;
  /** Functions that add the figures of other parts. */
  figures: readonly ((registry: Registry) => void)[];
}

/**
 * Adds `/healthz` (the process answers), `/readyz` (503 and the reason if the database does not answer, is read-only or
 * belongs to a newer version, the disk is full or the server is stopping; also the state of other systems), `/version`
 * and `/metrics` (Prometheus text; for this machine, `METRICS_FROM`, and holders of `METRICS_TOKEN`).
 */
export function addHealth(app: FastifyInstance, parts: HealthParts): void {
  const registry = createRegistry(app, parts.systems);
  const states = new Map<OutsideSystem, SystemState>();
  for (const register of parts.figures) register(registry);
  const open = { method: 'GET', for: 'public', takes: 'none' } as const;
  const health = bare(z.object({ status: z.string() }));
  addRoute(app, { ...open, path: ENDPOINTS.health, answers: health }, () => ({ status: 'ok' }));
  addRoute(app, { ...open, path: ENDPOINTS.ready, answers: bare(readiness) }, async (request, reply) => {
    const [database, held, room, systems] = await Promise.all([
      databaseProblem(parts.database),
      // A database that does not answer is already reported above.
      inTime(
        isHeld(parts.database.db).catch(() => false),
        READY_MS,
      ),
      hasRoom(parts.dataFolder).then((room) => room && hasRoom(join(parts.dataFolder, 'uploads'))),
      Promise.all(parts.systems.map((one) => stateOf(one, states))),
    ]);
    const problems = [
      ...(database === null ? [] : [database]),
      ...(room ? [] : [NO_ROOM]),
      ...(parts.stopping() ? [STOPPING] : []),
    ];
    const ready = problems.length === 0;
    reply.code(ready ? 200 : 503);
    return {
      status: ready ? 'ready' : 'not ready',
      problems,
      notes: [
        ...(held === true ? [WORK_HELD] : []),
        ...(isWithoutAddress(request, parts.site.origin) ? [NO_ADDRESS] : []),
      ],
      systems,
    };
  });
  const requireReader = metricsDoor(parts.metrics);
  const metrics = cached(METRICS_MS, () => registry.metrics());
  addRoute(app, { ...open, path: ENDPOINTS.metrics, answers: text(registry.contentType) }, (request) => {
    requireReader(request);
    return metrics();
  });
  addRoute(app, { ...open, path: ENDPOINTS.version, answers: bare(versionAnswer) }, () => ({
    version: RELEASE,
  }));
}

/** Returns whether a proxy with https has passed on a request without the address of the browser. */
function isWithoutAddress({ headers }: FastifyRequest, origin: string): boolean {
  const { protocol, host } = new URL(origin);
  return protocol === 'https:' && headers.host === host && headers['x-forwarded-for'] === undefined;
}

async function stateOf(one: OutsideSystem, states: Map<OutsideSystem, SystemState>) {
  const check = one.check().then((state) => {
    states.set(one, state);
    return state;
  });
  const state = await inTime(check, SYSTEM_MS);
  const known = state ?? states.get(one) ?? { state: 'down', ...outsideWords('timeout', one.system) };
  return { system: shortName(one.system), ...known };
}

/** Returns whether the folder can be written to: on a full disk, reading still works. */
export async function hasRoom(folder: string): Promise<boolean> {
  const path = join(folder, `room-${randomUUID()}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(path, ROOM, { mode: 0o600, flag: 'wx' });
    return true;
  } catch {
    return false;
  } finally {
    await rm(path, { force: true }).catch(() => {});
  }
}

/** Returns the reason why the database cannot be used, or null. A standby, or one set to read-only, cannot be used. */
export async function databaseProblem(database: Database): Promise<string | null> {
  const statement = `SELECT current_setting('transaction_read_only') AS read_only, ${MIGRATED} AS migrated`;
  const query = database.exec(statement).then(
    ({ rows: [row] }) => {
      if (row?.read_only !== 'off') return READ_ONLY;
      return Number(row.migrated ?? 0) > newest() ? NEWER : null;
    },
    () => SILENT,
  );
  const answered = await inTime(
    query.then((problem) => ({ problem })),
    READY_MS,
  );
  return answered === null ? SILENT : answered.problem;
}

let known: number | null = null;
/** Returns the newest known migration, which is read once: it changes only with the version. */
function newest(): number {
  known ??= newestKnown();
  return known;
}

/** Returns the promise's value; null if it takes longer. */
async function inTime<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function createRegistry(app: FastifyInstance, systems: readonly OutsideSystem[]): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'lms_admin_request_seconds',
    help: 'Time to answer requests, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'other',
      status: String(reply.statusCode),
    };
    requests.observe(labels, reply.elapsedTime / 1_000);
  });
  addSystems(registry, systems);
  return registry;
}

/** Adds the counts of calls to other systems. */
function addSystems(registry: Registry, systems: readonly OutsideSystem[]): void {
  const each = (report: (label: { system: string }, stats: OutsideStats) => void) => {
    for (const one of systems) report({ system: shortName(one.system) }, one.stats());
  };
  const add = (metric: Counter | Gauge) => registry.registerMetric(metric);
  add(
    new Counter({
      name: 'lms_admin_outside_calls_total',
      help: 'Calls to outside systems, by outcome',
      labelNames: ['system', 'outcome'],
      registers: [],
      collect() {
        this.reset();
        each((label, { outcomes }) => {
          for (const [outcome, count] of Object.entries(outcomes)) this.inc({ ...label, outcome }, count);
        });
      },
    }),
  );
  add(
    new Counter({
      name: 'lms_admin_outside_seconds_total',
      help: 'Total time spent waiting for outside systems',
      labelNames: ['system'],
      registers: [],
      collect() {
        this.reset();
        each((label, { time }) => this.inc(label, time / 1_000));
      },
    }),
  );
  add(
    new Gauge({
      name: 'lms_admin_outside_in_flight',
      help: 'Calls to outside systems that are running now',
      labelNames: ['system'],
      registers: [],
      collect() {
        each((label, { inFlight }) => this.set(label, inFlight));
      },
    }),
  );
}
