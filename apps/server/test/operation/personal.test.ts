/**
 * Data that names people is declared, found, exported and erased: in every table, for anyone, without
 * touching data about others.
 */

import { is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importJob } from '../../src/imports/import-job.ts';
import { erasePerson } from '../../src/operation/personal/erase.ts';
import { exportPerson } from '../../src/operation/personal/export.ts';
import { Person } from '../../src/operation/personal/find.ts';
import { HOLDINGS } from '../../src/operation/personal/holdings.ts';
import { removeOld } from '../../src/operation/personal/old.ts';
import { personalDataPage } from '../../src/operation/personal/page.ts';
import * as schema from '../../src/platform/schema.ts';
import { Campus, makePlan, submitted, watch } from '../enrollments/campus.ts';
import { reviewed } from '../sis-files/support.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

/** Column types that cannot name a person. */
const CANNOT = /^(integer|bigint|boolean|timestamp)/;

test('every column that could name a person is declared, and no others', () => {
  const found = Object.values(schema)
    .filter((one) => is(one, PgTable))
    .flatMap((table) => {
      const { name, columns } = getTableConfig(table);
      return columns
        .filter((column) => !CANNOT.test(column.getSQLType()))
        .map((column) => `${name}.${column.name}`);
    });
  const declared = Object.entries(HOLDINGS).flatMap(([table, { columns }]) =>
    Object.keys(columns).map((column) => `${table}.${column}`),
  );
  expect(declared.sort()).toEqual(found.sort());
});

test('the page is generated from the declarations; `npm run settings` writes it', async () => {
  await expect(personalDataPage()).toMatchFileSnapshot('../../../../docs/operating/personal-data.md');
});

describe('a person is found by whole words', () => {
  const zoe = new Person(['zoe@x.example', '5001001', 'Zoë O’Neill–Łukasz']);
  test.each([
    ['a,5001001,b', true],
    ['Zoë O’Neill–Łukasz is not there.', true],
    ['ZOE@X.EXAMPLE', true],
    ['"zoe@x.example."', true],
    ['150010011', false],
    ['chloe.zoe@x.example', false],
    ['zoe@x.example.org', false],
    ['Zoë O’Neill–Łukaszewicz', false],
  ])('%s: %s', (text, named) => {
    expect(zoe.isNamedIn(text)).toBe(named);
    expect(zoe.erasedFrom(text) === text).toBe(!named);
  });
});

