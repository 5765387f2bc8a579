/** The Canvas client under Canvas's own throttle: how close it comes to the limit of 11 calls in flight. */
import { user } from '@lms-admin/contract/canvas-objects';
import { type Sandbox, startSandbox } from '@lms-admin/sandbox/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createCanvasClient } from '../../src/canvas/client.ts';
import type { CanvasClient, CanvasToken } from '../../src/canvas/types.ts';

const LATENCY_MS = 100;
const token: CanvasToken = {
  bucket: 'test',
  owner: 'service',
  value: () => Promise.resolve('sandbox-admin-token'),
};
const item = z.object({ id: z.number() });

let sandbox: Sandbox;
let canvas: CanvasClient;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, mode: 'test', latencyMs: LATENCY_MS });
  canvas = createCanvasClient({ url: sandbox.url, maxInFlight: 11, timeoutMs: 10_000 });
  await canvas.call({ token, method: 'GET', path: 'accounts/1', answer: item });
});
afterAll(async () => {
  await canvas.close();
  await sandbox.close();
});

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** The same requests by 11 bare workers: what the limit allows on this machine at this moment. */
async function bare(paths: readonly string[]): Promise<number> {
  const queue = [...paths];
  const worker = async () => {
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      const response = await fetch(`${sandbox.url}/api/v1/${path}`, {
        headers: { authorization: 'Bearer sandbox-admin-token' },
      });
      await response.text();
    }
  };
  return timed(() => Promise.all(Array.from({ length: 11 }, worker)));
}

// The figures themselves are the bench's; here a bound that holds on a busy machine too.
describe('OP-100 bulk work under the throttle', () => {
  it('look-ups take about as long as 11 bare workers do, under 1 in 200 throttled', async () => {
    const emails = Array.from({ length: 220 }, (_, index) => `nobody${index}@northbridge.example`);
    const paths = emails.map((email) => `accounts/1/users?search_term=${encodeURIComponent(email)}`);
    const limit = await bare(paths);
    const before = canvas.stats();
    const ms = await timed(() =>
      Promise.all(
        emails.map((email) =>
          canvas.call({
            token,
            method: 'GET',
            path: 'accounts/1/users',
            query: [['search_term', email]],
            answer: z.array(user),
          }),
        ),
      ),
    );
    const after = canvas.stats();
    // Before and after: what else the machine does may begin in between.
    expect(ms / Math.max(limit, await bare(paths))).toBeLessThan(1.6);
    expect((after.outcomes.throttled - before.outcomes.throttled) / emails.length).toBeLessThan(1 / 200);
    expect(after.highWater).toBeLessThanOrEqual(11);
  });

  it('an uncounted list is read many pages at a time, each page once', async () => {
    const numbers: number[] = [];
    const query = [['per_page', '10']] as const;
    const ms = await timed(async () => {
      const path = 'accounts/1/courses';
      for await (const { page } of canvas.pages({ token, method: 'GET', path, query, answer: z.unknown() })) {
        numbers.push(page);
      }
    });
    expect(numbers.length).toBeGreaterThan(40);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    const limit = await bare(numbers.map((page) => `accounts/1/courses?per_page=10&page=${page}`));
    expect(ms / limit).toBeLessThan(2.2);
  });
});
