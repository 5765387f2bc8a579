/** An outside system for tests: a real HTTP server that behaves as each test defines, and a client for it. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { OutsideError } from '../../src/outbound/errors.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import type { Outbound, OutboundOptions } from '../../src/outbound/types.ts';

export interface Asked extends IncomingMessage {
  body: string;
}

/** @param count how many requests have been made so far, including this one */
type Handler = (request: Asked, response: ServerResponse, count: number) => void;

export interface Outside {
  outbound: Outbound;
  /** Method, path and body of every request, in order of completion. */
  seen: {
    line: string;
    body: string;
    at: number;
    authorization: string | undefined;
    agent: string | undefined;
  }[];
  url: string;
  /** Makes the system stop answering. */
  stop: () => Promise<void>;
}

const opened: Outside[] = [];

/** Closes everything that the test opened. */
export async function closeAll(): Promise<void> {
  for (const one of opened.splice(0)) {
    await one.outbound.close();
    await one.stop();
  }
}

/** Starts a system whose answers come from the handler. */
export async function outside(handler: Handler, options: Partial<OutboundOptions> = {}): Promise<Outside> {
  const seen: Outside['seen'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const { authorization, 'user-agent': agent } = request.headers;
      seen.push({
        line: `${request.method} ${request.url}`,
        body,
        at: performance.now(),
        authorization,
        agent,
      });
      handler(Object.assign(request, { body }), response, seen.length);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const outbound = createOutbound({ system: 'Zoom', origin: url, ...options });
  let stopped = false;
  const one: Outside = {
    outbound,
    seen,
    url,
    async stop() {
      if (stopped) return;
      stopped = true;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  opened.push(one);
  return one;
}

/** Returns the error that the work fails with. */
export async function failure(work: Promise<unknown>): Promise<OutsideError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OutsideError);
  return error as OutsideError;
}

/** Creates a promise, and the functions that settle it. */
export function event<T = void>(): { happened: Promise<T>; tell: (value: T) => void } {
  let tell: (value: T) => void = () => undefined;
  const happened = new Promise<T>((resolve) => {
    tell = resolve;
  });
  return { happened, tell };
}
