/**
 * Fuzzing through the front door, for some seconds: requests of every sort, then answers of a LMS that lies. `npm run fuzz` goes on
 * for as long as one likes.
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type Sandbox, startSandbox } from '@lms-admin/sandbox/server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { type LyingLms, lyingLms } from './lying-lms.ts';
import { fuzzAnswers, fuzzRequests, nothingFuzzed } from './rounds.ts';

/** Milliseconds that each half takes; what has been found by then is told. */
const FOR_MS = 8_000;

let lms: Sandbox;
let liar: LyingLms;
let test: TestServer;
let alma: Browser;

beforeAll(async () => {
  lms = await startSandbox({ port: 0, mode: 'test', throttle: false });
  liar = await lyingLms(lms.url);
  test = await startTestServer({ lms, env: { LMS_URL: liar.url, LMS_TIMEOUT_MS: '2000' } });
  alma = await test.signIn(PEOPLE.all);
});
afterAll(async () => {
  await test?.close();
  await liar?.close();
  await lms?.close();
});

it('OP-97 whatever is sent, it is answered in good order, and nothing goes to the LMS', async () => {
  const fuzzed = nothingFuzzed();
  await fuzzRequests(alma, FOR_MS, fuzzed);
  expect(fuzzed.wrong).toEqual([]);
  expect(fuzzed.requests).toBeGreaterThan(10);
  expect(liar.writes).toEqual([]);
  expect((await alma.fetch(ENDPOINTS.jobs)).status).toBe(200);
});

it('OP-97 whatever the LMS answers, nothing of ours fails, and nothing is sent for it', async () => {
  const fuzzed = nothingFuzzed();
  await fuzzAnswers(alma, liar, FOR_MS, fuzzed);
  expect(fuzzed.wrong).toEqual([]);
  expect(fuzzed.requests).toBeGreaterThan(5);
  expect(liar.writes).toEqual([]);
});
