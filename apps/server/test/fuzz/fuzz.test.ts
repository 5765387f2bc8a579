/**
 * Fuzzing over HTTP for a few seconds: requests of every kind, then answers of an LMS that lies. `npm run
 * fuzz` runs for as long as required.
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type Sandbox, startSandbox } from '@lms-admin/sandbox/server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { type LyingLms, lyingLms } from './lying-lms.ts';
import { fuzzAnswers, fuzzRequests, nothingFuzzed } from './rounds.ts';

/** Milliseconds for each half. Findings are reported at the end. */
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

it('OP-97 any request gets a proper answer, and nothing is sent to the LMS', async () => {
  const fuzzed = nothingFuzzed();
  await fuzzRequests(alma, FOR_MS, fuzzed);
  expect(fuzzed.wrong).toEqual([]);
  expect(fuzzed.requests).toBeGreaterThan(10);
  expect(liar.writes).toEqual([]);
  expect((await alma.fetch(ENDPOINTS.jobs)).status).toBe(200);
});

it('OP-97 whatever the LMS answers, LMS Admin does not fail and does not send anything because of it', async () => {
  const fuzzed = nothingFuzzed();
  await fuzzAnswers(alma, liar, FOR_MS, fuzzed);
  expect(fuzzed.wrong).toEqual([]);
  expect(fuzzed.requests).toBeGreaterThan(5);
  expect(liar.writes).toEqual([]);
});
