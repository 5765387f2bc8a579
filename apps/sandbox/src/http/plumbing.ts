/**
 * What happens around every request: the log, the throttle, the latency and the faults, before any route
 * is asked, and the cost headers after it (reference §5).
 */

import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { tokenText } from '../canvas/http/auth.ts';
import { ApiError, serverError } from '../canvas/http/errors.ts';
import type { Throttle } from '../canvas/http/throttle.ts';
import type { TokenStore } from '../canvas/oauth/tokens.ts';
import type { SandboxOptions } from '../config.ts';
import type { Fault, Faults } from '../faults/faults.ts';
import type { RequestLog } from './request-log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    passage: Passage | null;
  }
}

/** One request on its way through. */
type Passage = {
  client: string;
  startedAt: number;
  at: string;
  /** Milliseconds that were waited on purpose: not part of the cost. */
  waited: number;
  reserved: boolean;
  throttled: boolean;
  settled: boolean;
  left: boolean;
  cost: number;
  /** A connection to be cut once the answer is there. */
  drop: 'body' | 'after' | null;
};

export type PlumbingParts = {
  options: SandboxOptions;
  tokens: TokenStore;
  faults: Faults;
  log: RequestLog;
  throttle: Throttle | null;
};

const THROTTLED_BODY = '403 Forbidden (Rate Limit Exceeded)\n';
const SILENCE_MS = 120_000;
/** Paths that are not Canvas's own: neither throttled nor logged nor broken. */
const OWN_PATHS = /^\/(?:sandbox(?:\/|$)|images\/|$)/;
const SECRETS = /([?&](?:access_token|refresh_token|client_secret|code|verifier)=)[^&]*/g;

/** Puts the hooks onto the server. */
export function addPlumbing(app: FastifyInstance, parts: PlumbingParts): void {
  app.decorateRequest('passage', null);
  app.addHook('onRequest', async (request, reply) => {
    const path = pathOf(request);
    if (OWN_PATHS.test(path)) return undefined;
    const passage = enter(request, reply, parts);
    if (parts.throttle && !parts.throttle.reserve(passage.client)) return refuse(reply, passage);
    passage.reserved = parts.throttle !== null;
    for (const fault of parts.faults.take(request.method, request.url)) {
      await play(fault, request, reply, passage, parts);
      if (reply.sent) return reply;
    }
    if (parts.options.latencyMs > 0) await wait(passage, parts.options.latencyMs);
    return undefined;
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const { passage } = request;
    if (!passage) return payload;
    settle(request, reply, passage, parts);
    if (passage.drop) cut(reply, passage.drop, payload);
    return payload;
  });
}

function enter(request: FastifyRequest, reply: FastifyReply, parts: PlumbingParts): Passage {
  const passage: Passage = {
    client: clientOf(request),
    startedAt: performance.now(),
    at: new Date().toISOString(),
    waited: 0,
    reserved: false,
    throttled: false,
    settled: false,
    left: false,
    cost: 0,
    drop: null,
  };
  request.passage = passage;
  parts.log.enter(passage.client);
  // A connection that is cut never reaches onSend: it must give back what it holds all the same.
  reply.raw.once('close', () => leave(request, reply, passage, parts, reply.raw.headersSent));
  return passage;
}

function settle(request: FastifyRequest, reply: FastifyReply, passage: Passage, parts: PlumbingParts): void {
  passage.cost = Math.max(0.0001, (performance.now() - passage.startedAt - passage.waited) / 1000);
  if (!passage.throttled) {
    void reply.header('x-request-cost', String(passage.cost));
    const remaining = release(passage, parts);
    if (remaining !== null) void reply.header('x-rate-limit-remaining', String(remaining));
  }
  leave(request, reply, passage, parts, true);
}

function release(passage: Passage, parts: PlumbingParts): number | null {
  if (!passage.reserved || passage.settled || !parts.throttle) return null;
  passage.settled = true;
  return parts.throttle.settle(passage.client, passage.cost);
}

