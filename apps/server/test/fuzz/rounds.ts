/**
 * Timed fuzzing: requests of every kind for half of the time, and answers of an LMS that lies for the other
 * half.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import fc from 'fast-check';
import type { Browser } from '../support/browser.ts';
import { type FuzzRequest, type Lie, lie, request } from './arbitraries.ts';
import type { LyingLms } from './lying-lms.ts';
import { send, wrongWith } from './send.ts';

/** Number of values that are generated together. */
const SAMPLE = 40;
/**
 * Number of requests that are sent at the same time, so that one waiting for the LMS does not delay the
 * others.
 */
const AT_ONCE = 6;

export interface Fuzzed {
  requests: number;
  /** Answers by status; 0 means that the connection ended without an answer. */
  statuses: Record<string, number>;
  /** Failures, each with the request that showed it. */
  wrong: string[];
}

export function nothingFuzzed(): Fuzzed {
  return { requests: 0, statuses: {}, wrong: [] };
}

function note(fuzzed: Fuzzed, status: number, wrong: string | null, value: unknown): void {
  fuzzed.requests++;
  fuzzed.statuses[status] = (fuzzed.statuses[status] ?? 0) + 1;
  if (wrong !== null) fuzzed.wrong.push(`${wrong}\n  at ${JSON.stringify(value).slice(0, 2_000)}`);
}

/** Tries generated values until the time is over or something is wrong. */
async function goOn<T>(
  arbitrary: fc.Arbitrary<T>,
  until: number,
  fuzzed: Fuzzed,
  work: (value: T) => Promise<void>,
) {
  let values: T[] = [];
  const lane = async () => {
    while (performance.now() < until && fuzzed.wrong.length === 0) {
      if (values.length === 0) values = fc.sample(arbitrary, { numRuns: SAMPLE, seed: randomInt(2 ** 31) });
      const value = values.pop();
      if (value !== undefined) await work(value);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

/** Sends requests of every kind. */
export async function fuzzRequests(browser: Browser, ms: number, fuzzed: Fuzzed): Promise<void> {
  await goOn<FuzzRequest>(request, performance.now() + ms, fuzzed, async (one) => {
    const answered = await send(browser, one);
    const shown = { ...one, body: one.body?.toString('latin1').slice(0, 1_500) };
    note(fuzzed, answered?.status ?? 0, answered && wrongWith(answered), shown);
  });
}

const reads = fc.constantFrom(
  'accounts/1/terms',
  'accounts/86/courses?include[]=term',
  'accounts/1/users?search_term=alma.reyes@northbridge.example',
  'users/sis_user_id:5001001',
);

/** Sends the console's requests while the LMS lies. Requests still waiting at the end are dropped. */
export async function fuzzAnswers(
  browser: Browser,
  liar: LyingLms,
  ms: number,
  fuzzed: Fuzzed,
): Promise<void> {
  const until = performance.now() + ms;
  const late = AbortSignal.timeout(Math.ceil(ms));
  const input = { role_id: 3, status: 'active', courses: [101], emails: ['alma.reyes@northbridge.example'] };
  await goOn<[Lie[], string]>(
    fc.tuple(fc.array(lie, { minLength: 1, maxLength: 6 }), reads),
    until,
    fuzzed,
    async ([lies, url]) => {
      liar.lies = lies;
      for (const [path, body] of [
        [ENDPOINTS.invoke, { url, type: 'GET' }],
        [ENDPOINTS.invokePages, { url, type: 'GET' }],
        [ENDPOINTS.peopleLookup, { sis_ids: ['5001001'], logins: ['alma.reyes@northbridge.example'] }],
        [jobStartPath('course-plan'), { key: randomUUID(), input }],
        [ENDPOINTS.ready, null],
      ] as const) {
        try {
          const response = await (body === null
            ? browser.fetch(path, { signal: late })
            : browser.post(path, body, { signal: late }));
          const text = await response.text();
          const headers = Object.fromEntries(response.headers);
          const wrong = wrongWith({ status: response.status, headers, body: text });
          note(fuzzed, response.status, wrong ?? (text.includes('"internal"') ? text.slice(0, 300) : null), {
            lies,
            path,
          });
        } catch (error) {
          if (late.aborted) return;
          note(fuzzed, 0, `no answer: ${String(error)}`, { lies, path });
        }
      }
    },
  );
  liar.lies = [];
}
