/** Drafts are found again: listed for their owner until they are discarded, submitted, or a day old (SIS-05, OP-53). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { MAX_DRAFTS } from '@lms-admin/contract/sis-drafts';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filePieces, sisDrafts } from '../../src/platform/schema.ts';
import { Campus, submitted, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  corrected,
  discarded,
  drafted,
  draftPath,
  finished,
  openDraftsOf,
  person,
  reviewed,
  USERS,
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

test('a draft is listed for its owner with its name, time and state, also after a new sign-in, and for no one else', async () => {
  const draft = await drafted(alma, `${USERS}\n${person(1, 'actif')}\n${person(2, 'weg')}\n`, 'people.csv');
  await corrected(alma, draft, { does: 'replace', column: 3, from: 'actif', to: 'active' });
  const columns = await drafted(alma, 'Nr,Mail\n1,a@northbridge.example\n', 'own names.csv');
  const signedInAgain = await ts.signIn(PEOPLE.all);
  const listed = await openDraftsOf(signedInAgain);
  expect(listed).toMatchObject([
    { id: columns.id, name: 'own names.csv', kind: null, header_wrong: true, steps: 0 },
    { id: draft.id, name: 'people.csv', kind: 'user', rows: 2, wrong: 1, header_wrong: false, steps: 1 },
  ]);
  for (const { created_at, expires_at } of listed)
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(86_400_000);
  expect(await idsOf(carla)).toEqual([]);
  for (const { id } of listed) await discarded(alma, id);
});

test('what is discarded is gone with its rows, in every tab; discarding it again says that it is not kept', async () => {
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
    'This draft is not kept any more: it was discarded, or uploaded more than a day ago.',
  ]);
  expect((await discarded(alma, draft.id)).status).toBe(404);
});

test('a corrected file stays in the list until it is submitted', async () => {
  let draft = await drafted(alma, `${USERS}\n${person(31, 'actif')}\n`);
  draft = await corrected(alma, draft, { does: 'replace', column: 3, from: 'actif', to: 'active' });
  const { file } = await finished(alma, draft);
  // The tab may be closed before the last press, too.
  expect(await idsOf(alma)).toEqual([draft.id]);
  const sent = await watch(alma, (await submitted(alma, { file: file?.id ?? '' })).id);
  expect(sent.workflow_state).toBe('imported');
  expect(await idsOf(alma)).toEqual([]);
});

test('a checked file that was opened for correcting leaves the list when it is submitted as it was', async () => {
  const course = campus.course(0, 86);
  const [one] = campus.strangers(1, [course.id]);
  const rows = [one?.sis ?? '', 'NOBODY-7'].map((user) => `${course.sis},${user},3,active`);
  const { id } = await reviewed(alma, `course_id,user_id,role_id,status\n${rows.join('\n')}\n`);
  const answer = await alma.post(ENDPOINTS.sisEffectDraft.replace(':file', id), {});
  expect(await idsOf(alma)).toEqual([(await answer.json()).data.draft]);
  await submitted(alma, { file: id });
  expect(await idsOf(alma)).toEqual([]);
});

test('a draft is listed for a day, and the latest five of an administrator', async () => {
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