describe('with data', () => {
  let ts: TestServer;
  let campus: Campus;
  beforeAll(async () => {
    ts = await startTestServer({ sandbox: { throttle: false } });
    campus = new Campus(ts.sandbox);
  });
  afterAll(() => ts.close());

  const parts = () => {
    const { db, files } = ts.server.services;
    const kind = importJob({ ...ts.server.services, config: ts.config }, {
      plans: { all: [], of: () => never(), check: () => never(), courses: async () => [] },
      file: never,
      rows: [],
    } as never);
    return { database: db, files, kinds: [kind] };
  };
  const never = (): never => {
    throw new Error('not asked');
  };
  const exported = async (values: readonly string[]) => {
    let text = '';
    for await (const piece of exportPerson(ts.server.services.db, values)) text += piece;
    return JSON.parse(text) as {
      used_lms_admin: Record<string, { rows: Record<string, unknown>[] }>;
      named_in: { table: string; texts: string[] }[];
    };
  };

  test('data about a person who was enrolled is exported and then erased; data about others stays', async () => {
    const alma = await ts.signIn(PEOPLE.all);
    const course = campus.courseForRows(2);
    const [zoe, max, ann] = campus.strangers(3, [course.id]);
    if (!zoe || !max || !ann) throw new Error('three people are needed');
    const about = async (people: readonly { email: string }[]) => {
      const plan = await makePlan(alma, {
        courses: [course.id],
        role_id: 3,
        status: 'active',
        emails: people.map(({ email }) => email),
      });
      const one = await submitted(alma, { plan: plan.id });
      await watch(alma, one.id);
      return one.id;
    };
    const both = await about([zoe, max]);
    const other = await about([ann]);
    const known = [zoe.email, zoe.sis];

    const before = await exported(known);
    expect(before.used_lms_admin).toEqual({});
    expect(new Set(before.named_in.map(({ table }) => table))).toEqual(
      new Set(['plans', 'jobs', 'file_pieces']),
    );
    expect(JSON.stringify(before.named_in)).toContain(zoe.sis);

    const erased = await erasePerson(parts(), known);
    expect(erased).toMatchObject({ open: null, replaced: {}, kept: {} });
    expect((await exported(known)).named_in).toEqual([]);
    const { db } = ts.server.services;
    const { rows } = await db.exec(
      'SELECT id, label, outcome, forgotten_at, input FROM jobs WHERE id = ANY($1::uuid[])',
      [[both, other]],
    );
    expect(rows.find(({ id }) => id === both)).toMatchObject({ outcome: 'done', input: null });
    expect(rows.find(({ id }) => id === both)?.forgotten_at).not.toBeNull();
    expect(rows.find(({ id }) => id === other)?.forgotten_at).toBeNull();
    // The other import loses no data.
    expect(JSON.stringify((await exported([ann.sis])).named_in)).toContain(ann.sis);
  });

  test('a submitted file is erased with its import, and work in progress prevents the whole erasure', async () => {
    const alma = await ts.signIn(PEOPLE.all);
    const course = campus.courseForRows(2);
    const [zoe, max] = campus.strangers(2, [course.id]);
    if (!zoe || !max) throw new Error('two people are needed');
    const row = `${course.sis},${zoe.sis},3,active`;
    const file = await reviewed(alma, `course_id,user_id,role_id,status\n${row}`);
    await watch(alma, (await submitted(alma, { file: file.id })).id);
    await erasePerson(parts(), [zoe.sis, zoe.email]);
    expect((await exported([zoe.sis, zoe.email])).named_in).toEqual([]);

    const plan = await makePlan(alma, {
      courses: [course.id],
      role_id: 3,
      status: 'active',
      emails: [max.email],
    });
    await campus.fault({ match: '/api/v1/courses/*', method: 'GET', kind: 'status', status: 503 });
    const { id } = await submitted(alma, { plan: plan.id });
    expect(await erasePerson(parts(), [max.email, max.sis])).toEqual({ open: [id] });
    await campus.clearFaults();
    expect(await watch(alma, id)).toMatchObject({ verdict: 'done', rows: 1 });
  });

  test('the name of a person who used LMS Admin is erased from every table, and the names of others stay', async () => {
    const bruno = await ts.signIn(PEOPLE.custom);
    const alma = await ts.signIn(PEOPLE.all);
    expect((await bruno.invoke('accounts/1/terms')).status).toBe(200);
    expect((await alma.invoke('accounts/1/terms')).status).toBe(200);
    const { db, sessions } = ts.server.services;
    const seen = await exported([PEOPLE.custom]);
    expect(seen.used_lms_admin.audit?.rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(seen)).not.toContain('access_token_enc');
    await sessions.endAll(PEOPLE.custom);
    const erased = await erasePerson(parts(), [PEOPLE.custom]);
    expect(erased).toMatchObject({ open: null, replaced: { audit: expect.any(Number) } });
    const lines = await db.exec('SELECT login, detail::text AS detail FROM audit');
    expect(JSON.stringify(lines.rows)).not.toContain(PEOPLE.custom);
    expect(lines.rows.some(({ login }) => /^erased-[0-9a-f]{12}$/.test(String(login)))).toBe(true);
    expect(lines.rows.some(({ login }) => login === PEOPLE.all)).toBe(true);
    expect((await alma.fetch('/api/jobs')).status).toBe(200);
  });

  test('entries and lines older than the settings allow are removed, and no others', async () => {
    const { db } = ts.server.services;
    await db.exec("UPDATE jobs SET ended_at = now() - interval '400 days' WHERE forgotten_at IS NOT NULL");
    await db.exec("UPDATE audit SET at = now() - interval '400 days' WHERE id = (SELECT min(id) FROM audit)");
    await db.exec("INSERT INTO zoom_host_days (host, day, used) VALUES ('a@x.example', '2026-01-01', 3)");
    const count = async (text: string) =>
      Number((await db.exec(`SELECT count(*)::int AS n FROM ${text}`)).rows[0]?.n);
    const [jobs, lines] = [await count('jobs'), await count('audit')];
    await removeOld(db.db, { workDays: 30, historyDays: null, auditDays: null });
    expect([await count('jobs'), await count('audit'), await count('zoom_host_days')]).toEqual([
      jobs,
      lines,
      0,
    ]);
    await removeOld(db.db, { workDays: 30, historyDays: 365, auditDays: 365 });
    expect(await count('audit')).toBe(lines - 1);
    expect(await count('jobs')).toBeLessThan(jobs);
    expect(await count('jobs WHERE forgotten_at IS NULL')).toBeGreaterThan(0);
    expect(await count('imports WHERE id NOT IN (SELECT id FROM jobs)')).toBe(0);
  });
});
