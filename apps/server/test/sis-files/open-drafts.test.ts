/** Finding drafts again: they are listed for their owner until discarded, submitted, or a day old (SIS-05, OP-53). */
import { randomUUID } from 'node:crypto';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { MAX_DRAFTS, type SisDraft } from '@lms-admin/contract/sis-drafts';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filePieces, imports, sisDrafts } from '../../src/platform/schema.ts';
import { Campus, submitted, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  corrected,
  discarded,
  doing,
  drafted,
  draftOf,
  draftPath,
  effectOf,
  finished,
  openDraftsOf,
  person,
  reviewed,
  USERS,
  uploaded,
} from './support.ts';

let ts: TestServer;
let campus: Campus;
let alma: Browser;
let carla: Browser;

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
  carla = await ts.signIn(PEOPLE.records);
});
afterAll(() => ts?.close());

const idsOf = async (browser: Browser) => (await openDraftsOf(browser)).map(({ id }) => id);

test('a draft is listed for its owner with its name, time and state, even after signing in again, and for no one else', async () => {
  const draft = await drafted(alma, `${USERS}\n${person(1, 'actif')}\n${person(2, 'weg')}\n`, 'people.csv');
  await corrected(alma, draft, { does: 'replace', column: 3, from: 'actif', to: 'active' });
  const columns = await drafted(alma, 'Nr,Mail\n1,a@northbridge.example\n', 'own names.csv');
  const isSignInRenewed = await ts.signIn(PEOPLE.all);
  const listed = await openDraftsOf(isSignInRenewed);
  expect(listed).toMatchObject([
    { id: columns.id, name: 'own names.csv', kind: null, header_wrong: true, steps: 0 },
    { id: draft.id, name: 'people.csv', kind: 'user', rows: 2, wrong: 1, header_wrong: false, steps: 1 },
  ]);
  for (const { created_at, expires_at } of listed)
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(86_400_000);
  expect(await idsOf(carla)).toEqual([]);
  for (const { id } of listed) await discarded(alma, id);
});

test('a discarded draft is deleted with its rows, in every tab; discarding it again says that it was not kept', async () => {
  const { db } = ts.server.services.db;
  const draft = await drafted(alma, `${USERS}\n${person(1, 'x')}`);
  expect((await discarded(carla, draft.id)).status).toBe(404);
  expect(await idsOf(alma)).toEqual([draft.id]);
  expect((await discarded(alma, draft.id)).status).toBe(200);
  expect(await idsOf(alma)).toEqual([]);
  expect(await db.$count(filePieces, eq(filePieces.fileId, draft.id))).toBe(0);
  const late = await alma.post(draftPath('sisDraftCorrections', draft.id), {
    version: 1,
    step: { does: 'leave-out', rows: [2] },
  });
  expect([late.status, (await late.json()).error.message]).toEqual([
    404,
    'This file is no longer kept, because it was discarded or uploaded more than a day ago.',
  ]);
  expect((await discarded(alma, draft.id)).status).toBe(404);
});

test('a corrected file stays in the list until it is submitted', async () => {
  let draft = await drafted(alma, `${USERS}\n${person(31, 'actif')}\n`);
  draft = await corrected(alma, draft, { does: 'replace', column: 3, from: 'actif', to: 'active' });
  const { file } = await finished(alma, draft);
  // The tab may also be closed before the last action.
  expect(await idsOf(alma)).toEqual([draft.id]);
  const sent = await watch(alma, (await submitted(alma, { file: file?.id ?? '' })).id);
  expect(sent.workflow_state).toBe('imported');
  expect(await idsOf(alma)).toEqual([]);
});

