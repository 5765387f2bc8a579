/** The most rows that one submission takes, made by hand: checked, kept and sent without the server standing still. */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteCsv, readCsv, storeCsv } from '../../src/imports/csv-store.ts';
import { checkCsv } from '../../src/imports/hand-made.ts';
import { tidy } from '../../src/imports/housekeeping.ts';
import { importChunks } from '../../src/platform/schema.ts';
import { Campus, submit } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

let ts: TestServer;
let campus: Campus;
let alma: Browser;
const HEADER = 'course_id,user_id,role_id,status';

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());

const rows = (count: number) => {
  const { sis } = campus.course();
  return `${HEADER}\n${Array.from({ length: count }, (_, index) => `${sis},${5_000_000 + index},3,active`).join('\n')}`;
};

test('K-04, OP-33: one row more than allowed is refused and nothing is sent', async () => {
  const response = await submit(alma, rows(500_001));
  expect(response.status).toBe(413);
  expect((await response.json()).error.code).toBe('too-many-rows');
  expect(await campus.importsNamed('')).toEqual([]);
});

test('500,000 rows are checked and kept in pieces; what is read is what was checked', async () => {
  const csv = rows(500_000);
  const admin = { login: PEOPLE.all, record: { perm: 'ALL', course_level_admin: true }, token: {} };
  const scope = {
    coursesBySisId: async (_admin: unknown, ids: readonly string[]) => new Map(ids.map((id) => [id, {}])),
  };
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const checked = await checkCsv({ config: ts.config, scope } as never, admin as never, csv);
  const id = '00000000-0000-4000-8000-000000000001';
  const { db } = ts.server.services.db;
  async function* texts() {
    yield* checked.texts;
  }
  await storeCsv(db, id, texts());
  delay.disable();
  expect(checked).toMatchObject({ rows: 500_000, courses: 1 });
  // Generous: other tests share the machine.
  expect(delay.percentile(99) / 1e6).toBeLessThan(150);
  const chunks = await db
    .select({ seq: importChunks.seq })
    .from(importChunks)
    .where(eq(importChunks.importId, id));
  expect(chunks.length).toBeGreaterThan(1);
  const read: Uint8Array[] = [];
  for await (const bytes of readCsv(db, id)) read.push(bytes);
  expect(Buffer.concat(read).toString('utf8') === csv).toBe(true);
  // Fresh pieces are not an import's that was lost: they stay for an hour.
  await tidy(ts.server.services);
  expect(await db.$count(importChunks, eq(importChunks.importId, id))).toBe(chunks.length);
  await deleteCsv(db, id);
});
