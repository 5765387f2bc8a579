/** Figures about jobs for `/metrics`: how many are in each state, how long they wait and how they end. */
import type { JobOutcome } from '@lms-admin/contract/jobs';
import { isNull, sql } from 'drizzle-orm';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Db } from '../platform/database.ts';
import { jobs } from '../platform/schema.ts';

export interface JobFigures {
  /** Counts a job that is started for the first time. */
  begun(kind: string, waitedMs: number): void;
  ended(kind: string, outcome: JobOutcome): void;
  /** Adds these figures to the registry. */
  register(registry: Registry, db: Db): void;
}

export function createJobFigures(): JobFigures {
  const waited = new Histogram({
    name: 'lms_admin_job_wait_seconds',
    help: 'Time that jobs waited before a server started them',
    labelNames: ['kind'],
    buckets: [0.1, 0.5, 2, 10, 60, 600, 3_600],
    registers: [],
  });
  const ended = new Counter({
    name: 'lms_admin_jobs_ended_total',
    help: 'Jobs that this process has ended, by outcome',
    labelNames: ['kind', 'outcome'],
    registers: [],
  });
  return {
    begun: (kind, waitedMs) => waited.observe({ kind }, Math.max(0, waitedMs) / 1_000),
    ended: (kind, outcome) => ended.inc({ kind, outcome }),
    register(registry, db) {
      registry.registerMetric(waited);
      registry.registerMetric(ended);
      const oldest = new Gauge({
        name: 'lms_admin_jobs_oldest_seconds',
        help: 'Age of the oldest open job of each kind and state',
        labelNames: ['kind', 'state'],
        registers: [registry],
      });
      const open = new Gauge({
        name: 'lms_admin_jobs',
        help: 'Jobs that have not ended, by kind and state',
        labelNames: ['kind', 'state'],
        registers: [],
        async collect() {
          const rows = await db
            .select({
              kind: jobs.kind,
              state: jobs.state,
              count: sql<number>`count(*)::int`,
              seconds: sql<number>`extract(epoch from now() - min(${jobs.createdAt}))::float8`,
            })
            .from(jobs)
            .where(isNull(jobs.endedAt))
            .groupBy(jobs.kind, jobs.state);
          this.reset();
          oldest.reset();
          for (const { kind, state, count, seconds } of rows) {
            this.set({ kind, state }, count);
            oldest.set({ kind, state }, seconds);
          }
        },
      });
      registry.registerMetric(open);
    },
  };
}
