/** The caller, and the caller's permissions (reference §3). */

import type { FastifyRequest } from 'fastify';
import { type Params, paramsOf, text } from '../../http/params.ts';
import type { AccessToken, TokenStore } from '../oauth/tokens.ts';
import type { Account, Course, User } from '../store/model.ts';
import type { World } from '../store/world.ts';
import { badAsUser, badToken, forbidden, insufficientScopes, unauthenticated } from './errors.ts';
import { lookupUser } from './lookup.ts';
import { type Right, ROOT_ONLY, rightsOfAccountRole, rightsOfEnrollment } from './rights.ts';

/** The person for whom a request acts. */
export type Caller = {
  /** The person as whom the request acts. */
  user: User;
  /** The person behind the request, if it acts as someone else. */
  realUser: User;
  /** Null: identified by the browser's session, without a token. */
  token: AccessToken | null;
  world: World;
  /** False: the key has scopes but does not allow includes, so Canvas ignores them (§3). */
  mayInclude: boolean;
  /** Permissions by account ID, computed once per request. */
  accountRights: Map<number, ReadonlySet<Right>>;
};

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
}

const NO_RIGHTS: ReadonlySet<Right> = new Set();

/** Reads the bearer token of a request: the header first, then `access_token` in query or body. */
export function tokenText(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  // The word `Bearer` is case-sensitive in Canvas (§3).
  if (header?.startsWith('Bearer ')) return header.slice(7).trim();
  return text(paramsOf(request), 'access_token') ?? text(request.query as Params, 'access_token');
}

/**
 * Finds the token with this value, and its person.
 * @throws ApiError 401 for a token that is unknown, revoked or expired, or whose person has no active login
 * (§3).
 */
export function tokenInUse(
  given: string,
  world: World,
  tokens: TokenStore,
): { token: AccessToken; user: User } {
  const token = tokens.find(given);
  if (!token) throw badToken('Invalid');
  if (token.revoked) throw badToken('Revoked');
  if (!tokens.isLive(token)) {
    if (token.refreshToken === null && token.expiresAt !== null) {
      throw badToken('Expired', new Date(token.expiresAt).toISOString().replace(/\.\d+Z$/, 'Z'));
    }
    throw badToken('Invalid');
  }
  const user = world.users.get(token.userId);
  if (!user || user.workflow_state === 'deleted' || !hasActiveLogin(world, user.id))
    throw badToken('Invalid');
  return { token, user };
}

/**
 * Resolves the caller from the request's token, as Canvas does before any endpoint.
 * @throws ApiError 401 in all the forms of §3.
 */
export function authenticate(request: FastifyRequest, world: World, tokens: TokenStore): Caller {
  const given = tokenText(request);
  if (given === null || given === '') throw unauthenticated();
  const { token, user } = tokenInUse(given, world, tokens);
  const mayInclude = token.scopes === null || tokens.key(token.keyId)?.allowIncludes === true;
  const caller: Caller = { user, realUser: user, token, world, mayInclude, accountRights: new Map() };
  const route = request.routeOptions.url;
  if (token.scopes !== null && route !== undefined) {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (!token.scopes.includes(`url:${method}|${route}`)) throw insufficientScopes();
  }
  const asUser = text(paramsOf(request), 'as_user_id') ?? text(request.query as Params, 'as_user_id');
  if (asUser !== null && asUser !== '') {
    const other = lookupUser(world, asUser, user);
    if (!other) throw badAsUser();
    if (other.id !== user.id && !accountRights(caller, world.rootAccount).has('become_user'))
      throw badAsUser();
    return seenBy(caller, other);
  }
  return caller;
}

/** Returns the caller of a page's own request: read-only, because writing would need Canvas's form token. */
export function browserCaller(world: World, userId: number): Caller | null {
  const user = world.users.get(userId);
  return user
    ? { user, realUser: user, token: null, world, mayInclude: true, accountRights: new Map() }
    : null;
}

/** Returns the caller; only for routes with the token check. */
export function currentCaller(request: FastifyRequest): Caller {
  if (!request.caller) throw unauthenticated();
  return request.caller;
}

/** Returns the person as whom the request acts. */
export function currentUser(request: FastifyRequest): User {
  return currentCaller(request).user;
}

/** Returns whether the caller has the permission in an account (or an account above it), or in a course. */
export function hasRight(request: FastifyRequest, where: Account | Course, right: Right): boolean {
  return mayIn(currentCaller(request), where, right);
}

/** Checks a right like `hasRight`, for a given caller, who can be another person whose view is requested. */
export function mayIn(caller: Caller, where: Account | Course, right: Right): boolean {
  if ('enrollment_term_id' in where) {
    const account = caller.world.accounts.must(where.account_id);
    return accountRights(caller, account).has(right) || courseRights(caller, where).has(right);
  }
  return accountRights(caller, where).has(right);
}

/** Returns a caller with the view of another person. */
export function seenBy(caller: Caller, user: User): Caller {
  return { ...caller, user, accountRights: new Map() };
}

/** @throws ApiError 403 if the caller has none of the permissions there. */
export function requireRight(request: FastifyRequest, where: Account | Course, ...anyOf: Right[]): void {
  if (!anyOf.some((right) => hasRight(request, where, right))) throw forbidden();
}

function accountRights(caller: Caller, account: Account): ReadonlySet<Right> {
  const known = caller.accountRights.get(account.id);
  if (known) return known;
  const { world, user } = caller;
  const rights = new Set<Right>();
  const memberships = world.accountUsers.by.user.get(user.id);
  if (memberships.length > 0) {
    let at: Account | undefined = account;
    while (at) {
      for (const membership of memberships) {
        if (membership.account_id !== at.id || membership.workflow_state !== 'active') continue;
        const role = world.roles.get(membership.role_id);
        for (const right of rightsOfAccountRole(role?.name ?? ''))
          if (at.parent_account_id === null || !ROOT_ONLY.has(right)) rights.add(right);
      }
      at = world.accounts.get(at.parent_account_id);
    }
  }
  caller.accountRights.set(account.id, rights);
  return rights;
}

function courseRights(caller: Caller, course: Course): ReadonlySet<Right> {
  let rights: Set<Right> | null = null;
  for (const { course_id, type, workflow_state } of caller.world.enrollments.by.user.get(caller.user.id)) {
    if (course_id !== course.id || (workflow_state !== 'active' && workflow_state !== 'completed')) continue;
    const concluded = workflow_state === 'completed' || course.workflow_state === 'completed';
    rights ??= new Set();
    for (const right of rightsOfEnrollment(type, concluded)) rights.add(right);
  }
  return rights ?? NO_RIGHTS;
}

function hasActiveLogin(world: World, userId: number): boolean {
  return world.pseudonyms.by.user.get(userId).some((login) => login.workflow_state === 'active');
}