test('SIS-05 a corrected file is listed again if its import has ended without sending anything', async () => {
  const held = ts.sandbox.world.courses.must(campus.course(13).id);
  const row = `${held.sis_source_id},"${held.course_code}",Of the file,aktiv`;
  let draft = await drafted(alma, `course_id,short_name,long_name,status\n${row}\n`);
  draft = await corrected(alma, draft, { does: 'replace', column: 3, from: 'aktiv', to: 'active' });
  const { file } = await finished(alma, draft);
  await effectOf(alma, file?.id ?? '');
  await campus.fault({ match: '/api/v1/accounts/1/sis_imports', kind: 'status', status: 503 });
  const { id } = await submitted(alma, { file: file?.id ?? '' });
  expect(await idsOf(alma)).toEqual([]);
  ts.sandbox.world.courses.change(held, { name: 'Of a colleague' });
  await campus.clearFaults();
  expect((await watch(alma, id)).workflow_state).toBe('failed');
  expect(await idsOf(alma)).toEqual([draft.id]);
  await discarded(alma, draft.id);
});

/** Uploads a file of people, corrects and checks it, and compares it with the LMS. */
async function readyToSubmit(at: number) {
  let draft = await drafted(alma, `${USERS}\n${person(at, 'actif')}\n${person(at + 1, 'actif')}\n`);
  draft = await corrected(alma, draft, { does: 'replace', column: 3, from: 'actif', to: 'active' });
  const { file } = await finished(alma, draft);
  await effectOf(alma, file?.id ?? '');
  return { draft, file: file?.id ?? '' };
}
const inLms = (at: number) =>
  [...ts.sandbox.world.users.values()].filter((one) => one.name === `Zoë O’Neill–Łukasz ${at}`);
const correctAgain = (draft: SisDraft) =>
  alma.post(draftPath('sisDraftCorrections', draft.id), {
    version: draft.version,
    step: { does: 'leave-out', rows: [2] },
  });

test.each([
  [41, 'status', 422],
  [43, 'status', 400],
  [45, 'status', 403],
])(
  'SIS-05 OP-42 a corrected file is listed again if the LMS has rejected its import, and can be submitted again: %s, %s %s',
  async (at, kind, status) => {
    const { draft, file } = await readyToSubmit(at);
    await campus.fault({ match: '/api/v1/accounts/1/sis_imports', method: 'POST', kind, status });
    const { id } = await submitted(alma, { file });
    expect(await watch(alma, id)).toMatchObject({ verdict: 'failed', applied: 0 });
    await campus.clearFaults();
    expect(inLms(at)).toHaveLength(0);
    expect(await openDraftsOf(alma)).toMatchObject([{ id: draft.id, steps: 1, wrong: 0, import: id }]);
    // The unchanged file still belongs to the same import. After further corrections it is a different file.
    expect((await submitted(alma, { file })).id).toBe(id);
    const again = await corrected(alma, await draftOf(alma, draft.id), { does: 'leave-out', rows: [3] });
    const { file: next } = await finished(alma, again);
    await effectOf(alma, next?.id ?? '');
    const sent = await watch(alma, (await submitted(alma, { file: next?.id ?? '' })).id);
    expect(sent).toMatchObject({ verdict: 'done', applied: 1 });
    expect([inLms(at).length, inLms(at + 1).length]).toEqual([1, 0]);
    expect(await idsOf(alma)).toEqual([]);
  },
);

test('SIS-05 a corrected file that was submitted is stored for more than a day, and is listed again if none of its rows was applied', async () => {
  const { db } = ts.server.services.db;
  const { draft, file } = await readyToSubmit(51);
  const soon = new Date(Date.now() + 60_000);
  await db.update(sisDrafts).set({ expiresAt: soon }).where(eq(sisDrafts.id, draft.id));
  await campus.fault({
    match: '/api/v1/accounts/1/sis_imports',
    method: 'POST',
    kind: 'status',
    status: 422,
  });
  await watch(alma, (await submitted(alma, { file })).id);
  await campus.clearFaults();
  const [listed] = await openDraftsOf(alma);
  expect(listed?.id).toBe(draft.id);
  expect(Date.parse(listed?.expires_at ?? '')).toBeGreaterThan(soon.getTime() + 80_000_000);
  await discarded(alma, draft.id);
});

