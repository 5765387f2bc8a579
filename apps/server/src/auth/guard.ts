/**
 * The door of the back end: every route under `/api`, and any that says so, needs a session, unless it says
 * that it is public (OP-09); and a tool, where the registry names some (PERM-07).
 */
import { COOKIES } from '@lms-admin/contract/session';
import { ENDPOINT_TOOLS } from '@lms-admin/contract/tools';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Admin } from '../access/admin.ts';
import { requireTool } from '../access/require.ts';
import { AppError } from '../platform/errors.ts';
import type { Sessions } from './sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard on every route that is not public. */
    admin: Admin | null;
  }
  interface FastifyContextConfig {
    /** True for routes that answer without a session. */
    public?: boolean;
    /** True for routes outside of `/api` that need a session all the same. */
    guarded?: boolean;
  }
}

/** Adds the check before every route. A body is not read before it has passed. */
export function addGuard(app: FastifyInstance, sessions: Sessions): void {
  app.decorateRequest('admin', null);
  app.addHook('onRequest', async (request) => {
    // The pattern of the route that matched, not the address: `/%61pi` is the same route as `/api`.
    const route = request.routeOptions.url ?? request.url;
    const { config } = request.routeOptions;
    if (!(route.startsWith('/api') || config.guarded === true) || config.public === true) return;
    request.admin = await sessions.find(request.cookies[COOKIES.session]);
    if (!request.admin) throw new AppError('signed-out');
    const tools = Object.hasOwn(ENDPOINT_TOOLS, route) ? ENDPOINT_TOOLS[route] : undefined;
    if (tools) requireTool(request.admin, ...tools);
  });
}

/** The signed-in admin of a request that the guard has passed. */
export function adminOf(request: FastifyRequest): Admin {
  if (!request.admin) throw new AppError('signed-out');
  return request.admin;
}
