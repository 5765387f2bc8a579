/** The LMS wrapper over HTTP: one call, all pages of a list, log lines of the console, and the public settings. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { COOKIES, logStatusRequest } from '@lms-admin/contract/session';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { oneLine } from '../audit/audit.ts';
import { clearSessionCookies } from '../auth/cookies.ts';
import { adminOf } from '../auth/guard.ts';
import { answer, goneSignal } from '../platform/http.ts';
import { sendLines } from '../platform/lines.ts';
import type { Services } from '../services.ts';
import type { Asking, Invoke } from './invoke.ts';
import { publicSettings } from './settings.ts';

/** A CSV of the most rows that one submission may have is about 40 bytes a row. */
const INVOKE_BODY_BYTES = 67_108_864;
const MAX_STATUS = 1_000;

/** `type` is any text here: a type that is not registered is refused like any other call, with 403. */
const asked = z.object({
  url: z.string().min(1).max(2_000),
  type: z.string().min(1).max(20),
  header: z.unknown().optional(),
  payload: z.unknown().optional(),
});

export interface LmsRouteParts {
  services: Services;
  invoke: Invoke;
}

/** Adds the routes. */
export function addLmsRoutes(plain: FastifyInstance, { services, invoke }: LmsRouteParts): void {
  const app = plain.withTypeProvider<ZodTypeProvider>();
  const { site, sessions, audit, config } = services;

  /**
   * `POST /api/auth/invoke` with `{url, type, payload?, header?}` (LMS-02): answers `{status, data, pagination:
   * {nextPage}}`, where `nextPage` is the `url` of the next call or null. `header` is ignored: tokens are the server's
   * (OP-04). `DELETE login/oauth2/token` ends the session whatever the LMS says (OP-11).
   */
  app.post(
    ENDPOINTS.invoke,
    { bodyLimit: INVOKE_BODY_BYTES, schema: { body: asked } },
    async (request, reply) => {
      const asking = askingOf(request, reply);
      if (request.body.type === 'DELETE' && (await invoke.isSignOut(request.body, asking))) {
        await sessions.end(request.cookies[COOKIES.session] ?? '');
        clearSessionCookies(reply, site.origin);
        await audit.write({ login: asking.admin.login, tool: 'auth', event: 'signed out', detail: {} });
        return answer({});
      }
      return invoke.one(request.body, asking);
    },
  );

  /**
   * `POST /api/auth/invoke/pages`, the same body for a list: all its pages as lines of JSON in their order, the first as
   * soon as it is there, then `{done, pages}` or `{error}`. A failure of the first page is an ordinary error answer.
   */
  app.post(
    ENDPOINTS.invokePages,
    { config: { compress: false }, schema: { body: asked } },
    async (request, reply) => {
      const pages = invoke.pages(request.body, askingOf(request, reply));
      const lines = pageLines(await pages.next(), pages);
      return sendLines(request, reply, { rest: lines, what: 'a list ended early' });
    },
  );

  /** `POST /api/auth/log-status` with `{email?, status}` (LMS-24): a line in the audit; the e-mail is the session's. */
  app.post(ENDPOINTS.logStatus, { schema: { body: logStatusRequest } }, async (request) => {
    const admin = adminOf(request);
    await audit.write({
      login: admin.login,
      tool: 'console',
      event: 'status logged',
      detail: { email: admin.record.email, status: oneLine(String(request.body.status), MAX_STATUS) },
      requestId: request.id,
    });
    return answer({});
  });

  /** `GET /api/settings`: PublicSettings in the envelope; answers without a session, for the welcome screen. */
  app.get(ENDPOINTS.settings, { config: { public: true } }, () => answer(publicSettings(config)));
}

function askingOf(request: FastifyRequest, reply: FastifyReply): Asking {
  return { admin: adminOf(request), requestId: request.id, signal: goneSignal(reply) };
}

type Page = { page: number; data: unknown };

async function* pageLines(
  first: IteratorResult<Page, void>,
  pages: AsyncGenerator<Page, void, void>,
): AsyncGenerator<Page | { done: true; pages: number }, void, void> {
  let count = 0;
  try {
    for (let one = first; !one.done; one = await pages.next()) {
      count++;
      yield one.value;
    }
    yield { done: true, pages: count };
  } finally {
    await pages.return();
  }
}
