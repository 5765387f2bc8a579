/** Sign-in over HTTP (area AUTH). Sign-out is the LMS call `sign-out` of the wrapper. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { COOKIES, type TokenAnswer, tokenRequest } from '@lms-admin/contract/session';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { AppError } from '../platform/errors.ts';
import { setSessionCookies, setStateCookie, setUnknownUserCookies } from './cookies.ts';
import type { Sessions } from './sessions.ts';
import type { SignIn } from './sign-in.ts';

export interface AuthRouteParts {
  signIn: SignIn;
  sessions: Sessions;
  site: { origin: string };
  /** Most requests to each of these routes a minute from one address. */
  loginsPerMinute: number;
}

/** Adds the two routes that answer without a session. */
export function addAuthRoutes(plain: FastifyInstance, parts: AuthRouteParts): void {
  const app = plain.withTypeProvider<ZodTypeProvider>();
  const { signIn, sessions, site } = parts;
  const config = { public: true, rateLimit: { max: parts.loginsPerMinute, timeWindow: '1 minute' } };

  /** `GET /api/auth/login?return=/path`: 302 to the LMS's sign-in page (AUTH-05, OP-05). */
  app.get(
    ENDPOINTS.login,
    { config, schema: { querystring: z.object({ return: z.string().optional() }) } },
    async (request, reply) => {
      const { url, cookie } = await signIn.begin(request.query.return);
      setStateCookie(reply, site.origin, cookie);
      return reply.redirect(url, 302);
    },
  );

  /**
   * `POST /api/auth/token`: exchanges the code (AUTH-08, AUTH-09, OP-01). Answers TokenAnswer and sets the cookies.
   * 401 `unknown-user` for a person without a record; every other failure is not a 401, so that the console goes home.
   */
  app.post(ENDPOINTS.token, { config, schema: { body: tokenRequest } }, async (request, reply) => {
    const { code, state } = request.body;
    try {
      const signedIn = await signIn.complete(code, state, request.cookies[COOKIES.state]);
      const before = request.cookies[COOKIES.session];
      if (before) await sessions.end(before);
      setSessionCookies(reply, site.origin, signedIn.sessionCookie, signedIn.profile);
      const answer: TokenAnswer = { status: 200, data: signedIn.profile, returnTo: signedIn.returnTo };
      return answer;
    } catch (error) {
      if (error instanceof AppError && error.code === 'unknown-user')
        setUnknownUserCookies(reply, site.origin);
      throw error;
    }
  });
}
