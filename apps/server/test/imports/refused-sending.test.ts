/**
 * A rejected import request: its effect in the LMS is looked up as after a lost answer, and only what is missing there is reported
 * as not sent (OP-42, OP-09).
 */
import { type Sandbox, startSandbox } from '@lms-admin/sandbox/server';
import { afterEach, describe, expect, test } from 'vitest';
import { grants } from '../../src/platform/schema.ts';
import { Campus, submitted, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { type Asked, type Front, type Given, startFront, TOKEN_REFUSED } from '../support/front.ts';
import { PEOPLE, startTestServer, type TestServer, type TestServerOptions } from '../support/harness.ts';

const NO_RIGHT: Partial<Given> = {
  status: 403,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ errors: [{ message: 'user not authorized to perform that action' }] }),
};
const isSending = ({ method, path }: Pick<Asked, 'method' | 'path'>) =>
  method === 'POST' && /\/sis_imports\b/.test(path);

let sandbox: Sandbox;
let front: Front;
let ts: TestServer;
let campus: Campus;
let alma: Browser;
/** All requests to the LMS. */
const asked: Asked[] = [];

async function open(options: TestServerOptions = {}) {
  asked.length = 0;
  sandbox = await startSandbox({ port: 0, mode: 'test', importPace: 'instant', throttle: false });
  front = await startFront(sandbox.url);
  const env = { LMS_URL: front.url, IMPORT_PATIENCE_MS: '1500', ...options.env };
  ts = await startTestServer({ ...options, lms: sandbox, env });
  campus = new Campus(sandbox);
  alma = await ts.signIn(PEOPLE.all);
}
afterEach(async () => {
  await ts?.close();
  front?.close();
  await sandbox?.close();
});

async function send() {
  const course = campus.course();
  const [person] = campus.strangers(1, [course.id]);
  const one = await submitted(
    alma,
    `course_id,user_id,role_id,status\n${course.sis},${person?.sis},3,active`,
  );
  return watch(alma, one.id);
}
/** Changes the answers to the first import requests, although the LMS has carried them out. */
function answerSendingsWith(given: Partial<Given>) {
  front.changed = (one) => (isSending(one) ? given : null);
}
function answerInsteadOf(given: Partial<Given>, also: (one: Asked) => boolean = () => false) {
  front.instead = (one) => {
    asked.push(one);
    return isSending(one) || also(one) ? given : null;
  };
}
const sendings = () => asked.filter(isSending).length;

describe.each([
  ['401', TOKEN_REFUSED],
  ['403', NO_RIGHT],
])('OP-42 an LMS that answers %s to an import request', (_status, answer) => {
  test.each([
    ['with a service token', true],
    ['with the token of the admin', false],
  ])('but has accepted the import: the import is found and followed, %s', async (_name, serviceToken) => {
    await open({ serviceToken });
    answerSendingsWith(answer);
    const ended = await send();
    expect(ended).toMatchObject({ workflow_state: 'imported', processing_errors: [] });
    expect(await campus.importsNamed(ended.id)).toHaveLength(1);
  });

  test('and has not accepted the import: once the list of imports confirms this, the import counts as not sent', async () => {
    await open();
    answerInsteadOf(answer);
    const ended = await send();
    expect(ended).toMatchObject({ workflow_state: 'failed', canvas_id: null });
    expect(ended.processing_errors[0]?.[1]).toMatch(/nothing was sent|Nothing was sent|rejected the import/);
    const [first] = asked.flatMap((one, at) => (isSending(one) ? [at] : []));
    expect(asked.slice(first).some(({ path }) => path.includes('created_since'))).toBe(true);
    expect(sendings()).toBe(1);
    expect(await campus.importsNamed(ended.id)).toEqual([]);
  });
});

describe('OP-09 a service token that is rejected from the import request onwards: the import is looked up when the admin signs in again', () => {
  test.each([
    ['the LMS has it', true],
    ['the LMS does not have it', false],
  ])('%s', async (_name, done) => {
    await open();
    let revoked = false;
    const isService = ({ authorization }: Asked) => authorization.endsWith('sandbox-admin-token');
    front.instead = (one) => {
      asked.push(one);
      if (isSending(one)) revoked = true;
      return isService(one) && revoked && !(isSending(one) && done) ? TOKEN_REFUSED : null;
    };
    front.changed = (one) => (isSending(one) ? TOKEN_REFUSED : null);
    const ended = await send();
    expect(sendings()).toBe(1);
    if (done) {
      // Found, and followed to its end.
      expect(ended).toMatchObject({ workflow_state: 'imported', verdict: 'done', note: null });
      expect(await campus.importsNamed(ended.id)).toHaveLength(1);
    } else {
      expect(ended.processing_errors[0]?.[1]).toMatch(/does not accept LMS Admin’s token.*Nothing was sent/);
      expect(await campus.importsNamed(ended.id)).toEqual([]);
    }
  });
});

test('OP-42 an import that cannot be looked up, because reading is rejected as well, ends without claiming that nothing was sent', async () => {
  await open({ serviceToken: false, env: { SIGN_IN_PATIENCE_MS: '1000' } });
  await ts.server.services.db.db.update(grants).set({ refreshTokenEnc: null });
  await campus.fault({ match: '/api/v1/accounts/1/sis_imports', method: 'POST', kind: 'revoke-token' });
  const ended = await send();
  expect(ended.processing_errors[0]?.[1]).toMatch(
    /could not confirm whether the LMS received lms-admin-.*Check the SIS imports in the LMS before you submit again/,
  );
  expect(ended.processing_errors[0]?.[1]).not.toMatch(/nothing was sent/i);
});

test('OP-42 an import that could not be looked up is looked up if the admin signs in again in time', async () => {
  await open({ serviceToken: false, env: { IMPORT_PATIENCE_MS: '60000' } });
  await ts.server.services.db.db.update(grants).set({ refreshTokenEnc: null });
  await campus.fault({
    match: '/api/v1/accounts/1/sis_imports',
    method: 'POST',
    kind: 'revoke-token',
    count: 1,
  });
  const course = campus.course();
  const [person] = campus.strangers(1, [course.id]);
  const { id } = await submitted(
    alma,
    `course_id,user_id,role_id,status\n${course.sis},${person?.sis},3,active`,
  );
  await campus.seen((one) => isSending(one));
  alma = await ts.signIn(PEOPLE.all);
  const ended = await watch(alma, id);
  expect(ended.processing_errors[0]?.[1]).toMatch(/no longer act for you.*Nothing was sent\. Sign in again/);
});

test('OP-09 a token without permission to read imports is rejected before anything is sent', async () => {
  await open();
  answerInsteadOf(NO_RIGHT, ({ method, path }) => method === 'GET' && path.includes('/sis_imports'));
  const ended = await send();
  expect(ended.processing_errors[0]?.[1]).toMatch(/Nothing was sent/);
  expect(sendings()).toBe(0);
});