test('SIS-05 a corrected file of which the LMS has applied rows, or may have, is not listed again', async () => {
  const crashed = await readyToSubmit(61);
  await campus.fault({ match: '*', kind: 'import-crash', count: 1 });
  const broken = await watch(alma, (await submitted(alma, { file: crashed.file })).id);
  expect(broken).toMatchObject({ verdict: 'failed', applied: null });
  await campus.clearFaults();
  expect(inLms(61)).toHaveLength(1);
  expect(await idsOf(alma)).toEqual([]);

  const done = await readyToSubmit(63);
  const { id } = await submitted(alma, { file: done.file });
  expect(await watch(alma, id)).toMatchObject({ verdict: 'done' });
  const { db } = ts.server.services.db;
  // Simulates a restored older backup: the import was found in the LMS, not sent.
  await db.update(imports).set({ sendings: 0 }).where(eq(imports.id, id));
  expect(await idsOf(alma)).toEqual([]);
  // Another tab that still shows the draft gets a message, and nothing is corrected.
  const late = await correctAgain(done.draft);
  expect([late.status, (await late.json()).error.message]).toEqual([
    409,
    'This file has been submitted, perhaps in another tab. This correction was not saved.',
  ]);
  expect(await draftOf(alma, done.draft.id)).toMatchObject({ submitted: id, steps: 1, version: 2 });
  expect((await finished(alma, done.draft)).status).toBe(409);
});

test('a checked file opened for correction leaves the list once it is submitted unchanged', async () => {
  const course = campus.course(0, 86);
  const [one] = campus.strangers(1, [course.id]);
  const rows = [one?.sis ?? '', 'NOBODY-7'].map((user) => `${course.sis},${user},3,active`);
  const { id } = await reviewed(alma, `course_id,user_id,role_id,status\n${rows.join('\n')}\n`);
  const answer = await alma.post(ENDPOINTS.sisEffectDraft.replace(':file', id), {});
  expect(await idsOf(alma)).toEqual([(await answer.json()).data.draft]);
  await submitted(alma, { file: id });
  expect(await idsOf(alma)).toEqual([]);
});

test('SIS-06 rows of a review that would be rejected open in one draft, together with its corrections', async () => {
  const course = campus.course(0, 86);
  const [one] = campus.strangers(1, [course.id]);
  const rows = ['NOBODY-8', 'NOBODY-9', one?.sis ?? ''].map((user) => `${course.sis},${user},3,active`);
  const { id } = await reviewed(alma, `course_id,user_id,role_id,status\n${rows.join('\n')}\n`);
  const open = async () =>
    (await (await alma.post(ENDPOINTS.sisEffectDraft.replace(':file', id), {})).json()).data.draft;
  const first = await open();
  await corrected(alma, await draftOf(alma, first), { does: 'leave-out', rows: [2] });
  expect([await open(), await open()]).toEqual([first, first]);
  expect(await draftOf(alma, first)).toMatchObject({ version: 2, steps: 1, wrong: 1, left_out: 1 });
  expect(await idsOf(alma)).toEqual([first]);

  // The LMS has changed since: the draft shows which rows would be rejected now.
  const users = 'user_id,login_id,full_name,status\nNOBODY-9,nobody9@northbridge.example,New,active\n';
  const { id: people } = await uploaded(alma, users);
  await watch(alma, (await submitted(alma, { file: people })).id);
  await effectOf(alma, id, randomUUID());
  expect(await open()).toBe(first);
  expect(await draftOf(alma, first)).toMatchObject({ version: 3, steps: 1, wrong: 0 });
  await discarded(alma, first);
  expect(await open()).not.toBe(first);
  for (const draft of await idsOf(alma)) await discarded(alma, draft);
});

