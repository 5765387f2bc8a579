/**
 * The Canvas client under Canvas's own throttling: it keeps 11 calls in flight, as many as the limit allows.
 */
import { user } from '@lms-admin/contract/canvas-objects';
import { type Sandbox, startSandbox } from '@lms-admin/sandbox/server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createCanvasClient } from '../../src/canvas/client.ts';
import type { CanvasClient, CanvasToken } from '../../src/canvas/types.ts';

const LATENCY_MS = 100;
const MOST = 11;
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
});
beforeEach(async () => {
  canvas = createCanvasClient({ url: sandbox.url, maxInFlight: MOST, timeoutMs: 10_000 });
  await canvas.call({ token, method: 'GET', path: 'accounts/1', answer: item });
});
afterEach(() => canvas.close());
afterAll(() => sandbox.close());

// The benchmark measures the time. What is tested here does not depend on how fast the machine is.
describe('OP-100 bulk work under throttling', () => {
  it('lookups keep as many calls in flight as the limit allows, and fewer than 1 in 200 are throttled', async () => {
    const emails = Array.from({ length: 220 }, (_, index) => `nobody${index}@northbridge.example`);
    await Promise.all(
      emails.map((email) =>
        canvas.call({
          token,
          method: 'GET',
          path: 'accounts/1/users',
          query: [['search_term', email]],
          answer: z.array(user),
        }),
      ),
    );
    const { outcomes, highWater } = canvas.stats();
    expect(outcomes.throttled / emails.length).toBeLessThan(1 / 200);
    expect(highWater).toBe(MOST);
  });

  it('a list without a total is read several pages at a time, each page once', async () => {
    const numbers: number[] = [];
    const query = [['per_page', '10']] as const;
    const path = 'accounts/1/courses';
    for await (const { page } of canvas.pages({ token, method: 'GET', path, query, answer: z.unknown() })) {
      numbers.push(page);
    }
    expect(numbers.length).toBeGreaterThan(40);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(canvas.stats().highWater).toBe(MOST);
  });
});
