/** What operation sees: alive, ready, and the figures. None of it names people. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { CanvasClient } from '../canvas/types.ts';
import type { Database } from './database.ts';

/** Milliseconds that the database may take to answer before the server counts as not ready. */
const READY_MS = 2_000;

/**
 * Adds `/healthz` (the process answers), `/readyz` (503 while the database does not answer or the server stops) and
 * `/metrics` (Prometheus text).
 */
export function addHealth(
  app: FastifyInstance,
  parts: { database: Database; canvas: CanvasClient; stopping: () => boolean },
): void {
  const registry = createRegistry(app, parts.canvas);
  app.get(ENDPOINTS.health, () => ({ status: 'ok' }));
  app.get(ENDPOINTS.ready, async (_request, reply) => {
    const ready = !parts.stopping() && (await answers(parts.database));
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready' });
  });
  app.get(ENDPOINTS.metrics, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
}

async function answers(database: Database): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, READY_MS, false);
  });
  try {
    return await Promise.race([
      database.exec('SELECT 1').then(
        () => true,
        () => false,
      ),
      late,
    ]);
  } finally {
    clearTimeout(timer);
  }
}

function createRegistry(app: FastifyInstance, canvas: CanvasClient): Registry {
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
  countUp(registry, 'lms_admin_lms_calls_total', 'Calls to the LMS', () => canvas.stats().calls);
  countUp(
    registry,
    'lms_admin_lms_throttled_total',
    'Answers of the LMS that were throttling',
    () => canvas.stats().throttled,
  );
  countUp(
    registry,
    'lms_admin_lms_seconds_total',
    'Time spent waiting for the LMS, summed over calls',
    () => canvas.stats().time / 1_000,
  );
  const inFlight = new Gauge({
    name: 'lms_admin_lms_in_flight',
    help: 'Calls to the LMS running now',
    registers: [],
    collect() {
      this.set(canvas.stats().inFlight);
    },
  });
  registry.registerMetric(inFlight);
  return registry;
}

/** A counter that follows a sum kept elsewhere. */
function countUp(registry: Registry, name: string, help: string, sum: () => number): void {
  let seen = 0;
  const counter = new Counter({
    name,
    help,
    registers: [],
    collect() {
      const now = sum();
      this.inc(now - seen);
      seen = now;
    },
  });
  registry.registerMetric(counter);
}
