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

describe('OP-100 bulk work under the throttle', () => {
  it('resolves 300 look-ups within 1.2 times the limit, under 1 in 200 throttled', async () => {
    const count = 300;
    const before = canvas.stats();
    const ms = await timed(() =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          canvas.call({
            token,
            method: 'GET',
            path: 'accounts/1/users',
            query: [['search_term', `nobody${index}@northbridge.example`]],
            answer: z.array(user),
          }),
        ),
      ),
    );
    const after = canvas.stats();
    const ratio = ms / ((count * LATENCY_MS) / 11);
    console.log(
      `look-ups: ${Math.round(ms)} ms, ${ratio.toFixed(2)} × the limit, throttled ${after.throttled}`,
    );
    expect(ratio).toBeLessThan(1.5);
    expect((after.throttled - before.throttled) / count).toBeLessThan(1 / 200);
    expect(after.highWater).toBeLessThanOrEqual(11);
  });

  it.each([
    ['an uncounted list (courses)', 'accounts/1/courses'],
    ['a counted list (sections would be shorter)', 'accounts/1/terms'],
  ])('reads %s: first page after one round trip, all pages many at a time', async (_, path) => {
    let first = 0;
    let pages = 0;
    const ms = await timed(async () => {
      const started = performance.now();
      const request = {
        token,
        method: 'GET' as const,
        path,
        query: [['per_page', '10']] as const,
        answer: z.unknown(),
      };
      for await (const { page } of canvas.pages(request)) {
        first ||= performance.now() - started;
        expect(page).toBe(++pages);
      }
    });
    const limit = (pages / 11) * LATENCY_MS;
    console.log(
      `${path}: ${pages} pages, first ${Math.round(first)} ms, all ${Math.round(ms)} ms, ${(ms / limit).toFixed(2)} × the limit`,
    );
    expect(first).toBeLessThan(2 * LATENCY_MS);
    if (pages > 40) expect(ms / limit).toBeLessThan(1.8);
  });
});