test('SIS-06 a file corrected in several rounds is still one draft, and leaves the list once it is submitted', async () => {
  const course = campus.course(0, 86);
  const [one, two] = campus.strangers(2, [course.id]).map(({ sis }) => sis);
  const open = async (file: string) =>
    (await (await alma.post(ENDPOINTS.sisEffectDraft.replace(':file', file), {})).json()).data.draft;
  const put = (draft: SisDraft, value: string) => {
    const column = draft.columns.findIndex(({ name }) => name === 'user_id');
    return corrected(alma, draft, { does: 'cells', cells: [{ row: 3, column, value }] });
  };
  // A file that was rejected first, and whose columns were then matched, is also one draft.
  const names = ['course_id', '', 'user_id', 'status'];
  const added = [{ name: 'role_id', value: '3' }];
  const rows = [one, 'NOBODY-1'].map((user) => `${course.sis},B2,${user},active`);
  const refused = await drafted(alma, `Course,Office,Person,State\n${rows.join('\n')}\n`, 'rounds.csv');
  let draft = await corrected(alma, refused, { does: 'columns', names, added });
  for (const value of [' NOBODY-2', 'NOBODY-3', two ?? '']) {
    const { file } = await finished(alma, draft);
    expect(doing(await effectOf(alma, file?.id ?? ''), 'enrollment')).toMatchObject({ fails: 1 });
    expect([await open(file?.id ?? ''), await open(file?.id ?? '')]).toEqual([draft.id, draft.id]);
    draft = await draftOf(alma, draft.id);
    expect(draft.wrong).toBe(1);
    draft = await put(draft, value);
    expect(draft.wrong).toBe(0);
    expect(await idsOf(alma)).toEqual([draft.id]);
  }
  // A correction that is undone is a problem again, even if it is from an earlier round.
  for (const wrong of [1, 1, 1]) {
    draft = await corrected(alma, draft, { does: 'undo' });
    expect(draft.wrong).toBe(wrong);
  }
  draft = await put(draft, two ?? '');
  const { file } = await finished(alma, draft);
  const sent = await watch(alma, (await submitted(alma, { file: file?.id ?? '' })).id);
  expect(sent.workflow_state).toBe('imported');
  expect(await idsOf(alma)).toEqual([]);
});

test('SIS-05 a file without corrections is dropped before a corrected one; a file that replaces a corrected one says so', async () => {
  const made: string[] = [];
  for (let at = 0; at < MAX_DRAFTS; at++)
    made.push((await drafted(alma, `${USERS}\n${person(at, 'x')}`, `file ${at}.csv`)).id);
  const step = { does: 'replace', column: 3, from: 'x', to: 'y' } as const;
  await corrected(alma, await draftOf(alma, made[0] ?? ''), step);
  const next = await drafted(alma, `${USERS}\n${person(7, 'x')}`);
  expect(next.replaced).toEqual([]);
  expect(await idsOf(alma)).toEqual([next.id, ...made.slice(2).toReversed(), made[0]]);
  for (const draft of [next.id, ...made.slice(2)]) await corrected(alma, await draftOf(alma, draft), step);
  const last = await drafted(alma, `${USERS}\n${person(8, 'x')}`);
  expect(last.replaced).toEqual([{ name: 'file 0.csv', steps: 1 }]);
  // The message stays after a correction, and after a reload.
  await corrected(alma, last, step);
  expect((await draftOf(alma, last.id)).replaced).toEqual([{ name: 'file 0.csv', steps: 1 }]);
  for (const draft of await idsOf(alma)) await discarded(alma, draft);
});

test("a draft is listed for a day, and only an administrator's latest five", async () => {
  const { db } = ts.server.services.db;
  const made: string[] = [];
  for (let at = 0; at < MAX_DRAFTS + 2; at++)
    made.unshift((await drafted(alma, `${USERS}\n${person(at, 'x')}`)).id);
  expect(await idsOf(alma)).toEqual(made.slice(0, MAX_DRAFTS));
  await db
    .update(sisDrafts)
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .where(eq(sisDrafts.id, made[0] ?? ''));
  expect(await idsOf(alma)).toEqual(made.slice(1, MAX_DRAFTS));
});
