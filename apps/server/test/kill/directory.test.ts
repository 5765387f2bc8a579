/**
 * A refresh of the directory that is killed at any moment ends with the copy of its one report: the previous copy stays
 * complete until the new one replaces it, nothing of it is left, and no second report is started while the number of the
 * first is known.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { directoryRefreshed, directoryStatus } from '@lms-admin/contract/directory';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/platform/database.ts';
import { openDatabase } from '../../src/platform/open-database.ts';
import { chosenDatabase } from '../support/databases.ts';
import { type Deployment, EVERY_KILL, openDeployment, pause } from './deployment.ts';

const postgres = chosenDatabase() === 'postgres';
const ROUNDS = EVERY_KILL ? 30 : postgres ? 4 : 2;
/** Enough people for reading to take long enough to be interrupted. */
const PEOPLE = 4_000;
/** As in `deployment.ts`, and a little longer. */
const TAKEN_OVER_MS = 1_200;

/** Tables, and the column that has the round in which its rows were changed last. */
const TABLES = [
  ['users', 'name'],
  ['logins', 'sis_id'],
  ['accounts', 'name'],
  ['terms', 'name'],
  ['courses', 'name'],
  ['sections', 'name'],
] as const;
/** In the order in which replacing the copy locks the tables. */
const COPY = TABLES.map(
  ([table, column]) =>
    `select '${table}' as "table", count(*)::int as "rows", coalesce(min(split_part(${column}, ' ', 1)), '') as oldest, coalesce(max(split_part(${column}, ' ', 1)), '') as newest from directory_${table}`,
).join(' union all ');
const LOST = {
  match: '/api/v1/accounts/1/reports/provisioning_csv',
  method: 'POST',
  kind: 'drop',
  when: 'after',
  count: 1,
};
const LEFT = `select (${TABLES.map(([table]) => `(select count(*) from directory_${table}_new)`).join(' + ')})::int as "left"`;
const LATEST =
  "select (select count(*)::int from jobs where kind = 'directory-refresh' and outcome = 'done') as done, run.number::int as number, run.swapped_at is not null as swapped, job.state, job.outcome, job.stage, job.checkpoint->>'report' as report from directory_runs run join jobs job on job.id = run.job_id order by run.number desc limit 1";

