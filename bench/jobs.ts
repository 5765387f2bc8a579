/** Overhead of jobs: for each item on both databases, and for the list of many jobs. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import pino from 'pino';
import { createFiles, databaseStore } from '../apps/server/src/files/files.ts';
import { createJobFigures } from '../apps/server/src/jobs/figures.ts';
import { Jobs } from '../apps/server/src/jobs/jobs.ts';
import type { JobKind } from '../apps/server/src/jobs/kind.ts';
import { createJobRunner } from '../apps/server/src/jobs/runner.ts';
import type { Database } from '../apps/server/src/platform/database.ts';
import { openDatabase } from '../apps/server/src/platform/open-database.ts';
import { jobItems, jobs as jobsTable } from '../apps/server/src/platform/schema.ts';
import { type Figure, median, timed, times } from './support.ts';

const JOBS = 1_000;
const ITEMS = 100;
const LISTED = 10_000;
/** Number of statements used to calculate the limit. */
const PLAIN = 5_000;

const admin = {
  login: 'bench@northbridge.example',
  name: 'Bench',
  canvasUserId: 1,
  record: { perm: 'ALL' },
  grantId: randomUUID(),
} as never;

/** A job that does not use outside systems, so that only the mechanism is measured. */
const kind: JobKind = {
  id: 'bench',
  atOnce: 4,
  keeps: 'work',
  listed: true,
  changes: false,
  begins: 'Beginning',
  untouched: '',
  mayCancel: async () => true,
  async run(work) {
    const items = Array.from({ length: ITEMS }, (_, index) => ({ label: `item ${index}`, input: null }));
    await work.items.plan(items);
    await work.items.each({ do: async () => ({ state: 'done' }), find: async () => null });
    return { outcome: 'done' };
  },
};

function mechanism(database: Database) {
  const nothing = async () => {};
  const grants = { hasServiceToken: true, releaseWhenIdle: nothing } as never;
  const audit = { write: nothing } as never;
  const log = pino({ level: 'error' });
  const parts = {
    db: database,
    log,
    grants,
    audit,
    timings: { leaseMs: 15_000, giveUpAfterMs: 60_000, signInTimeoutMs: 60_000 },
    figures: createJobFigures(),
  };
  const runner = createJobRunner(parts, [kind]);
  const files = createFiles(database.db, databaseStore(database.db));
  const identity = { known: () => '' } as never;
  return { runner, jobs: new Jobs({ db: database, audit, grants, identity, files }, runner, [kind]) };
}

async function items(database: Database, name: string): Promise<Figure> {
  const { db } = database;
  const { runner, jobs } = mechanism(database);
  await runner.start();
  const { ms } = await timed(async () => {
    for (let index = 0; index < JOBS; index++) {
      await jobs.start(admin, {
        kind: 'bench',
        tool: 'course-enrollment',
        label: `job ${index}`,
        key: `key ${index}`,
        lms: '',
      });
    }
    while ((await db.$count(jobsTable, sql`ended_at is null`)) > 0) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
  await runner.stop();
  const done = await db.$count(jobItems, sql`state = 'done'`);
  if (done !== JOBS * ITEMS) throw new Error(`${done} items were done`);
  // The limit: the same number of statements, each of which writes only one row.
  const plain = await timed(async () => {
    for (let index = 0; index < PLAIN; index++) {
      await db.execute(
        sql`update job_items set message = ${String(index)} where job_id = (select job_id from job_items limit 1) and seq = 1`,
      );
    }
  });
  const each = ms / done;
  const limit = plain.ms / PLAIN;
  return {
    work: `${JOBS} jobs of ${ITEMS} items through the mechanism, ${name}`,
    reached: `${each.toFixed(2)} ms for each item; ${times(each / limit)} of one plain write (${limit.toFixed(2)} ms)`,
    target: 'under 3 ms',
    met: each < 3,
  };
}

async function list(database: Database, name: string): Promise<Figure> {
  const { jobs } = mechanism(database);
  const made = Array.from({ length: LISTED }, (_, index) => ({
    id: randomUUID(),
    kind: 'bench',
    tool: 'course-enrollment',
    login: 'bench@northbridge.example',
    name: 'Bench',
    label: `Add ${index} people to 3 courses as Student`,
    key: `list ${index}`,
    state: 'done' as const,
    outcome: 'done' as const,
    createdAt: new Date(Date.now() - index * 60_000),
    endedAt: new Date(),
  }));
  for (let at = 0; at < made.length; at += 500)
    await database.db.insert(jobsTable).values(made.slice(at, at + 500));
  const all: number[] = [];
  const found: number[] = [];
  for (let round = 0; round < 60; round++) {
    all.push((await timed(() => jobs.list(admin, {}))).ms);
    found.push((await timed(() => jobs.list(admin, { all: '1', text: 'Add 77', state: 'done' }))).ms);
  }
  const worst = Math.max(median(all), median(found));
  return {
    work: `Activity with ${LISTED} jobs, first page at the server, ${name}`,
    reached: `${median(all).toFixed(1)} ms; everyone's, searched: ${median(found).toFixed(1)} ms`,
    target: 'under 50 ms',
    met: worst < 50,
  };
}

export async function jobWork(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lms-admin-bench-'));
  const server = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
  const name = `lms_admin_bench_${randomBytes(4).toString('hex')}`;
  const on = async (text: string) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    try {
      await client.query(text);
    } finally {
      await client.end();
    }
  };
  await on(`CREATE DATABASE ${name}`);
  const figures: Figure[] = [];
  try {
    const url = new URL(server);
    url.pathname = `/${name}`;
    for (const [label, options] of [
      ['PGlite', { databaseUrl: null, dataDir: folder }],
      ['PostgreSQL', { databaseUrl: url.href, dataDir: null }],
    ] as const) {
      const database = await openDatabase(options);
      figures.push(await list(database, label));
      figures.push(await items(database, label));
      await database.close();
    }
  } finally {
    await on(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    rmSync(folder, { recursive: true, force: true });
  }
  return figures;
}
