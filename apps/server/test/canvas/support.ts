/** An LMS for testing its client: a real HTTP server whose answers each test defines. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { z } from 'zod';
import { type CanvasClientOptions, createCanvasClient } from '../../src/canvas/client.ts';
import {
  type CanvasClient,
  CanvasError,
  type CanvasRequest,
  type CanvasToken,
} from '../../src/canvas/types.ts';

export type Handler = (
  request: IncomingMessage & { body: string },
  response: ServerResponse,
  count: number,
) => void;

const opened: { canvas: CanvasClient; close: () => void }[] = [];
/** Closes everything that the test opened. */
export async function closeAll(): Promise<void> {
  for (const { canvas, close } of opened.splice(0)) {
    await canvas.close();
    close();
  }
}

/** Starts an LMS whose answers come from the handler. `seen` lists its requests. */
export async function lms(handler: Handler, options: Partial<CanvasClientOptions> = {}) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen.push(`${request.method} ${request.url}`);
      handler(Object.assign(request, { body: Buffer.concat(chunks).toString() }), response, seen.length);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const canvas = createCanvasClient({ url, maxInFlight: 11, timeoutMs: 20_000, ...options });
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  opened.push({ canvas, close });
  return { canvas, seen, url, close };
}

export function json(
  response: ServerResponse,
  body: unknown,
  headers: Record<string, string> = {},
  status = 200,
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(body));
}

export function throttle(response: ServerResponse): void {
  response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8', 'x-rate-limit-remaining': '0.0' });
  response.end('403 Forbidden (Rate Limit Exceeded)\n');
}

export const token: CanvasToken = { bucket: 'a', owner: 'admin', value: () => Promise.resolve('secret') };
const anything = z.unknown();
export const get = (path: string, more: Partial<CanvasRequest<unknown>> = {}): CanvasRequest<unknown> => ({
  token,
  method: 'GET',
  path,
  answer: anything,
  ...more,
});

export async function failure(work: Promise<unknown>): Promise<CanvasError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(CanvasError);
  return error as CanvasError;
}
