/**
 * The LMS's number for an import is not enough: number, LMS and file name have to match each time. Another
 * program's import is never mistaken for LMS Admin's, however much of it the LMS shows (OP-42, IMP-01).
 */
import { type Sandbox, startSandbox } from '@lms-admin/sandbox/server';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Campus, submitted, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { type Asked, type Front, startFront } from '../support/front.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

let sandbox: Sandbox;
let front: Front;
let ts: TestServer;
let campus: Campus;
let alma: Browser;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, mode: 'test', importPace: 20, throttle: false });
  front = await startFront(sandbox.url);
  ts = await startTestServer({ lms: sandbox, env: { LMS_URL: front.url, IMPORT_GRACE_MS: '300' } });
  campus = new Campus(sandbox);
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(async () => {
  await ts?.close();
  front?.close();
  await sandbox?.close();
});
afterEach(() => {
  front.changed = null;
});

/** Submits an import that takes the LMS a few seconds. */
async function slow() {
  const { sis } = campus.course(0);
  const lines = Array.from({ length: 60 }, (_, at) => `${sis},NOBODY-${at},3,active`);
  return submitted(alma, `course_id,user_id,role_id,status\n${lines.join('\n')}`);
}
const followed = (id: string) => watch(alma, id, (one) => one.canvas_id !== null);
type Json = Record<string, unknown>;
/** Changes the LMS's answers about single imports. */
function twist(change: (got: Json) => Json): void {
  front.changed = ({ method, path }: Asked, { status, body }) =>
    method === 'GET' && status === 200 && /\/sis_imports\/\d+(\?|$)/.test(path)
      ? { body: JSON.stringify(change(JSON.parse(body) as Json)) }
      : null;
}
const STRANGERS = { workflow_state: 'imported', progress: 100, data: { counts: { enrollments: 4_711 } } };
const file = (filename: string) => ({ csv_attachments: [{ filename, display_name: filename, url: null }] });

/** Submits an import by another program in the LMS, which gets the first free number. */
async function another(): Promise<number> {
  const answer = await fetch(`${sandbox.url}/api/v1/accounts/1/sis_imports`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-admin-token', 'content-type': 'text/csv' },
    body: `course_id,user_id,role_id,status\n${campus.course(1).sis},5001001,3,active`,
  });
  return ((await answer.json()) as { id: number }).id;
}

async function expectNotImported(id: string, why: RegExp) {
  const ended = await watch(alma, id);
  expect(ended.workflow_state).toBe('failed');
  expect(ended.verdict).toBe('failed');
  expect(ended.applied).not.toBe(4_711);
  expect(JSON.stringify(ended.data)).not.toContain('4711');
  expect(ended.processing_errors[0]?.[1]).toMatch(why);
}

describe('the same LMS has another import under that number', () => {
  test.each<[string, Json]>([
    ['ended', STRANGERS],
    ['still running', { workflow_state: 'importing', progress: 10 }],
  ])('the other import has a file of another name, %s', async (_name, what) => {
    const { id } = await slow();
    await followed(id);
    twist((got) => ({ ...got, ...what, ...file('somebody-elses.csv') }));
    await expectNotImported(id, /a different import with this number/);
  });

  test('the other import has the file of another LMS Admin import', async () => {
    const { id } = await slow();
    await followed(id);
    twist((got) => ({ ...got, ...STRANGERS, ...file('lms-admin-00000000-0000-4000-8000-000000000000.csv') }));
    await expectNotImported(id, /a different import with this number/);
  });

  test.each<[string, Json]>([
    ['without a file', { csv_attachments: undefined }],
    ['with an empty list of files', { csv_attachments: [] }],
    ['with a file without a name', { csv_attachments: [{ url: null }] }],
  ])('the other import has ended, %s: the outcome of the original is unknown', async (_name, none) => {
    const { id } = await slow();
    await followed(id);
    twist((got) => ({ ...got, ...STRANGERS, ...none }));
    await expectNotImported(id, /does not name its file/);
  });
});

test('the import waits for a file that the LMS names only shortly after the end', async () => {
  // This timeout is longer than even a busy machine needs.
  const patient = await startTestServer({
    lms: sandbox,
    env: { LMS_URL: front.url, IMPORT_GRACE_MS: '60000' },
  });
  try {
    const browser = await patient.signIn(PEOPLE.all);
    const csv = `course_id,user_id,role_id,status\n${campus.course(0).sis},NOBODY-0,3,active`;
    const { id } = await submitted(browser, csv);
    let left = 2;
    twist((got) => (got.ended_at !== null && left-- > 0 ? { ...got, csv_attachments: [] } : got));
    expect(await watch(browser, id)).toMatchObject({ workflow_state: 'imported_with_messages' });
  } finally {
    await patient.close();
  }
});

test('an import that the LMS aborted before reading its file is reported as failed', async () => {
  const { id } = await slow();
  await followed(id);
  twist((got) => ({
    ...got,
    workflow_state: 'aborted',
    csv_attachments: undefined,
    ended_at: got.created_at,
  }));
  expect(await watch(alma, id)).toMatchObject({ workflow_state: 'aborted', applied: 0 });
});

describe('the sandbox is reset while an import is followed, and another import gets its number', () => {
  test.each<[string, (id: string) => Json]>([
    ['shown as it is', () => ({})],
    ['shown without a file', () => ({ ...STRANGERS, csv_attachments: undefined })],
    ['shown with the original file', (id) => ({ ...STRANGERS, ...file(`lms-admin-${id}.csv`) })],
  ])('%s', async (_name, shown) => {
    // The import is the first in its sandbox.
    sandbox.reset();
    alma = await ts.signIn(PEOPLE.all);
    const { identity, grants } = ts.server.services;
    await identity.now(grants.rootToken(null), { fresh: true });
    const { id } = await slow();
    const { canvas_id: number } = await followed(id);
    // The reset happens between two polls.
    sandbox.reset();
    expect(await another()).toBe(number);
    twist((got) => ({ ...got, ...shown(id) }));
    alma = await ts.signIn(PEOPLE.all);
    await expectNotImported(id, /practice LMS was reset/);
  });
});
