/** The system page: the state of the installation, for those who run it. Each part is asked for by itself, so that a slow one keeps none waiting. */
import { z } from 'zod';
import { JOB_STATES } from './jobs.ts';

/** What `lms-admin doctor` looks at, in parts that are asked for one by one. */
export const SYSTEM_CHECKS = [
  'machine',
  'settings',
  'proxy',
  'database',
  'lms',
  'systems',
  'address',
] as const;
export const systemCheck = z.enum(SYSTEM_CHECKS);
export type SystemCheck = z.infer<typeof systemCheck>;

/** `ok` · `warn`: works, and should be looked at · `fail`: does not work · `skip`: could not be looked at, or is not set up. */
export const CHECK_STATES = ['ok', 'warn', 'fail', 'skip'] as const;

export const finding = z.object({
  check: z.string(),
  state: z.enum(CHECK_STATES),
  message: z.string(),
  /** What to do; empty when there is nothing to do. */
  next: z.string(),
});
export type Finding = z.infer<typeof finding>;

/** Milliseconds since 1970. */
const moment = z.number();
const count = z.number().int();

export const systemFindings = z.object({ at: moment, findings: z.array(finding) });

/** What is known without asking anything outside. */
export const systemOverview = z.object({
  version: z.string(),
  node: z.string(),
  mode: z.enum(['practice', 'production']),
  database: z.enum(['pglite', 'postgres']),
  startedAt: moment,
  /** How this request arrived. */
  seen: z.object({
    /** The address that is set; browsers should have the same. */
    origin: z.string(),
    host: z.string(),
    protocol: z.string(),
    /** Who asks, as far as proxies are believed. */
    address: z.string(),
    /** Who has opened the connection: the proxy in front, or the browser. */
    peer: z.string(),
    /** What proxies say, as it arrived. */
    headers: z.array(z.object({ name: z.string(), value: z.string() })),
  }),
});
export type SystemOverview = z.infer<typeof systemOverview>;

/** Two of the three clocks; the third is the browser's. */
export const systemClocks = z.object({ server: moment, database: moment });

export const systemWork = z.object({
  /** Work that changes something outside waits since a restore; null: nothing is held. */
  held: z.object({ since: moment, backupOf: moment.nullable(), jobs: count }).nullable(),
  /** What has not ended. */
  open: z.array(z.object({ kind: z.string(), state: z.enum(JOB_STATES), jobs: count, oldest: moment })),
  /** Whose work rests until they sign in. */
  signIns: z.array(
    z.object({ name: z.string(), login: z.string(), jobs: count, since: moment, until: moment.nullable() }),
  ),
  /** Work that waits until something outside answers, or accepts the keys of LMS Admin, by the reason. */
  waits: z.array(z.object({ why: z.string(), jobs: count, since: moment })),
  /** What has failed in the last seven days, the newest first. */
  failed: z.array(z.object({ id: z.string(), kind: z.string(), tool: z.string(), at: moment })),
  migrations: z.object({
    /** Carried out in the database, and known to this version. */
    applied: count,
    known: count,
    /** When the newest was written. */
    newest: moment.nullable(),
  }),
});
export type SystemWork = z.infer<typeof systemWork>;

/** The latest calls to systems outside, of this server. */
export const systemOutside = z.object({
  minutes: count,
  systems: z.array(
    z.object({
      system: z.string(),
      calls: count,
      /** Milliseconds; null without calls. */
      median: z.number().nullable(),
      slowest: z.number().nullable(),
      throttled: count,
      failed: count,
      /** Since the server started. */
      total: count,
    }),
  ),
});
export type SystemOutside = z.infer<typeof systemOutside>;

export const systemStorage = z.object({
  /** Bytes of the whole database. */
  database: z.number(),
  tables: z.array(z.object({ table: z.string(), bytes: z.number() })),
  /** Bytes below the data folder. */
  folder: z.number(),
  /** Files of jobs, and uploads. */
  files: z.object({ number: count, bytes: z.number() }),
  images: z.object({ number: count, bytes: z.number() }),
});
export type SystemStorage = z.infer<typeof systemStorage>;

export const systemKept = z.object({
  kinds: z.array(
    z.object({
      kind: z.string(),
      /** `ended`: some days after the end of the work · `age`: after some days · `unused`: it has an end of its own · `never`. */
      forgotten: z.enum(['ended', 'age', 'unused', 'never']),
      days: count.nullable(),
      /** How many are there. */
      number: count,
      /** When the next of them is forgotten; null: none is due. */
      next: moment.nullable(),
    }),
  ),
});
export type SystemKept = z.infer<typeof systemKept>;

/** What this server has logged of failures since it started, the newest first. */
export const systemErrors = z.object({
  errors: z.array(
    z.object({
      at: moment,
      level: z.enum(['warn', 'error']),
      message: z.string(),
      type: z.string(),
      requestId: z.string(),
    }),
  ),
});
export type SystemErrors = z.infer<typeof systemErrors>;

/** Everything in one text that can be passed on: without names, addresses and secrets. */
export const systemSupport = z.object({ text: z.string() });

/** `released` false: nothing was held. */
export const systemReleased = z.object({ released: z.boolean(), jobs: count });

/** What `GET /version` answers. */
export const versionAnswer = z.object({ version: z.string() });
