/** The largest manual submission: checked, stored and sent without blocking the server. */

import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enrolmentRows } from '../../src/enrollments/manual-rows.ts';
import { deletePieces, readPieces, storePieces } from '../../src/files/pieces.ts';
import { tidy } from '../../src/imports/housekeeping.ts';
import { filePieces } from '../../src/platform/schema.ts';
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
  const { sis } = campus.courseForRows();
  return `${HEADER}\n${Array.from({ length: count }, (_, index) => `${sis},${5_000_000 + index},3,active`).join('\n')}`;
};

/** Counts the turns that other work gets. Returns a function that ends the count. */
function countTurns(): () => number {
  let count = 0;
  const timer = setInterval(() => count++, 5);
  return () => {
    clearInterval(timer);
    return count;
  };
}

test('K-04, OP-33: one row more than allowed is rejected and nothing is sent', async () => {
  const response = await submit(alma, rows(500_001));
  expect(response.status).toBe(413);
  expect((await response.json()).error.code).toBe('too-many-rows');
  expect(await campus.importsNamed('')).toEqual([]);
});

test('500,000 rows are checked and stored in pieces, and what is read back is what was checked', async () => {
  const csv = rows(500_000);
  const { services } = ts.server;
  const who = { login: PEOPLE.all, name: 'Alma Reyes', canvasUserId: 1, grantId: null };
  const admin = services.actFor({ ...who, tool: 'course-enrollment' });
  const turns = countTurns();
  const checked = await enrolmentRows(services).check(admin, csv, {});
  const id = '00000000-0000-4000-8000-000000000001';
  const { db } = ts.server.services.db;
  async function* texts() {
    yield* checked.texts;
  }
  await storePieces(db, id, texts());
  expect(checked).toMatchObject({ rows: 500_000, label: '500000 enrolment rows for 1 course' });
  expect(turns()).toBeGreaterThan(50);
  const chunks = await db.select({ seq: filePieces.seq }).from(filePieces).where(eq(filePieces.fileId, id));
  expect(chunks.length).toBeGreaterThan(1);
  const read: Uint8Array[] = [];
  for await (const bytes of readPieces(db, id)) read.push(bytes);
  expect(Buffer.concat(read).toString('utf8') === csv).toBe(true);
  // New pieces cannot belong to a lost import yet: they stay for an hour.
  await tidy(ts.server.services.db.db);
  expect(await db.$count(filePieces, eq(filePieces.fileId, id))).toBe(chunks.length);
  await deletePieces(db, id);
});