function leave(
  request: FastifyRequest,
  reply: FastifyReply,
  passage: Passage,
  parts: PlumbingParts,
  answered: boolean,
): void {
  if (passage.left) return;
  passage.left = true;
  release(passage, parts);
  const entry = {
    at: passage.at,
    client: passage.client,
    method: request.method,
    path: request.originalUrl.replace(SECRETS, '$1…'),
    status: answered && !(passage.drop === 'after') ? reply.statusCode : null,
    cost: passage.cost,
    ms: performance.now() - passage.startedAt,
  };
  parts.log.leave(entry, passage.throttled);
}

function refuse(reply: FastifyReply, passage: Passage): FastifyReply {
  passage.throttled = true;
  return reply
    .code(403)
    .header('content-type', 'text/plain; charset=utf-8')
    .header('x-rate-limit-remaining', '0.0')
    .send(THROTTLED_BODY);
}

async function play(
  fault: Fault,
  request: FastifyRequest,
  reply: FastifyReply,
  passage: Passage,
  parts: PlumbingParts,
): Promise<void> {
  switch (fault.kind) {
    case 'latency': {
      const [from, to] = fault.randomMs ?? [fault.ms ?? 1000, fault.ms ?? 1000];
      await wait(passage, from + parts.faults.random() * (to - from));
      return;
    }
    case 'status': {
      const error = serverError(fault.id);
      const text = fault.status === 500 ? error.body : { errors: [{ message: 'An error occurred.' }] };
      await reply.code(fault.status).send(text);
      return;
    }
    case 'throttle':
      await refuse(reply, passage);
      return;
    case 'revoke-token': {
      const token = parts.tokens.find(tokenText(request) ?? '');
      if (token) parts.tokens.revoke(token);
      return;
    }
    case 'timeout':
      reply.hijack();
      setTimeout(() => reply.raw.destroy(), fault.ms ?? SILENCE_MS).unref();
      return;
    case 'drop':
      if (fault.when === 'before') {
        reply.hijack();
        reply.raw.destroy();
      } else passage.drop = fault.when;
      return;
    default:
  }
}

/** Cuts the connection: without a byte of the answer, or in the middle of its body. */
function cut(reply: FastifyReply, when: 'body' | 'after', payload: unknown): void {
  const { raw } = reply;
  reply.hijack();
  if (when === 'after') {
    raw.destroy();
    return;
  }
  const body =
    typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.from(payload) : Buffer.from('{"');
  const announced = Math.max(body.length, 2);
  raw.writeHead(reply.statusCode, { ...headersOf(reply), 'content-length': String(announced) });
  raw.write(body.subarray(0, Math.floor(announced / 2)), () => raw.destroy());
}

function headersOf(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(
    Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : String(value)]],
    ),
  );
}

async function wait(passage: Passage, ms: number): Promise<void> {
  const from = performance.now();
  await new Promise((resolve) => setTimeout(resolve, ms));
  passage.waited += performance.now() - from;
}

function pathOf(request: FastifyRequest): string {
  const cutAt = request.url.indexOf('?');
  return cutAt < 0 ? request.url : request.url.slice(0, cutAt);
}

const names = new Map<string, string>();

/** Who asks, as the throttle and the log tell clients apart (§5): the token, else the address. */
function clientOf(request: FastifyRequest): string {
  const token = tokenText(request);
  if (token === null || token === '') return `ip:${request.ip}`;
  let name = names.get(token);
  if (name === undefined) {
    if (names.size > 5000) names.clear();
    name = `token:${createHash('sha256').update(token).digest('hex').slice(0, 12)}`;
    names.set(token, name);
  }
  return name;
}

/** The error handler of the server: what was thrown, as Canvas says it. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ApiError) {
    void reply.code(error.status).headers(error.headers);
    if (typeof error.body === 'string') {
      void reply.header('content-type', 'text/plain; charset=utf-8');
    }
    return reply.send(error.body);
  }
  const status = (error as { statusCode?: number }).statusCode ?? 500;
  if (status >= 400 && status < 500) {
    const message = error instanceof Error ? error.message : 'Bad request';
    return reply.code(status).send({ errors: [{ message }] });
  }
  request.log.error(error);
  return reply.code(500).send(serverError(nextReport++).body);
}

let nextReport = 1;
