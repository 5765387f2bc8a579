/**
 * An LMS with strange answers about an import: the import is still followed to its end, and nothing strange
 * is stored.
 */
import { type Sandbox, startSandbox } from '@lms-admin/sandbox/server';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Campus, submitted, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { type Front, startFront } from '../support/front.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

/** Changes the JSON of an answer. `path` is the requested path. */
type Twist = (answer: Record<string, unknown>, path: string) => Record<string, unknown>;

let sandbox: Sandbox;
let front: Front;
let ts: TestServer;
let campus: Campus;
let alma: Browser;
let twist: Twist | null = null;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, mode: 'test', importPace: 'instant', throttle: false });
  front = await startFront(sandbox.url);
  front.changed = ({ method, path }, { body }) => {
    const twisted = twist !== null && method === 'GET' && /\/sis_imports\/\d+/.test(path);
    return twisted && twist ? { body: JSON.stringify(twist(JSON.parse(body), path)) } : null;
  };
  ts = await startTestServer({ lms: sandbox, env: { LMS_URL: front.url } });
  campus = new Campus(sandbox);
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(async () => {
  await ts?.close();
  front?.close();
  await sandbox?.close();
});
afterEach(() => {
  twist = null;
});

/** Submits an import with one row, for a person who does not exist. It ends with a message. */
const sent = async () => {
  const { sis } = campus.course(0);
  return submitted(alma, `course_id,user_id,role_id,status\n${sis},NOBODY-${Math.random()},3,active`);
};

test.each<[string, Twist]>([
  ['progress that is far too large', (got) => ({ ...got, progress: 1e308 })],
  ['progress below zero', (got) => ({ ...got, progress: -1e300 })],
  ['a state with a NUL', (got) => ({ ...got, workflow_state: `${String(got.workflow_state)}\u0000` })],
  [
    'messages with a NUL and lone surrogates',
    (got) => ({ ...got, processing_warnings: [['f\u0000', 'no \ud800']] }),
  ],
  [
    'counts that are not possible',
    (got) => ({ ...got, data: { counts: { enrollments: 1e308, users: 'x' } } }),
  ],
  [
    'row numbers that are too large',
    (got, path) =>
      path.includes('/errors') ? { sis_import_errors: [{ file: 'f', message: 'm\u0000', row: 1e12 }] } : got,
  ],
])('IMP-14, OP-35: %s', async (name, change) => {
  twist = change;
  const { id } = await sent();
  const state = name.startsWith('a state') ? 'imported_with_messages\ufffd' : 'imported_with_messages';
  const seen = await watch(alma, id, (one) => one.final || one.workflow_state === state, 8_000);
  expect(seen.workflow_state).toBe(state);
  expect(seen.progress).toBeLessThanOrEqual(100);
  expect(seen.progress).toBeGreaterThanOrEqual(0);
  expect(JSON.stringify(seen)).not.toMatch(/\\u0000|\\ud800/);
});

test('IMP-14: an answer about another import is not mistaken for this one', async () => {
  twist = (got) => ({ ...got, id: 987_654, workflow_state: 'imported' });
  const { id } = await sent();
  const during = await watch(alma, id, (one) => one.final || one.note !== null, 8_000);
  expect(during).toMatchObject({ final: false, note: expect.stringContaining('does not answer') });
  twist = null;
  const { canvas_id, final } = await watch(alma, id);
  expect(final).toBe(true);
  expect(canvas_id).not.toBe(987_654);
});
