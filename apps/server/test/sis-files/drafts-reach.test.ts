/** Owners of drafts, and their contents: nothing that an upload cannot contain (OP-14, OP-53). */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { tidy } from '../../src/imports/housekeeping.ts';
import { filePieces, sisDrafts, sisFiles } from '../../src/platform/schema.ts';
import { Campus } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  corrected,
  drafted,
  draftOf,
  draftPath,
  ENROLL,
  finished,
  person,
  problemsOf,
  rowsOfDraft,
  USERS,
} from './support.ts';

let ts: TestServer;
let campus: Campus;
let alma: Browser;
/** Has perm CUSTOM: programme 138, role 3. */
let carla: Browser;

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
  carla = await ts.signIn(PEOPLE.records);
});
afterAll(() => ts?.close());
afterEach(() => campus.clearFaults());

describe('SIS-05, OP-53: corrections can contain no more than an upload', () => {
  const mine = () => campus.course(0, 138);
  const other = () => campus.course(0, 86);

  test('a correction that names something out of scope, another role or another course’s section is marked immediately', async () => {
    const { sis, id } = mine();
    const [one] = campus.strangers(1, [id]);
    let draft = await drafted(
      carla,
      `course_id,section_id,user_id,role_id,status\n${sis},,${one?.sis},3,actif\n`,
    );
    draft = await corrected(carla, draft, { does: 'replace', column: 4, from: 'actif', to: 'active' });
    expect(draft.wrong).toBe(0);
    for (const [column, value, field] of [
      [0, other().sis, 'course_id'],
      [3, '4', 'role_id'],
      [1, 'NO-SUCH', 'section_id'],
    ] as const) {
      draft = await corrected(carla, draft, { does: 'cells', cells: [{ row: 2, column, value }] });
      expect(draft.groups.map(({ name }) => name)).toEqual([field]);
      expect((await finished(carla, draft)).status).toBe(400);
      draft = await corrected(carla, await draftOf(carla, draft.id), { does: 'undo' });
      expect(draft.wrong).toBe(0);
    }
    const renamed = await corrected(carla, await drafted(carla, 'a,b\n1,2\n'), {
      does: 'columns',
      names: ['course_id', 'short_name'],
      added: [{ name: 'long_name', value: 'x' }],
    });
    expect(renamed.header[0]?.message).toMatch(/You can send only files of users and of enrollments\.$/);
    expect((await finished(carla, draft)).status).toBe(200);
  });

  test('existing people are found by the full check and stay marked until corrected; only new ones pass', async () => {
    let draft = await drafted(
      carla,
      `user_id,login_id,first_name,status\n5001001,brand.new@northbridge.example,A,actif\n991,brand.new2@northbridge.example,B,active\n`,
    );
    draft = await corrected(carla, draft, { does: 'replace', column: 3, from: 'actif', to: 'active' });
    expect(draft.wrong).toBe(0);
    const first = await finished(carla, draft);
    expect(problemsOf(first)).toEqual([[2, 'user_id', expect.stringMatching(/is already in the LMS/)]]);
    draft = await draftOf(carla, draft.id);
    expect(draft.groups[0]).toMatchObject({ name: 'user_id', rows: 1, first: [2] });
    draft = await corrected(carla, draft, { does: 'cells', cells: [{ row: 3, column: 2, value: 'Bea' }] });
    expect(draft.wrong).toBe(1);
    draft = await corrected(carla, draft, { does: 'cells', cells: [{ row: 2, column: 0, value: '992' }] });
    expect(draft.wrong).toBe(0);
    expect((await finished(carla, draft)).file?.rows).toBe(2);
  });

  test('problems found by looking up people stay marked after other corrections', async () => {
    let draft = await drafted(
      carla,
      'user_id,login_id,first_name,status\n5001001,late.one@northbridge.example,A,active\n',
    );
    expect(draft.groups).toMatchObject([{ name: 'user_id', rows: 1 }]);
    draft = await corrected(carla, draft, { does: 'cells', cells: [{ row: 2, column: 2, value: 'B' }] });
    expect(draft.groups).toMatchObject([{ name: 'user_id', rows: 1 }]);
    draft = await corrected(carla, draft, { does: 'cells', cells: [{ row: 2, column: 0, value: '993' }] });
    expect((await finished(carla, draft)).status).toBe(200);
  });

  test('a draft belongs to its owner only, and is deleted after a day', async () => {
    const draft = await drafted(alma, `${USERS}\n${person(1, 'x')}`);
    const step = { does: 'undo' };
    for (const ask of [
      () => carla.fetch(draftPath('sisDraft', draft.id)),
      () => carla.fetch(draftPath('sisDraftRows', draft.id)),
      () => carla.fetch(draftPath('sisDraftCsv', draft.id)),
      () => carla.post(draftPath('sisDraftCorrections', draft.id), { version: 1, step }),
      () => carla.post(draftPath('sisDraftFile', draft.id), { version: 1 }),
    ]) {
      expect((await ask()).status).toBe(404);
    }
    const { db } = ts.server.services.db;
    const hours = (count: number) => new Date(Date.now() - count * 3_600_000);
    await db.update(filePieces).set({ createdAt: hours(5) });
    await tidy(db);
    expect((await rowsOfDraft(alma, draft.id)).total).toBe(1);
    await db.update(sisDrafts).set({ expiresAt: hours(2) });
    expect((await alma.fetch(draftPath('sisDraft', draft.id))).status).toBe(404);
    await db.update(sisFiles).set({ expiresAt: hours(2) });
    await tidy(db);
    expect(await db.$count(sisDrafts)).toBe(0);
  });

  test('the latest five drafts are kept', async () => {
    for (let at = 0; at < 7; at++) await drafted(alma, `${USERS}\n${person(at, 'x')}`);
    expect(await ts.server.services.db.db.$count(sisDrafts)).toBe(5);
  });

  test('an LMS that does not answer changes nothing', async () => {
    const { sis } = mine();
    const draft = await drafted(carla, `${ENROLL}\n${sis},u,3,x\n`);
    await campus.fault({ match: '/api/v1/courses/*', kind: 'status', status: 503 });
    const response = await carla.post(draftPath('sisDraftCorrections', draft.id), {
      version: 1,
      step: { does: 'replace', column: 3, from: 'x', to: 'active' },
    });
    expect(response.status).toBeGreaterThanOrEqual(502);
    expect(await draftOf(carla, draft.id)).toMatchObject({ version: 1, wrong: 1 });
  });
});
