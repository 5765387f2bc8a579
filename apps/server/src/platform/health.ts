/** What operation sees: alive, ready, and the figures. None of it names people. */
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { versionAnswer } from '@lms-admin/contract/system';
import type { FastifyInstance } from 'fastify';
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

/** Milliseconds that the database may take to answer before the server counts as not ready. */
const READY_MS = 2_000;

/** How long `/readyz` waits for a system outside before it tells what was known last, in milliseconds. */
const SYSTEM_MS = 1_000;

/** Writing all figures takes some 40 ms: for how long they are given out as they are, in milliseconds. */
const METRICS_MS = 5_000;

const SILENT = 'The database does not answer. Check that it runs, and DATABASE_URL.';
const READ_ONLY = 'The database can only be read. Connect to the one that takes changes.';
const NEWER = 'A newer version of LMS Admin has used the database. Replace this server by that version.';
const NO_ROOM =
  'The folder LMS_ADMIN_DATA cannot be written to. Check the free space on its disk, and its permissions.';
export const WORK_HELD =
  'This database was restored from a backup: work that changes something outside waits until "lms-admin release".';
const STOPPING = 'The server is stopping.';

/** As much as the files of a database grow at once. */
const ROOM = Buffer.alloc(65_536, 'x');

const readiness = z.object({
  status: z.string(),
  /** Why it is not ready, and what helps. */
  problems: z.array(z.string()),
  /** What is not as usual, and keeps no one from working. */
  notes: z.array(z.string()),
  systems: z.array(systemState.extend({ system: z.string() })),
});

export interface HealthParts {
  database: Database;
  /** Folder in which there must be room: zips are laid down there, and the embedded database writes there. */
  dataFolder: string;
  /** Their state is told and no more: without the LMS the console still says so. */
  systems: readonly OutsideSystem[];
  stopping: () => boolean;
  metrics: MetricsReaders;
  /** Add figures of other parts. */
  figures: readonly ((registry: Registry) => void)[];
}

/**
 * Adds `/healthz` (the process answers), `/readyz` (503 and why, while the database does not answer, cannot be written to or belongs to a
 * newer version, the disk is full or the server stops; and the state of the systems outside), `/version` and `/metrics`
 * (Prometheus text; for this machine, `METRICS_FROM`, and those who have `METRICS_TOKEN`).
 */
export function addHealth(app: FastifyInstance, parts: HealthParts): void {
  const registry = createRegistry(app, parts.systems);
  const states = new Map<OutsideSystem, SystemState>();
  for (const register of parts.figures) register(registry);
  const open = { method: 'GET', for: 'public', takes: 'none' } as const;
  const health = bare(z.object({ status: z.string() }));
  addRoute(app, { ...open, path: ENDPOINTS.health, answers: health }, () => ({ status: 'ok' }));
  addRoute(app, { ...open, path: ENDPOINTS.ready, answers: bare(readiness) }, async (_request, reply) => {
    const [database, held, room, systems] = await Promise.all([
      databaseProblem(parts.database),
      // A database that does not answer is told of by the line before.
      inTime(
        isHeld(parts.database.db).catch(() => false),
        READY_MS,
      ),
      hasRoom(parts.dataFolder),
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
      notes: held === true ? [WORK_HELD] : [],
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

async function stateOf(one: OutsideSystem, states: Map<OutsideSystem, SystemState>) {
  const check = one.check().then((state) => {
    states.set(one, state);
    return state;
  });
  const state = await inTime(check, SYSTEM_MS);
  const known = state ?? states.get(one) ?? { state: 'down', ...outsideWords('timeout', one.system) };
  return { system: shortName(one.system), ...known };
}

/** Whether something can be written: a full disk lets everything be read. */
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

/** What keeps the database from being used; null: nothing. A standby, or one set to read-only, can do nothing for us. */
export async function databaseProblem(database: Database): Promise<string | null> {
  const asked = `SELECT current_setting('transaction_read_only') AS read_only, ${MIGRATED} AS migrated`;
  const query = database.exec(asked).then(
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
/** Read once: it comes with the version. */
function newest(): number {
  known ??= newestKnown();
  return known;
}

/** What the promise gives; null when it takes longer. */
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

/** The calls to systems outside, as their clients count them. */
function addSystems(registry: Registry, systems: readonly OutsideSystem[]): void {
  const each = (report: (label: { system: string }, stats: OutsideStats) => void) => {
    for (const one of systems) report({ system: shortName(one.system) }, one.stats());
  };
  const add = (metric: Counter | Gauge) => registry.registerMetric(metric);
  add(
    new Counter({
      name: 'lms_admin_outside_calls_total',
      help: 'Calls to systems outside, by how they ended',
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
      help: 'Time spent waiting for systems outside, summed over calls',
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
      help: 'Calls to systems outside running now',
      labelNames: ['system'],
      registers: [],
      collect() {
        each((label, { inFlight }) => this.set(label, inFlight));
      },
    }),
  );
}
