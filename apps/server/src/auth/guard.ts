/** The door of the back end: a session (OP-09) and a tool (PERM-07), as each route declares. */
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
    /** Set by the guard on every route that is not for everybody. */
    admin: Admin | null;
  }
}

export interface GuardParts {
  sessions: Pick<Sessions, 'find'>;
  site: { origin: string };
  /** The clock, in milliseconds since 1970. */
  now: () => number;
  /** Whether an admin may use a tool. */
  mayUse: (admin: Admin, tool: ToolId) => boolean;
}

/** Adds the check before every route. A body is not read before it has passed. */
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

/** A megabyte, or what the route says for this admin's tools. */
function bodyAllowance(
  { routeOptions }: FastifyRequest,
  admin: Admin,
  mayUse: GuardParts['mayUse'],
): BodyAllowance {
  const { bodyLimit = BODY_BYTES, bodyLimitFor } = routeOptions.config.declaration ?? {};
  const isLarge = !bodyLimitFor || bodyLimitFor.some((tool) => mayUse(admin, tool));
  return { bytes: isLarge ? bodyLimit : BODY_BYTES, owner: admin.login };
}

/** What the route declares. Files and pages are for everybody; what is not there below `/api` is no one's business. */
function audienceOf({ routeOptions, url }: FastifyRequest): Audience {
  return routeOptions.config.declaration?.for ?? (isBackEnd(url) ? 'signed-in' : 'public');
}

/** The signed-in admin of a request that the guard has passed. */
export function adminOf(request: Pick<FastifyRequest, 'admin'>): Admin {
  if (!request.admin) throw new AppError('signed-out');
  return request.admin;
}
