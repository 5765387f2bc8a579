import type { PeopleLine } from '@lms-admin/contract/people';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../src/api/errors.ts';
import { type Ask, LookupStore } from '../../src/components/PeopleLookup/lookup-store.ts';

const person = (asked: string) => ({
  id: 1,
  name: `Person ${asked}`,
  login_id: `${asked}@school.example`,
  sis_user_id: asked,
});
const found = (asked: string): PeopleLine => ({
  by: 'sis_id',
  asked,
  result: 'found',
  person: person(asked),
});

/** Creates a server that gives these answers and records its requests. */
function server(answer: (ids: string[], signal: AbortSignal) => AsyncIterable<PeopleLine>) {
  const asked: string[][] = [];
  const aborted: string[][] = [];
  const ask: Ask = (request, signal) => {
    const ids = request.sis_ids ?? [];
    asked.push(ids);
    signal.addEventListener('abort', () => aborted.push(ids));
    return answer(ids, signal);
  };
  return { asked, aborted, ask };
}
async function* everybody(ids: string[]): AsyncGenerator<PeopleLine> {
  for (const id of ids) yield found(id);
  yield { done: true };
}
async function* never(_: string[], signal: AbortSignal): AsyncGenerator<PeopleLine> {
  await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  yield { done: true };
}
/** A server that rejects every request. */
// oxlint-disable-next-line require-yield
async function* refusing(): AsyncGenerator<PeopleLine> {
  throw new ApiError(502, {
    code: 'lms-refused',
    message: 'The LMS does not accept LMS Admin’s token.',
    next: 'Ask IT Support to renew it in the settings of LMS Admin.',
    requestId: null,
  });
}
const pause = () => vi.advanceTimersByTimeAsync(600);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('looking people up', () => {
  test('OP-50 starts after a pause, once for each id, and later looks up only new ids', async () => {
    const { asked, ask } = server(everybody);
    const store = new LookupStore(ask);
    store.want({ sis_id: ['A'] });
    await vi.advanceTimersByTimeAsync(200);
    store.want({ sis_id: ['A', 'B'] });
    await pause();
    expect(asked.map((ids) => ids.toSorted())).toEqual([['A', 'B']]);
    expect(store.get('sis_id', 'A')).toEqual({ result: 'found', person: person('A') });
    store.want({ sis_id: ['A', 'B', 'C'] });
    await pause();
    expect(asked.map((ids) => ids.toSorted())).toEqual([['A', 'B'], ['C']]);
  });

  test('OP-50 processes many ids in batches, one after the other', async () => {
    const { asked, ask } = server(everybody);
    const store = new LookupStore(ask);
    store.want({ sis_id: Array.from({ length: 1_200 }, (_, index) => `P${index}`) });
    await pause();
    expect(asked.map((ids) => ids.length)).toEqual([500, 500, 200]);
    expect(new Set(asked.flat()).size).toBe(1_200);
  });

  test('OP-50 the latest entry does not wait for a long list, because the person is waiting for that result', async () => {
    const { asked, ask } = server(async function* (ids) {
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      yield* everybody(ids);
    });
    const store = new LookupStore(ask);
    const many = Array.from({ length: 1_000 }, (_, index) => `P${index}`);
    store.want({ sis_id: many });
    await pause();
    store.want({ sis_id: [...many, 'LATE'] });
    await pause();
    expect(asked.map((ids) => ids.length)).toEqual([500, 1]);
    expect(asked[1]).toEqual(['LATE']);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(asked.map((ids) => ids.length)).toEqual([500, 1, 500]);
  });

  test('CU-21 OP-57 people are also looked up by login, in the same request', async () => {
    const asked: unknown[] = [];
    const store = new LookupStore(async function* (request) {
      asked.push(request);
      yield { by: 'login', asked: 'x', result: 'not-found', person: null };
      yield { by: 'sis_id', asked: 'x', result: 'found', person: person('x') };
    });
    store.want({ sis_id: ['x'], login: ['x'] });
    await pause();
    expect(asked).toEqual([{ sis_ids: ['x'], logins: ['x'], emails: [] }]);
    expect(store.get('login', 'x')).toEqual({ result: 'not-found' });
    expect(store.get('sis_id', 'x')?.result).toBe('found');
  });

  test('OP-45 CE-15 an address is returned with the reason if its person exists but cannot be enrolled', async () => {
    const store = new LookupStore(async function* () {
      yield { by: 'email', asked: 'a', result: 'found', person: person('a') };
      yield { by: 'email', asked: 'b', result: 'not-found', person: person('b'), why: 'no-sis-id' };
      yield { by: 'email', asked: 'c', result: 'not-found', person: null };
    });
    store.want({ email: ['a', 'b', 'c'] });
    await pause();
    expect(['a', 'b', 'c', 'd'].map((one) => store.get('email', one))).toEqual([
      { result: 'found', person: person('a') },
      { result: 'not-found', why: 'no-sis-id', person: person('b') },
      { result: 'not-found' },
      undefined,
    ]);
    expect(store.get('login', 'a')).toBeUndefined();
  });

  test('OP-50 a person from the local copy is shown until the LMS has answered, and is looked up again if the LMS did not answer', async () => {
    const asked: string[][] = [];
    const store = new LookupStore(async function* ({ sis_ids: ids = [] }) {
      asked.push([...ids]);
      for (const id of ids)
        yield { by: 'sis_id', asked: id, result: 'found', person: person(id), as_of: 5 } as const;
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      yield { by: 'sis_id', asked: 'A', result: 'found', person: person('A') };
      yield { by: 'sis_id', asked: 'B', result: 'not-found', person: null };
    });
    store.want({ sis_id: ['A', 'B', 'C'] });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(store.get('sis_id', 'B')).toEqual({ result: 'found', person: person('B'), asOf: 5 });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(['A', 'B', 'C'].map((id) => store.get('sis_id', id))).toEqual([
      { result: 'found', person: person('A') },
      { result: 'not-found' },
      { result: 'failed' },
    ]);
    store.rest();
    store.want({ sis_id: ['A', 'D'] });
    await vi.advanceTimersByTimeAsync(1_000);
    store.rest();
    store.want({ sis_id: ['A', 'D'] });
    await pause();
    expect(asked).toEqual([['A', 'B', 'C'], ['D'], ['D']]);
  });

  test('OP-50 a change that adds no entries does not delay the request', async () => {
    const { asked, ask } = server(everybody);
    const store = new LookupStore(ask);
    store.want({ sis_id: ['A'] });
    await vi.advanceTimersByTimeAsync(300);
    store.want({ sis_id: ['A'] });
    await vi.advanceTimersByTimeAsync(150);
    expect(asked).toEqual([['A']]);
  });

  test('OP-50 requests that are not needed any more are cancelled', async () => {
    const { asked, aborted, ask } = server(never);
    const store = new LookupStore(ask);
    store.want({ sis_id: ['A'] });
    await pause();
    store.want({ sis_id: ['A', 'B'] });
    expect(aborted).toEqual([]);
    store.want({ sis_id: ['B'] });
    expect(aborted).toEqual([['A']]);
    await pause();
    expect(asked).toEqual([['A'], ['B']]);
    store.rest();
    expect(aborted).toEqual([['A'], ['B']]);
    await pause();
    expect(store.get('sis_id', 'B')).toBeUndefined();
  });

  test('OP-48 when an answer breaks off, its ids count as failed and can be looked up again', async () => {
    let broken = true;
    const { asked, ask } = server(async function* (ids) {
      yield found(ids[0] ?? '');
      if (broken) throw new Error('lost');
      yield* everybody(ids.slice(1));
    });
    const store = new LookupStore(ask);
    let renders = 0;
    store.subscribe(() => renders++);
    store.want({ sis_id: ['A', 'B', 'C'] });
    await pause();
    expect(['A', 'B', 'C'].map((id) => store.get('sis_id', id)?.result)).toEqual([
      'found',
      'failed',
      'failed',
    ]);
    expect(renders).toBe(1);
    broken = false;
    store.retry();
    await pause();
    expect(asked).toEqual([
      ['A', 'B', 'C'],
      ['B', 'C'],
    ]);
    expect(store.get('sis_id', 'C')?.result).toBe('found');
  });

  test('OP-50 people who were not found are looked up again when the dialog is reopened', async () => {
    const { asked, ask } = server(async function* (ids) {
      for (const asked of ids) yield { by: 'sis_id', asked, result: 'not-found', person: null };
    });
    const store = new LookupStore(ask);
    store.want({ sis_id: ['A'] });
    await pause();
    expect(store.get('sis_id', 'A')).toEqual({ result: 'not-found' });
    store.rest();
    store.want({ sis_id: ['A'] });
    await pause();
    expect(asked).toEqual([['A'], ['A']]);
  });
});

test('CU-20 OP-05 the reason for failed lookups is shown until a lookup succeeds', async () => {
  let answer: Parameters<typeof server>[0] = refusing;
  const { ask } = server((ids, signal) => answer(ids, signal));
  const lookups = new LookupStore(ask);
  lookups.want({ sis_id: ['1'] });
  await pause();
  expect(lookups.get('sis_id', '1')).toEqual({ result: 'failed' });
  expect(lookups.failure?.next).toContain('IT Support');
  answer = everybody;
  lookups.retry();
  await pause();
  expect(lookups.get('sis_id', '1')?.result).toBe('found');
  expect(lookups.failure).toBeNull();
});
