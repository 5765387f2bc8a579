/** Sign-in over HTTP (area AUTH). Sign-out is the LMS call `sign-out` of the wrapper. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { tokenAnswer, tokenRequest } from '@lms-admin/contract/session';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
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
  /** Most requests to each of these routes a minute from one address. */
  loginsPerMinute: number;
}

/** Adds the two routes of signing in. */
export function addAuthRoutes(app: FastifyInstance, parts: AuthRouteParts): void {
  const { signIn, sessions, site } = parts;
  const open = { for: 'public', perMinute: parts.loginsPerMinute } as const;

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
      const { url, cookie } = await signIn.begin(request.query.return);
      setStateCookie(reply, site.origin, cookie);
      return url;
    },
  );

  /**
   * `POST /api/auth/token`: exchanges the code (AUTH-08, AUTH-09, OP-01) and sets the cookies. 401 `unknown-user` for a
   * person without a record; every other failure is not a 401, so that the console goes home.
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
      const { code, state } = request.body;
      try {
        const signedIn = await signIn.complete(code, state, readClosed(request, 'state', site.origin));
        const before = readClosed(request, 'session', site.origin);
        if (before) await sessions.end(before);
        setSessionCookies(reply, site.origin, signedIn.sessionCookie, signedIn.profile);
        return { status: 200 as const, data: signedIn.profile, returnTo: signedIn.returnTo };
      } catch (error) {
        if (error instanceof AppError && error.code === 'unknown-user')
          setUnknownUserCookies(reply, site.origin);
        throw error;
      }
    },
  );
}
