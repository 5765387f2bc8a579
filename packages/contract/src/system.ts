/** The system page: the state of the installation, for its operators. Each part has its own request. */
import { z } from 'zod';
import { JOB_STATES } from './jobs.ts';

/** Checks of `lms-admin doctor`, in parts that are requested separately. */
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

/** `ok` · `warn`: works, but needs attention · `fail`: does not work · `skip`: not checked, or not set up. */
export const CHECK_STATES = ['ok', 'warn', 'fail', 'skip'] as const;

export const finding = z.object({
  check: z.string(),
  state: z.enum(CHECK_STATES),
  message: z.string(),
  /** What to do; empty for nothing. */
  next: z.string(),
});
export type Finding = z.infer<typeof finding>;

/** Milliseconds since 1970. */
const moment = z.number();
const count = z.number().int();

export const systemFindings = z.object({ at: moment, findings: z.array(finding) });

/** Facts that need no outside request. */
export const systemOverview = z.object({
  version: z.string(),
  node: z.string(),
  mode: z.enum(['practice', 'production']),
  database: z.enum(['pglite', 'postgres']),
  startedAt: moment,
  /** How this request arrived. */
  seen: z.object({
    /** The configured address; browsers should use the same one. */
    origin: z.string(),
    host: z.string(),
    protocol: z.string(),
    /** Address of the client, as far as proxies are trusted. */
    address: z.string(),
    /** Address of the connection: the proxy in front, or the browser. */
    peer: z.string(),
    /** Headers of proxies, as received. */
    headers: z.array(z.object({ name: z.string(), value: z.string() })),
  }),
});
export type SystemOverview = z.infer<typeof systemOverview>;

/** Two of the three clocks; the third is the browser's. */
export const systemClocks = z.object({ server: moment, database: moment });

export const systemWork = z.object({
  /** Work that changes outside systems and has been held since a restore; null: nothing is held. */
  held: z.object({ since: moment, backupOf: moment.nullable(), jobs: count }).nullable(),
  /** Unfinished work. */
  open: z.array(z.object({ kind: z.string(), state: z.enum(JOB_STATES), jobs: count, oldest: moment })),
  /** People whose work waits until they sign in. */
  signIns: z.array(
    z.object({ name: z.string(), login: z.string(), jobs: count, since: moment, until: moment.nullable() }),
  ),
  /** Work that waits until an outside system answers, or accepts the keys of LMS Admin, by reason. */
  waits: z.array(z.object({ why: z.string(), jobs: count, since: moment })),
  /** Work that failed in the last seven days, newest first. */
  failed: z.array(z.object({ id: z.string(), kind: z.string(), tool: z.string(), at: moment })),
  migrations: z.object({
    /** Migrations that are applied in the database and known to this version. */
    applied: count,
    known: count,
    /** Time of the newest backup. */
    newest: moment.nullable(),
  }),
});
export type SystemWork = z.infer<typeof systemWork>;

/** The latest calls of this server to outside systems. */
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
      /**
       * `ended`: some days after the work's end · `age`: after some days · `unused`: at its expiry, unless used
       * before · `never`.
       */
      forgotten: z.enum(['ended', 'age', 'unused', 'never']),
      days: count.nullable(),
      /** Number of entries. */
      number: count,
      /** When the next of these entries will be deleted; null: none is due. */
      next: moment.nullable(),
    }),
  ),
});
export type SystemKept = z.infer<typeof systemKept>;

/** Errors in this server's log since its start, newest first. */
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

/** Answer of `GET /version`. */
export const versionAnswer = z.object({ version: z.string() });
