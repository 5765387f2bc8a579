/**
 * Steps around every request to any system: the log, the system's gate, latency and faults before the route,
 * and the cost after it.
 */

import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Fault } from '../faults/faults.ts';
import type { Passage, System, Systems } from './systems.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null: a path of the sandbox itself. */
    passage: Passage | null;
  }
}

const SILENCE_MS = 120_000;
const SECRETS = /([?&](?:access_token|refresh_token|client_secret|code|verifier)=)[^&]*/g;

/** Adds the hooks to the server. @param latencyMs delay added to every answer */
export function addPlumbing(app: FastifyInstance, systems: Systems, latencyMs: number): void {
  app.decorateRequest('passage', null);
  app.addHook('onRequest', async (request, reply) => {
    const system = systems.at(pathOf(request));
    if (!system) return undefined;
    const passage = enter(request, reply, system);
    if (system.gate?.enter(passage) === false) return refuse(reply, passage);
    for (const fault of system.faults.take(request.method, request.url)) {
      await play(fault, request, reply, passage);
      if (reply.sent) return reply;
    }
    if (latencyMs > 0) await waitFor(passage, sleep(latencyMs));
    return undefined;
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const { passage } = request;
    if (!passage) return payload;
    passage.cost = Math.max(0.0001, (performance.now() - passage.startedAt - passage.waited) / 1000);
    if (!passage.refused) passage.system.gate?.answer(passage, reply);
    leave(request, reply, passage, true);
    if (passage.drop) cut(reply, passage.drop, payload);
    return payload;
  });
  app.setErrorHandler((error, request, reply) =>
    // An unreadable request has not reached a system.
    request.passage ? request.passage.system.answerError(error, request, reply) : answerError(error, reply),
  );
  app.setNotFoundHandler(answerUnknown);
}

/** Answers an unknown path. It is registered so that systems' own hooks run for such requests too. */
export async function answerUnknown(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  request.passage?.system.refuseUnknown?.(request);
  return reply.code(404).header('content-type', 'text/plain; charset=utf-8').send('Page not found\n');
}

/**
 * Answers a path that cannot be parsed, such as `/%zz`. Such a request reaches no route and no hook; its
 * system only writes the error.
 */
export function answerUnreadable(
  systems: Systems,
): (error: Error, request: FastifyRequest, reply: FastifyReply) => void {
  return (error, request, reply) => {
    const system = systems.at(pathOf(request));
    if (system) system.answerError(error, request, reply);
    else answerError(error, reply);
  };
}

/** Returns whether an error is about a path that cannot be parsed. */
export function isUnreadablePath(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'FST_ERR_BAD_URL';
}

function enter(request: FastifyRequest, reply: FastifyReply, system: System): Passage {
  const passage: Passage = {
    system,
    client: clientOf(request, system),
    startedAt: performance.now(),
    at: new Date().toISOString(),
    waited: 0,
    refused: false,
    left: false,
    cost: 0,
    drop: null,
  };
  request.passage = passage;
  system.log.enter(passage.client);
  // A cut connection never reaches onSend, but what it holds must still be released.
  reply.raw.once('close', () => leave(request, reply, passage, reply.raw.headersSent));
  return passage;
}

function leave(request: FastifyRequest, reply: FastifyReply, passage: Passage, answered: boolean): void {
  if (passage.left) return;
  passage.left = true;
  passage.system.gate?.leave(passage);
  const entry = {
    at: passage.at,
    client: passage.client,
    method: request.method,
    path: request.originalUrl.replace(SECRETS, '$1…'),
    status: answered && !(passage.drop === 'after') ? reply.statusCode : null,
    cost: passage.cost,
    ms: performance.now() - passage.startedAt,
  };
  passage.system.log.leave(entry, passage.refused);
}

function refuse(reply: FastifyReply, passage: Passage): FastifyReply {
  passage.refused = true;
  return passage.system.refuse(reply);
}

async function play(
  fault: Fault,
  request: FastifyRequest,
  reply: FastifyReply,
  passage: Passage,
): Promise<void> {
  const { system } = passage;
  switch (fault.kind) {
    case 'latency': {
      const [from, to] = fault.randomMs ?? [fault.ms ?? 1000, fault.ms ?? 1000];
      await waitFor(passage, sleep(from + system.faults.random() * (to - from)));
      return;
    }
    case 'hold':
      await waitFor(passage, system.faults.takenBack(fault.id));
      return;
    case 'status':
      await reply.code(fault.status).send(system.failure(fault.status, fault.id));
      return;
    case 'throttle':
      await refuse(reply, passage);
      return;
    case 'revoke-token': {
      const credential = system.credentialOf(request);
      if (credential !== null) system.revoke(credential);
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

/** Cuts the connection, either before the first byte of the answer or in the middle of its body. */
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

/** Waits deliberately; this time does not count towards the cost. */
async function waitFor(passage: Passage, end: Promise<void>): Promise<void> {
  const from = performance.now();
  await end;
  passage.waited += performance.now() - from;
}

function pathOf(request: FastifyRequest): string {
  const cutAt = request.url.indexOf('?');
  return cutAt < 0 ? request.url : request.url.slice(0, cutAt);
}

const names = new Map<string, string>();

/** Returns the client, as gates and logs distinguish clients: the credential, or the address. */
function clientOf(request: FastifyRequest, system: System): string {
  const credential = system.credentialOf(request);
  if (credential === null || credential === '') return `ip:${request.ip}`;
  let name = names.get(credential);
  if (name === undefined) {
    if (names.size > 5000) names.clear();
    name = `token:${createHash('sha256').update(credential).digest('hex').slice(0, 12)}`;
    names.set(credential, name);
  }
  return name;
}

/** Answers with an error on one of the sandbox's own paths. */
function answerError(error: unknown, reply: FastifyReply): FastifyReply {
  const status = (error as { statusCode?: number }).statusCode ?? 500;
  if (status >= 500) reply.log.error(error);
  const message = status < 500 && error instanceof Error ? error.message : 'An error occurred.';
  return reply.code(status).send({ errors: [{ message }] });
}
