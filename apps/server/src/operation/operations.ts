/**
 * Operations of commands. They run where the database is open: in the command, or in the server with the embedded
 * database.
 */
import { ConfigError } from '../platform/config.ts';
import { databaseProblem } from '../platform/health.ts';
import { isHeld, requireOwn } from '../platform/installation.ts';
import { ACCESS_OPERATIONS } from './access.ts';
import { readSnapshot } from './backup/snapshot.ts';
import { releaseHeld } from './held.ts';
import type { Operation, OperationParts } from './parts.ts';
import { erasePerson } from './personal/erase.ts';
import { exportPerson } from './personal/export.ts';
import { HOLDINGS } from './personal/holdings.ts';
import { Refusal } from './refusal.ts';

function servicesOf({ services }: OperationParts) {
  if (services === null) throw new Error('this was opened for the database alone');
  return services;
}

export interface DatabaseState {
  kind: 'pglite' | 'postgres';
  /** Why the database cannot be used; null if it can. */
  problem: string | null;
  /** Why the database belongs to another installation; null if it belongs to this one. */
  belongs: string | null;
  /** Version of PostgreSQL. */
  version: string;
  /** Milliseconds since 1970. */
  clock: number;
  /** Other connections of LMS Admin. */
  servers: number;
  /** Number of sign-ins encrypted with each key, by the key's short id. */
  keys: Record<string, number>;
  /** Whether the user of the connection can create and change tables, as a start and an update do. */
  mayChange: boolean;
  /** Whether work is held since a restore. */
  held: boolean;
}

const SERVERS =
  "(SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'lms-admin' AND datname = current_database() AND pid <> pg_backend_pid())";

/** A start needs the first two permissions, even if it has nothing to create. Tables of other programs do not matter. */
const MAY_CHANGE =
  "(has_database_privilege(current_database(), 'CREATE') AND has_schema_privilege('public', 'CREATE') AND NOT EXISTS (" +
  "SELECT 1 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE relkind = 'r' AND (nspname = 'drizzle' OR " +
  `nspname = 'public' AND relname IN (${Object.keys(HOLDINGS)
    .map((name) => `'${name}'`)
    .join(', ')})) AND NOT pg_has_role(relowner, 'USAGE')))`;

/** Reads the facts that every database can provide, whatever the version of its tables, or if it has none yet. */
export async function plainState({
  db,
}: Pick<OperationParts, 'db'>): Promise<Pick<DatabaseState, 'version' | 'clock' | 'servers' | 'mayChange'>> {
  const {
    rows: [row],
  } = await db.exec(
    "SELECT current_setting('server_version') AS version, extract(epoch FROM clock_timestamp())::float8 * 1000 AS clock, " +
      `${SERVERS} AS servers, ${MAY_CHANGE} AS may_change`,
  );
  return {
    version: String(row?.version),
    clock: Number(row?.clock),
    servers: Number(row?.servers),
    mayChange: row?.may_change === true,
  };
}

/** Returns the number of sign-ins by the short id of the key that encrypts them. */
export async function keysOf({ db }: Pick<OperationParts, 'db'>): Promise<DatabaseState['keys']> {
  const { rows } = await db.exec(
    "SELECT split_part(access_token_enc, '.', 2) AS id, count(*)::int AS number FROM grants WHERE released_at IS NULL GROUP BY 1",
  );
  return Object.fromEntries(rows.map(({ id, number }) => [String(id), Number(number)]));
}

/** Returns the values that identify a person, as typed. */
const valuesOf = (values: unknown): string[] =>
  (Array.isArray(values) ? values : []).map((value) => String(value).trim()).filter((value) => value !== '');

export const OPERATIONS = {
  async snapshot({ db, audit }, { login }, hear) {
    await audit.write({ login, tool: 'operation', event: 'backup-begun', detail: {} });
    return { kind: db.kind, rows: await readSnapshot(db.db, hear) };
  },
  async jobsList(parts, { all, limit }) {
    return servicesOf(parts).jobs.listAs({ all: all === true, limit: Number(limit) });
  },
  async jobsCancel(parts, { login, id }) {
    return servicesOf(parts).jobs.cancelAs({ login }, String(id));
  },
  async jobsRetry(parts, { login, id }) {
    return servicesOf(parts).jobs.wake({ login }, String(id));
  },
  async sessionsList(parts) {
    return servicesOf(parts).sessions.list();
  },
  async sessionsEnd(parts, { login, person }) {
    const who = typeof person === 'string' ? person : undefined;
    // Recorded first: the action must not happen without a record.
    const detail = { person: who ?? 'all' };
    await parts.audit.write({ login, tool: 'auth', event: 'sessions-ended', detail });
    return servicesOf(parts).sessions.endAll(who);
  },
  async keysReseal(parts, { login, keyId }) {
    const { grants, secrets } = servicesOf(parts);
    // The server may be running with settings other than those of this command.
    if (secrets.keyId !== keyId) return null;
    const sealed = await grants.resealAll();
    await parts.audit.write({ login, tool: 'operation', event: 'keys-resealed', detail: { grants: sealed } });
    return { sealed, unreadable: await grants.countUnreadable() };
  },
  async release({ db, audit }, { login }) {
    return releaseHeld(db.db, audit, login);
  },
  async directoryStatus(parts) {
    return servicesOf(parts).directory.status();
  },
  async directoryRefresh(parts, { login, acceptSmaller }) {
    const { directory, jobs } = servicesOf(parts);
    const accept = acceptSmaller === true;
    const detail = { acceptSmaller: accept };
    await parts.audit.write({ login, tool: 'operation', event: 'directory-refresh-asked', detail });
    return directory.refresh(jobs, { acceptSmaller: accept });
  },
  ...ACCESS_OPERATIONS,
  async personExport({ db, audit }, { login, values }, hear) {
    const known = valuesOf(values);
    await audit.write({
      login,
      tool: 'operation',
      event: 'person-exported',
      detail: { values: known.length },
    });
    for await (const text of exportPerson(db, known)) await hear(text);
    return null;
  },
  async personErase(parts, { login, values }) {
    const known = valuesOf(values);
    const { files, listed, sessions, access } = servicesOf(parts);
    if (known.some((value) => access.find(value) !== null)) {
      throw new Refusal(
        'Nothing was erased, because the access record of this person would let them sign in again.',
        'Disable the record on the page Access (with ACCESS_SOURCE=file, remove it from the file), and run the command again.',
      );
    }
    for (const value of known) await sessions.endAll(value);
    const erased = await erasePerson({ database: parts.db, files, kinds: listed }, known);
    // The audit gets the counts, without the person's name.
    const { open, ...counts } = erased;
    await parts.audit.write({
      login,
      tool: 'operation',
      event: open === null ? 'person-erased' : 'person-not-erased',
      detail: open === null ? counts : { open: open.length },
    });
    return erased;
  },
  async databaseState({ db, config }): Promise<DatabaseState> {
    const [problem, belongs, plain, keys, held] = await Promise.all([
      databaseProblem(db),
      requireOwn(db.db, config).then(
        () => null,
        (error: unknown) => (error instanceof ConfigError ? error.problems.join(' ') : String(error)),
      ),
      plainState({ db }),
      keysOf({ db }),
      isHeld(db.db),
    ]);
    return { kind: db.kind, problem, belongs, ...plain, keys, held };
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;
