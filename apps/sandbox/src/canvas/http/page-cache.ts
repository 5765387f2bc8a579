/**
 * Complete list pages, cached until the world changes. Clients read the same lists repeatedly, and writing a hundred
 * courses as JSON costs more than the rest of the request.
 */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { World } from '../store/world.ts';
import { currentCaller } from './auth.ts';

type Page = { version: string; link: string | undefined; type: string; body: Buffer };

const MOST_BYTES = 96 * 1024 * 1024;
const KEPT_ROUTES = new Set([
  '/api/v1/accounts/:account_id/sub_accounts',
  '/api/v1/accounts/:account_id/terms',
  '/api/v1/accounts/:account_id/roles',
  '/api/v1/accounts/:account_id/courses',
  '/api/v1/accounts/:account_id/users',
  '/api/v1/courses/:course_id/sections',
  '/api/v1/courses/:course_id/users',
  '/api/v1/courses/:course_id/enrollments',
  '/api/v1/courses/:course_id/group_categories',
  '/api/v1/group_categories/:group_category_id/groups',
  '/api/v1/groups/:group_id/memberships',
]);

/** Answers from the cache before the route runs, and caches the route's answers. */
export function keepPages(app: FastifyInstance, world: World): void {
  const pages = new Map<string, Page>();
  let bytes = 0;

  const forget = (key: string) => {
    bytes -= pages.get(key)?.body.length ?? 0;
    pages.delete(key);
  };

  app.addHook('preHandler', async (request, reply) => {
    if (!isKept(request)) return undefined;
    const key = keyOf(request);
    const page = pages.get(key);
    if (!page) return undefined;
    if (page.version !== versionOf(world)) {
      forget(key);
      return undefined;
    }
    if (page.link !== undefined) void reply.header('link', page.link);
    return reply.header('content-type', page.type).send(page.body);
  });

  app.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode !== 200 || typeof payload !== 'string' || !isKept(request)) return payload;
    const key = keyOf(request);
    const link = reply.getHeader('link');
    const body = Buffer.from(payload);
    forget(key);
    pages.set(key, {
      version: versionOf(world),
      link: typeof link === 'string' ? link : undefined,
      type: String(reply.getHeader('content-type')),
      body,
    });
    bytes += body.length;
    for (const oldest of pages.keys()) {
      if (bytes <= MOST_BYTES) break;
      forget(oldest);
    }
    return body;
  });
}

function isKept(request: FastifyRequest): boolean {
  if (request.method !== 'GET' || request.body !== undefined || !request.caller?.token) return false;
  return KEPT_ROUTES.has(request.routeOptions.url ?? '');
}

function keyOf(request: FastifyRequest): string {
  const { user, mayInclude } = currentCaller(request);
  return `${user.id} ${mayInclude} ${request.headers.accept ?? ''} ${request.host} ${request.url}`;
}

/**
 * Returns a version that changes whenever anything that a list could show changes, and every hour, because
 * some filters use the current day.
 */
function versionOf(world: World): string {
  return [
    world.now().slice(0, 13),
    world.accounts.version,
    world.terms.version,
    world.roles.version,
    world.users.version,
    world.pseudonyms.version,
    world.channels.version,
    world.courses.version,
    world.sections.version,
    world.enrollments.version,
    world.groupCategories.version,
    world.groups.version,
    world.groupMemberships.version,
    world.accountUsers.version,
    world.progresses.version,
  ].join(' ');
}
