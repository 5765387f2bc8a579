/** Guard of the back end: each route declares that it needs a session (OP-09) or a tool (PERM-07). */
import type { ToolId } from '@lms-admin/contract/tools';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isBackEnd } from '../platform/address.ts';
import { AppError } from '../platform/errors.ts';
import { BODY_BYTES, type BodyAllowance } from '../platform/json-body.ts';
import type { Audience } from '../platform/route.ts';
import type { Admin } from './admin.ts';
import { followAccess, readClosed } from './cookies.ts';
import type { Sessions } from './sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard on every route that is not public. */
    admin: Admin | null;
  }
}

export interface GuardParts {
  sessions: Pick<Sessions, 'find'>;
  site: { origin: string };
  /** Clock, in milliseconds since 1970. */
  now: () => number;
  /** Returns whether an admin can use a tool. */
  mayUse: (admin: Admin, tool: ToolId) => boolean;
}

/** Adds the check before every route. A request's body is only read after the check. */
export function addGuard(app: FastifyInstance, { sessions, site, now, mayUse }: GuardParts): void {
  app.decorateRequest('admin', null);
  app.addHook('onRequest', async (request, reply) => {
    const audience = audienceOf(request);
    if (audience === 'public') return;
    const admin = await sessions.find(readClosed(request, 'session', site.origin));
    if (!admin) throw new AppError('signed-out');
    request.admin = admin;
    followAccess(request, reply, site.origin, { ...admin, now: now() });
    request.bodyAllowance = bodyAllowance(request, admin, mayUse);
    if (audience === 'signed-in') return;
    if (!audience.some((tool) => mayUse(admin, tool))) throw new AppError('not-allowed');
  });
}

/** Returns the body limit: one megabyte, or the route's own limit for this admin's tools. */
function bodyAllowance(
  { routeOptions }: FastifyRequest,
  admin: Admin,
  mayUse: GuardParts['mayUse'],
): BodyAllowance {
  const { bodyLimit = BODY_BYTES, bodyLimitFor } = routeOptions.config.declaration ?? {};
  const isLarge = !bodyLimitFor || bodyLimitFor.some((tool) => mayUse(admin, tool));
  return { bytes: isLarge ? bodyLimit : BODY_BYTES, owner: admin.login };
}

/** Returns the route's declared audience. Files and pages are public; unknown paths below `/api` are not. */
function audienceOf({ routeOptions, url }: FastifyRequest): Audience {
  return routeOptions.config.declaration?.for ?? (isBackEnd(url) ? 'signed-in' : 'public');
}

/** Returns the signed-in admin of a request that has passed the guard. */
export function adminOf(request: Pick<FastifyRequest, 'admin'>): Admin {
  if (!request.admin) throw new AppError('signed-out');
  return request.admin;
}
