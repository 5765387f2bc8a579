/** The database: whether it works, which installation it belongs to, its key and its clock. */
import { counted } from '@lms-admin/domain/numbers';
import type { Config } from '../../platform/config.ts';
import { WORK_HELD } from '../../platform/health.ts';
import { FolderInUse } from '../../platform/lock.ts';
import { NewerDatabase, OtherDatabase } from '../../platform/migrations.ts';
import { openDatabase } from '../../platform/open-database.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { failureOf } from '../../platform/start-failure.ts';
import { type DatabaseState, keysOf, plainState } from '../operations.ts';
import { COMMAND, reachDatabase } from '../reach.ts';
import { type Finding, fail, ok, skip, warn } from './check.ts';

/** Clock differences in milliseconds: above `good` there is a warning; above `most` leases end too early. */
const CLOCK = { good: 2_000, most: 10_000 };
const LEAST_POSTGRES = 15;

/** @returns also whether a server uses the database, if known */
export async function databaseFindings(
  config: Config,
  secrets: Secrets | null,
): Promise<{ findings: Finding[]; serverRuns: boolean }> {
  try {
    const reach = await reachDatabase(config);
    try {
      const { state, findings } = await findingsFrom(
        async () => (await reach.ask('databaseState')) as DatabaseState,
        secrets,
      );
      return { findings, serverRuns: reach.through === 'server' || state.servers > 0 };
    } finally {
      await reach.close();
    }
  } catch (error) {
    const findings = [unreachable(error, config)];
    if (error instanceof OtherDatabase) findings.push(...(await beforeStart(config, secrets, error.why)));
    return { findings, serverRuns: error instanceof FolderInUse };
  }
}

/**
 * Checks a database that the next start will create or update: what would stop that start, and whether the key is
 * right.
 */
async function beforeStart(
  { databaseUrl, dataFolder: dataDir }: Config,
  secrets: Secrets | null,
  why: OtherDatabase['why'],
): Promise<Finding[]> {
  // Without a file of the embedded database, opening it would create one.
  if (databaseUrl === null && why === 'none-yet') return [];
  try {
    const db = await openDatabase({ databaseUrl, dataDir, schema: 'any', name: COMMAND });
    try {
      const sentAt = Date.now();
      const plain = await plainState({ db });
      const now = (sentAt + Date.now()) / 2;
      const rights = plain.mayChange ? [] : [fail('database', NO_RIGHTS.message, NO_RIGHTS.next)];
      const keys = why === 'older' ? sealed(await keysOf({ db }), secrets) : [];
      const old = databaseUrl !== null && isOld(plain.version) ? [tooOld(plain.version)] : [];
      return [...old, ...rights, clockFinding(plain.clock, now), ...keys];
    } finally {
      await db.close();
    }
  } catch (error) {
    return [fail('database', failureOf(error, 'The database cannot be used'), '')];
  }
}

const NO_RIGHTS = {
  message:
    'PostgreSQL does not let the user in DATABASE_URL create and change tables, so LMS Admin cannot start.',
  next: 'Make this user the owner of the database (ALTER DATABASE … OWNER TO …) and of its tables.',
};

/** Returns the findings about a database, whether a command or the running server reads them. */
export async function findingsFrom(
  ask: () => Promise<DatabaseState>,
  secrets: Secrets | null,
): Promise<{ state: DatabaseState; findings: Finding[] }> {
  const sentAt = Date.now();
  const state = await ask();
  return { state, findings: findingsOf(state, secrets, (sentAt + Date.now()) / 2) };
}

const isOld = (version: string) => Number.parseInt(version, 10) < LEAST_POSTGRES;

function tooOld(version: string): Finding {
  return fail('database', `PostgreSQL ${version} is too old.`, `Use PostgreSQL ${LEAST_POSTGRES} or newer.`);
}

function findingsOf(state: DatabaseState, secrets: Secrets | null, now: number): Finding[] {
  const { kind, version, problem, belongs, clock, mayChange, held } = state;
  const name = kind === 'pglite' ? 'The embedded database' : 'The database';
  const findings: Finding[] = [];
  if (problem !== null) findings.push(fail('database', problem, ''));
  else if (kind === 'postgres' && isOld(version)) findings.push(tooOld(version));
  else if (!mayChange) findings.push(fail('database', NO_RIGHTS.message, NO_RIGHTS.next));
  else
    findings.push(
      ok('database', `${name} (PostgreSQL ${version}) answers and has the tables of this version.`),
    );
  if (belongs !== null)
    findings.push(fail('database', `${belongs}.`, 'Correct the settings, and run the command again.'));
  if (held) findings.push(warn('database', WORK_HELD, ''));
  findings.push(clockFinding(clock, now), ...sealed(state.keys, secrets));
  return findings;
}

function clockFinding(clock: number, now: number): Finding {
  const apart = Math.abs(clock - now);
  const text = `The clocks of this machine and of the database are ${(apart / 1_000).toFixed(1)} s apart.`;
  const next = 'Synchronise both with a time server.';
  if (apart > CLOCK.most) return fail('clock', text, next);
  return apart > CLOCK.good ? warn('clock', text, next) : ok('clock', text);
}

function sealed(keys: DatabaseState['keys'], secrets: Secrets | null): Finding[] {
  const total = Object.values(keys).reduce((sum, one) => sum + one, 0);
  if (secrets === null || total === 0) return [];
  const other = Object.entries(keys)
    .filter(([id]) => !secrets.isKnown(`v1.${id}`))
    .reduce((sum, [, count]) => sum + count, 0);
  return other === 0
    ? [
        ok(
          'key',
          `It can read ${total === 1 ? 'the sign-in' : `all ${counted(total, 'sign-in')}`} in the database.`,
        ),
      ]
    : [
        warn(
          'key',
          `${counted(other, 'sign-in')} in the database ${other === 1 ? 'was' : 'were'} encrypted with another key.`,
          'Set LMS_ADMIN_KEY_OLD to the previous key. Otherwise these people have to sign in again.',
        ),
      ];
}

function unreachable(error: unknown, { databaseUrl }: Config): Finding {
  if (error instanceof OtherDatabase && error.why === 'none-yet') {
    const text =
      databaseUrl === null
        ? 'No database yet: the first start creates it.'
        : 'LMS Admin has not used this database yet: the first start creates its tables.';
    return skip('database', text);
  }
  if (error instanceof OtherDatabase) {
    return warn(
      'database',
      'The database was last used by an earlier version.',
      'Make a backup with that version (see "A new release" in docs/operating/install.md). The next start updates the database.',
    );
  }
  if (error instanceof NewerDatabase) return fail('database', error.message, '');
  return fail('database', failureOf(error, 'The database cannot be used'), '');
}
