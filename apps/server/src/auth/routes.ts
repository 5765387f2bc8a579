/** Sign-in routes (area AUTH). Signing out is the LMS call `sign-out` of the wrapper. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { tokenAnswer, tokenRequest } from '@lms-admin/contract/session';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Allowance } from '../platform/allowance.ts';
import { bare, redirect } from '../platform/answers.ts';
import { AppError } from '../platform/errors.ts';
import { addRoute } from '../platform/route.ts';
import { readClosed, setSessionCookies, setStateCookie, setUnknownUserCookies } from './cookies.ts';
import type { Sessions } from './sessions.ts';
import type { SignIn } from './sign-in.ts';

export interface AuthRouteParts {
  signIn: SignIn;
  sessions: Sessions;
  site: { origin: string };
  limits: LoginLimits;
}

/** Maximum requests per minute to each of these routes. */
export interface LoginLimits {
  /** From one address, which a whole campus may share. */
  address: number;
  /** With the cookie of one sign-in or session. */
  browser: number;
  /** Sign-ins by one person. */
  person: number;
  now: () => number;
}

/** Adds the two sign-in routes. */
export function addAuthRoutes(app: FastifyInstance, parts: AuthRouteParts): void {
  const { signIn, site, limits } = parts;
  const open = { for: 'public', perMinute: limits.address } as const;
  const browsers = new Allowance(limits.browser, limits.now);
  /** Counts a request by its cookies; a client without a cookie is counted by its address alone. */
  const countBrowser = (request: FastifyRequest) => {
    for (const which of ['state', 'session'] as const) {
      const cookie = readClosed(request, which, site.origin);
      if (cookie) browsers.take(cookie);
    }
  };

  /** `GET /api/auth/login?return=/path`: 302 to the LMS's sign-in page (AUTH-05, OP-05). */
  addRoute(
    app,
    {
      ...open,
      method: 'GET',
      path: ENDPOINTS.login,
      takes: { query: z.object({ return: z.string().optional() }) },
      answers: redirect,
    },
    async (request, reply) => {
      countBrowser(request);
      const { url, cookie } = await signIn.begin(request.query.return);
      setStateCookie(reply, site.origin, cookie);
      return url;
    },
  );

  /**
   * `POST /api/auth/token`: exchanges the code (AUTH-08, AUTH-09, OP-01) and sets the cookies. 401 `unknown-user` for a
   * person without a record; other failures are not 401, so that the console goes to the home page.
   */
  addRoute(
    app,
    {
      ...open,
      method: 'POST',
      path: ENDPOINTS.token,
      takes: { body: tokenRequest },
      answers: bare(tokenAnswer),
    },
    async (request, reply) => {
      countBrowser(request);
      return exchanged(parts, request.body, request, reply);
    },
  );
}

/** Signs in with a code and ends the browser's former session. */
async function exchanged(
  { signIn, sessions, site }: AuthRouteParts,
  { code, state }: z.output<typeof tokenRequest>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  try {
    const cookie = readClosed(request, 'state', site.origin);
    const by = { requestId: request.id, address: request.ip };
    const signedIn = await signIn.complete(code, state, cookie, by);
    const before = readClosed(request, 'session', site.origin);
    if (before) await sessions.end(before);
    setSessionCookies(reply, site.origin, signedIn.sessionCookie, signedIn.profile);
    return { status: 200 as const, data: signedIn.profile, returnTo: signedIn.returnTo };
  } catch (error) {
    if (error instanceof AppError && error.code === 'unknown-user') setUnknownUserCookies(reply, site.origin);
    throw error;
  }
}
