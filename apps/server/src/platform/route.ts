/**
 * How a route of the back end is declared. Each says three things, and the server does not start when one is missing:
 *
 * - `for`: whom it is for. `'public'` answers without a session, `'signed-in'` to every admin; else the tools of which an
 *   admin needs one (`toolsCalling('user-search')`: those that make this call of the LMS). The guard checks it before
 *   the body is read.
 * - `takes`: its request, by a schema for each part that it reads, or `'none'`. Parts and fields without one do not get
 *   to the handler. `body: 'multipart'` leaves the form to the handler.
 * - `answers`: what it answers (`answers.ts`): `data(schema)` for the usual envelope. What the schema does not name is cut.
 *
 * ```ts
 * addRoute(
 *   app,
 *   {
 *     method: 'GET',
 *     path: ENDPOINTS.plan,
 *     for: ['course-enrollment'],
 *     takes: { params: z.object({ plan: z.uuid() }) },
 *     answers: data(plan),
 *   },
 *   async (request) => answer(await plans.get(adminOf(request), request.params.plan)),
 * );
 * ```
 *
 * The safety matrix (test/lms/matrix-routes.test.ts) calls every declared route as every kind of admin; it must be told
 * how to call a new one, and says so.
 */
import type { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import { TOOLS, type ToolId } from '@lms-admin/contract/tools';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Answers } from './answers.ts';
import { badRequest, issueDetail } from './http-errors.ts';
import { readInTurns } from './read-in-turns.ts';

export type Audience = 'public' | 'signed-in' | readonly ToolId[];

interface Taken {
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType | 'multipart';
}
export type Takes = 'none' | Taken;

/** What a route says of itself. `G` is what its handler gives to be answered. */
export interface Declaration<T extends Takes = Takes, G = never> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: (typeof ENDPOINTS)[keyof typeof ENDPOINTS] | ReturnType<typeof jobStartPath>;
  readonly for: Audience;
  readonly takes: T;
  readonly answers: Answers<G>;
  /** Most bytes of the body, where a megabyte is not enough. */
  readonly bodyLimit?: number;
  /** The tools for which that holds, where others may use the route, too. */
  readonly bodyLimitFor?: readonly ToolId[];
  /** Most requests a minute from one address. */
  readonly perMinute?: number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    declaration?: Declaration;
  }
  interface FastifyInstance {
    /** Every route that has been declared. */
    declared: readonly Declaration[];
  }
}

type Part<T, K extends string> = T extends { readonly [N in K]: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;
interface Parts<T extends Takes> {
  Params: Part<T, 'params'>;
  Querystring: Part<T, 'query'>;
  Body: Part<T, 'body'>;
}

/** Adds a route. */
export function addRoute<T extends Takes, G>(
  app: FastifyInstance,
  declaration: Declaration<T, G>,
  handler: (request: FastifyRequest<Parts<T>>, reply: FastifyReply) => G | Promise<G>,
): void {
  requireWhole(declaration);
  const { method, path, takes, answers, bodyLimit, perMinute } = declaration;
  const taken: Taken = takes === 'none' ? {} : takes;
  app.route<Parts<T>>({
    method,
    url: path,
    config: {
      declaration,
      ...(answers.compressed === false ? { compress: false } : {}),
      ...(perMinute === undefined ? {} : { rateLimit: { max: perMinute, timeWindow: '1 minute' } }),
    },
    schema: {
      ...(taken.params ? { params: taken.params } : {}),
      ...(taken.query ? { querystring: taken.query } : {}),
    },
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    handler: async (request, reply) => {
      const { body } = taken;
      if (body && body !== 'multipart')
        request.body = (await readBody(body, request.body)) as typeof request.body;
      return answers.send(await handler(request, reply), request, reply);
    },
  });
}

/** @throws AppError bad-request that says where it does not fit */
async function readBody(schema: z.ZodType, body: unknown): Promise<unknown> {
  const { data, issues } = await readInTurns(schema, body ?? null);
  if (issues) throw badRequest(issues.map(issueDetail));
  return data;
}

/** Marks a part of the server whose routes are files for everybody, and need no declaration. */
const PUBLIC_FILES = 'publicFiles';

/** A part of the server for files that everybody may have. */
export async function addPublicFiles(
  app: FastifyInstance,
  add: (files: FastifyInstance) => Promise<void>,
): Promise<void> {
  await app.register(async (files) => {
    files.decorate(PUBLIC_FILES, true);
    await add(files);
  });
}

/** From now on a route that does not say what it should is refused, and with it the start of the server. */
export function requireDeclarations(app: FastifyInstance): void {
  const declared: Declaration[] = [];
  app.decorate('declared', declared);
  app.addHook('onRoute', function (route) {
    if (this.hasDecorator(PUBLIC_FILES)) return;
    const declaration = route.config?.declaration;
    if (!declaration) throw new Error(`${String(route.method)} ${route.url} ${UNSAID} how it is declared`);
    requireWhole(declaration);
    // Fastify adds HEAD for each GET, with the same declaration.
    if (route.method !== 'HEAD') declared.push(declaration);
  });
}

const UNSAID = 'cannot be a route: it does not say';

/** Refuses what leaves something open, whatever the compiler was told. */
function requireWhole(declaration: Partial<Declaration<Takes, unknown>>): void {
  const missing = missingIn(declaration);
  if (missing.length > 0)
    throw new Error(`${declaration.method} ${declaration.path} ${UNSAID} ${missing.join(', ')}`);
}

function missingIn(declaration: Partial<Declaration<Takes, unknown>>): string[] {
  const { for: audience, takes, answers, path = '', method } = declaration;
  const tools = Array.isArray(audience) ? audience : [];
  const known = tools.length > 0 && tools.every((id) => TOOLS.some((tool) => tool.id === id));
  const missing: string[] = [];
  if (audience !== 'public' && audience !== 'signed-in' && !known) missing.push('whom it is for');
  const taken: Taken | undefined = takes === 'none' ? {} : takes;
  const params = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  if (!taken) missing.push('what it takes');
  for (const name of params) {
    if (!Object.hasOwn(taken?.params?.shape ?? {}, name)) missing.push(`what :${name} is`);
  }
  if (method === 'GET' && taken?.body) missing.push('how a GET has a body');
  if (typeof answers?.send !== 'function') missing.push('what it answers');
  return missing;
}
