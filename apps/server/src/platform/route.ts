/**
 * Declaration of routes. Each has three properties, and the server does not start if one is missing:
 *
 * - `for`: who can use it. `'public'` needs no session, `'signed-in'` means every admin; otherwise a list of tools of
 *   which the admin needs one (`toolsCalling('user-search')`: those that make this call of the LMS). The guard checks
 *   this before the body is read.
 * - `takes`: a schema for each part of the request that it reads, or `'none'`. Parts and fields without a schema do not
 *   reach the handler. `body: 'multipart'` leaves the form to the handler.
 * - `answers`: the kind of answer (`answers.ts`), such as `data(schema)` for the usual envelope. Fields that the schema
 *   does not name are removed.
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
 * The safety matrix (test/lms/matrix-routes.test.ts) calls every declared route as every kind of admin. It fails for a
 * new route until it is told how to call it.
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

/** Declaration of a route. `G` is the return value of its handler. */
export interface Declaration<T extends Takes = Takes, G = never> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: (typeof ENDPOINTS)[keyof typeof ENDPOINTS] | ReturnType<typeof jobStartPath>;
  readonly for: Audience;
  readonly takes: T;
  readonly answers: Answers<G>;
  /** Maximum number of bytes of the body, if a megabyte is not enough. */
  readonly bodyLimit?: number;
  /** Tools that may use this limit, if others can use the route too. */
  readonly bodyLimitFor?: readonly ToolId[];
  /** Maximum number of requests a minute from one address. */
  readonly perMinute?: number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    declaration?: Declaration;
  }
  interface FastifyInstance {
    /** Every declared route. */
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

/** @throws AppError bad-request that names the invalid places */
async function readBody(schema: z.ZodType, body: unknown): Promise<unknown> {
  const { data, issues } = await readInTurns(schema, body ?? null);
  if (issues) throw badRequest(issues.map(issueDetail));
  return data;
}

/** Marks a part of the server whose routes are public files, and need no declaration. */
const PUBLIC_FILES = 'publicFiles';

/** Adds a part of the server for public files. */
export async function addPublicFiles(
  app: FastifyInstance,
  add: (files: FastifyInstance) => Promise<void>,
): Promise<void> {
  await app.register(async (files) => {
    files.decorate(PUBLIC_FILES, true);
    await add(files);
  });
}

/**
 * Requires a declaration of every route: from this call on, an incomplete route is refused, and the server does not
 * start.
 */
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

/** Refuses an incomplete declaration, whatever the compiler accepted. */
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