describe.each(postgres ? [1, 2] : [1])('servers on one database: %i', (servers) => {
  let deployment: Deployment;
  /** On PostgreSQL. The embedded database can only be opened while no server is up. */
  let open: Database | null = null;

  beforeAll(async () => {
    // A daily refresh would be a second one: its time is half a day away.
    const hour = String((new Date().getUTCHours() + 12) % 24).padStart(2, '0');
    const settings = { DIRECTORY: 'on', DIRECTORY_TIME: `${hour}:00` };
    deployment = await openDeployment(servers, settings, { reportMs: 400 });
    const { users, pseudonyms } = deployment.sandbox.world;
    for (let n = 0; n < PEOPLE; n++) {
      const { id } = users.add({ ...someone().user, id: undefined });
      pseudonyms.add({
        ...someone().login,
        id: undefined,
        user_id: id,
        unique_id: `killed-${n}@northbridge.example`,
        sis_user_id: `KILLED-${n}`,
        integration_id: null,
      });
    }
    if (postgres) open = await opened();
  });
  afterAll(async () => {
    await open?.close();
    await deployment?.close();
  });

  const opened = () =>
    openDatabase({
      databaseUrl: deployment.env['DATABASE_URL'] ?? null,
      dataDir: deployment.folder,
      schema: 'any',
    });

  /** The person who was created last, with one login. */
  function someone() {
    const { world } = deployment.sandbox;
    const { users, pseudonyms } = world;
    const login = [...pseudonyms.values()].findLast(
      (one) => one.workflow_state === 'active' && world.loginsOf(one.user_id).length === 1,
    );
    if (!login) throw new Error('nobody');
    return { login, user: users.must(login.user_id) };
  }

  /** Gives everything in the LMS a name of this round, so that each row of the copy shows its age. */
  function change(round: string): void {
    const { world } = deployment.sandbox;
    for (const one of world.users.values())
      world.users.change(one, { name: `${round} ${one.id}`, sortable_name: `${one.id}, ${round}` });
    for (const one of world.pseudonyms.values())
      if (one.workflow_state !== 'deleted')
        world.pseudonyms.change(one, { sis_user_id: `${round} ${one.id}` });
    for (const one of world.accounts.values()) world.accounts.change(one, { name: `${round} ${one.id}` });
    for (const one of world.terms.values()) world.terms.change(one, { name: `${round} ${one.id}` });
    for (const one of world.courses.values()) world.courses.change(one, { name: `${round} ${one.id}` });
    for (const one of world.sections.values()) world.sections.change(one, { name: `${round} ${one.id}` });
  }

  /** The copy by table, how many rows are left of a report, and the latest run. */
  async function read() {
    const database = open ?? (await opened());
    try {
      // The run first: another server may replace the copy at this moment.
      const [latest] = (await database.exec(LATEST)).rows;
      const [left] = (await database.exec(LEFT)).rows;
      const copy = (await database.exec(COPY)).rows;
      return { copy, left: left?.['left'], latest: latest ?? {} };
    } finally {
      if (!open) await database.close();
    }
  }
  const of = (round: string, counts: readonly number[]) =>
    TABLES.map(([table], at) => ({ table, rows: counts[at], oldest: round, newest: round }));

  const spool = () => join(deployment.folder, 'directory', 'uploads');
  const reports = () => deployment.sandbox.world.reports.size;
  const begin = async () => {
    const response = await deployment.alma.fetch(ENDPOINTS.systemDirectoryRefresh, { method: 'POST' });
    return directoryRefreshed.parse((await response.json()).data);
  };
  const status = async () =>
    directoryStatus.parse((await (await deployment.alma.fetch(ENDPOINTS.systemDirectory)).json()).data);
  const ended = async () => {
    await expect
      .poll(async () => (await status()).runs[0]?.outcome, { interval: 20, timeout: 90_000 })
      .not.toBe('open');
    return (await status()).runs[0];
  };
  /** The state when no server is up, or with the other server at work. */
  async function afterDeath(round: string, previous: string, counts: readonly (readonly number[])[]) {
    const now = await read();
    const [before = [], after = []] = counts;
    if (now.latest['swapped']) expect(now.copy).toEqual(of(round, after));
    else
      expect(now.copy).toEqual(
        open ? expect.toBeOneOf([of(previous, before), of(round, after)]) : of(previous, before),
      );
    return now;
  }

  test(`${ROUNDS} kills: one report, and the previous copy or the new one, complete`, {
    timeout: 60_000 + ROUNDS * 30_000,
  }, async () => {
    change('r00');
    const started = performance.now();
    expect(await begin()).toMatchObject({ status: 'started' });
    expect(await ended()).toMatchObject({ outcome: 'done' });
    const duration = performance.now() - started;
    const counts = Object.values((await status()).counts ?? {});
    expect(counts[0]).toBeGreaterThan(PEOPLE);
    const met = new Set<string>();
    for (let round = 1; round <= ROUNDS; round++) {
      const [previous, current] = [round - 1, round].map((one) => `r${String(one).padStart(2, '0')}`) as [
        string,
        string,
      ];
      change(current);
      const gone = someone();
      deployment.sandbox.world.pseudonyms.change(gone.login, { workflow_state: 'deleted' });
      const before = [...counts];
      for (const at of [0, 1]) counts[at] = (counts[at] ?? 0) - 1;
      const reportsBefore = reports();
      // In some rounds, the LMS has started the report, and its answer is lost.
      const isLost = round % 5 === 2;
      let unknown = isLost ? 1 : 0;
      if (isLost) await deployment.campus.fault(LOST);
      expect(await begin()).toMatchObject({ status: 'started' });
      // Otherwise, each round has its part of the time that a refresh takes.
      if (isLost) await expect.poll(reports, { interval: 5 }).toBeGreaterThan(reportsBefore);
      else await pause((duration * 1.1 * (round - 1 + Math.random())) / ROUNDS);
      const [first, second] = round % 2 === 0 ? deployment.servers.toReversed() : deployment.servers;
      // Of two servers, one is killed, or one after the other has taken over, or both.
      const victims =
        servers === 1 || round % 3 === 0
          ? [deployment.servers]
          : round % 3 === 1
            ? [[first]]
            : [[first], [second]];
      for (const [at, some] of victims.entries()) {
        if (at > 0) await pause(TAKEN_OVER_MS + Math.random() * duration);
        await Promise.all(some.map(async (one) => one?.kill()));
        const now = await afterDeath(current, previous, [before, counts]);
        met.add(now.latest['swapped'] ? 'swapped' : String(now.latest['stage']));
        if (now.latest['report'] === null) unknown++;
      }
      for (const some of victims) await Promise.all(some.map(async (one) => one?.start()));
      expect(await ended()).toMatchObject({ outcome: 'done' });
      // Only a server that was killed before it had the number of its report can start another, if the first has ended.
      expect(reports() - reportsBefore).toBeGreaterThanOrEqual(1);
      expect(reports() - reportsBefore).toBeLessThanOrEqual(1 + unknown);
      expect(await readdir(spool()).catch(() => [])).toEqual([]);
      const latest = await status();
      expect(Object.values(latest.counts ?? {})).toEqual(counts);
      if (open || round === ROUNDS) {
        // No server can be up while the embedded database is read.
        if (!open) for (const one of deployment.servers) await one.kill();
        expect(await read()).toEqual({
          copy: of(current, counts),
          left: 0,
          latest: expect.objectContaining({ number: round + 1, done: round + 1, swapped: true }),
        });
      }
    }
    // Otherwise, the rounds would have met only some of the moments.
    if (EVERY_KILL) expect([...met]).toEqual(expect.arrayContaining(['Reading the report', 'swapped']));
  });
});
