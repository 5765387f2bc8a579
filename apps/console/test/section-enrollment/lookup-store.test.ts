import type { PeopleLine } from '@lms-admin/contract/people';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Ask, LookupStore } from '../../src/components/PeopleLookup/lookup-store.ts';
import { listPeople } from '../../src/tools/section-enrollment/named-ids.ts';

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

/** A server that answers as told, and remembers what it was asked. */
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
const pause = () => vi.advanceTimersByTimeAsync(600);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('looking people up', () => {
  test('OP-50 asks after a pause, each id once, only new ones later', async () => {
    const { asked, ask } = server(everybody);
    const store = new LookupStore(ask);
    store.want(new Set(['A']));
    await vi.advanceTimersByTimeAsync(200);
    store.want(new Set(['A', 'B']));
    await pause();
    expect(asked.map((ids) => ids.toSorted())).toEqual([['A', 'B']]);
    expect(store.get('A')).toEqual({ result: 'found', person: person('A') });
    store.want(new Set(['A', 'B', 'C']));
    await pause();
    expect(asked.map((ids) => ids.toSorted())).toEqual([['A', 'B'], ['C']]);
  });

  test('OP-50 goes through many ids in batches, one after the other', async () => {
    const { asked, ask } = server(everybody);
    const store = new LookupStore(ask);
    store.want(new Set(Array.from({ length: 1_200 }, (_, index) => `P${index}`)));
    await pause();
    expect(asked.map((ids) => ids.length)).toEqual([500, 500, 200]);
    expect(new Set(asked.flat()).size).toBe(1_200);
  });

  test('OP-50 what was entered last is asked first: somebody is looking at it', async () => {
    const { asked, ask } = server(async function* (ids) {
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      yield* everybody(ids);
    });
    const store = new LookupStore(ask);
    const many = Array.from({ length: 1_000 }, (_, index) => `P${index}`);
    store.want(new Set(many));
    await pause();
    store.want(new Set([...many, 'LATE']));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(asked[1]?.[0]).toBe('LATE');
    expect(asked[1]).toHaveLength(500);
  });

  test('OP-50 what nobody wants any more is not asked to its end', async () => {
    const { asked, aborted, ask } = server(never);
    const store = new LookupStore(ask);
    store.want(new Set(['A']));
    await pause();
    store.want(new Set(['A', 'B']));
    expect(aborted).toEqual([]);
    store.want(new Set(['B']));
    expect(aborted).toEqual([['A']]);
    await pause();
    expect(asked).toEqual([['A'], ['B']]);
    store.rest();
    expect(aborted).toEqual([['A'], ['B']]);
    await pause();
    expect(store.get('B')).toBeUndefined();
  });

  test('OP-48 an answer that breaks off leaves its ids failed, which can be asked again', async () => {
    let broken = true;
    const { asked, ask } = server(async function* (ids) {
      yield found(ids[0] ?? '');
      if (broken) throw new Error('lost');
      yield* everybody(ids.slice(1));
    });
    const store = new LookupStore(ask);
    let draws = 0;
    store.subscribe(() => draws++);
    store.want(new Set(['A', 'B', 'C']));
    await pause();
    expect(['A', 'B', 'C'].map((id) => store.get(id)?.result)).toEqual(['found', 'failed', 'failed']);
    expect(draws).toBe(1);
    broken = false;
    store.again(['A', 'B', 'C']);
    await pause();
    expect(asked).toEqual([
      ['A', 'B', 'C'],
      ['B', 'C'],
    ]);
    expect(store.get('C')?.result).toBe('found');
  });

  test('OP-50 who was not found is asked for anew when the dialog is opened again', async () => {
    const { asked, ask } = server(async function* (ids) {
      for (const asked of ids) yield { by: 'sis_id', asked, result: 'not-found', person: null };
    });
    const store = new LookupStore(ask);
    store.want(new Set(['A']));
    await pause();
    expect(store.get('A')).toEqual({ result: 'not-found' });
    store.rest();
    store.want(new Set(['A']));
    await pause();
    expect(asked).toEqual([['A'], ['A']]);
  });
});

describe('the list beside the ids', () => {
  const known = (id: string) =>
    id.startsWith('F')
      ? ({ result: 'found', person: person(id) } as const)
      : id.startsWith('N')
        ? ({ result: 'not-found' } as const)
        : id.startsWith('X')
          ? ({ result: 'failed' } as const)
          : undefined;

  test('OP-50 a short list keeps the order of the text and counts each result', () => {
    const list = listPeople({ ids: ['F1', 'N1', 'X1'], invalid: ['a/b'] }, known);
    expect(list.people.map(({ id }) => id)).toEqual(['a/b', 'F1', 'N1', 'X1']);
    expect(list.words).toBe('1 found · 1 not found · 1 could not be looked up · 1 not usable');
    expect(list.failed).toEqual(['X1']);
    expect(list.settled).toBe(true);
  });

  test('OP-50 in a long list what is wrong comes first; what is on its way is counted', () => {
    const ids = ['F1', 'F2', 'F3', 'F4', 'F5', 'N1', 'L1'];
    const list = listPeople({ ids, invalid: [] }, known);
    expect(list.people.map(({ id }) => id)).toEqual(['N1', 'F1', 'F2', 'F3', 'F4', 'F5', 'L1']);
    expect(list.words).toBe('Looking up 6 of 7 · 5 found · 1 not found');
    expect(list.settled).toBe(false);
  });
});
