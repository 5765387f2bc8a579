/** Routes of the LMS wrapper: one call, all pages of a list, log lines of the console, and the public settings. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { Answer } from '@lms-admin/contract/lms-calls';
import { logStatusRequest } from '@lms-admin/contract/session';
import { publicSettings as settingsSchema } from '@lms-admin/contract/settings';
import { SUBMIT_TOOLS } from '@lms-admin/contract/tools';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { clearSessionCookies, readClosed } from '../auth/cookies.ts';
import { adminOf } from '../auth/guard.ts';
import type { Sessions } from '../auth/sessions.ts';
import { type Answers, data, uncutLines } from '../platform/answers.ts';
import type { Audit } from '../platform/audit.ts';
import { oneLine } from '../platform/audit.ts';
import type { Config } from '../platform/config.ts';
import { answer, goneSignal } from '../platform/http.ts';
import { addRoute } from '../platform/route.ts';
import type { Invoke } from './invoke.ts';
import type { Asking } from './policies.ts';
import { publicSettings } from './settings.ts';

/** Body limit for a CSV with the most rows of one submission, about 40 bytes a row. Bodies of other calls are small. */
const ROWS_BYTES = 25_165_824;
const ROWS_TOOLS = [
  ...SUBMIT_TOOLS['section-rows'],
  ...SUBMIT_TOOLS['user-rows'],
  ...SUBMIT_TOOLS['membership-rows'],
];
const MAX_STATUS = 1_000;

/** Any text is accepted as `type`: an unregistered type is refused like any other call, with 403. */
const callBody = z.object({
  url: z.string().min(1).max(2_000),
  type: z.string().min(1).max(20),
  header: z.unknown().optional(),
  payload: z.unknown().optional(),
});

export interface LmsRouteParts {
  invoke: Invoke;
  sessions: Sessions;
  audit: Audit;
  config: Config;
  site: { origin: string };
}

/** Each registered call has its own schema, which `invoke` has already applied to the answer. */
const ofTheCall: Answers<Answer<unknown>> = { schema: null, send: (given) => given };

export function addLmsRoutes(app: FastifyInstance, parts: LmsRouteParts): void {
  addCallRoutes(app, parts);
  addStatusRoute(app, parts.audit);
  addSettingsRoute(app, parts.config);
}

// `invoke` checks the tools that can make a call, call by call.
const calling = { method: 'POST', for: 'signed-in', takes: { body: callBody } } as const;

function addCallRoutes(app: FastifyInstance, { invoke, site, sessions, audit }: LmsRouteParts): void {
  /**
   * `POST /api/auth/invoke` with `{url, type, payload?, header?}` (LMS-02): answers `{status, data, pagination:
   * {nextPage}}`, where `nextPage` is the `url` of the next call or null. `header` is ignored: tokens stay on the
   * server (OP-04). `DELETE login/oauth2/token` ends the session whatever the LMS says (OP-11).
   */
  addRoute(
    app,
    {
      ...calling,
      path: ENDPOINTS.invoke,
      answers: ofTheCall,
      bodyLimit: ROWS_BYTES,
      bodyLimitFor: ROWS_TOOLS,
    },
    async (request, reply) => {
      const asking = askingOf(request, reply);
      if (request.body.type === 'DELETE' && (await invoke.isSignOut(request.body, asking))) {
        await sessions.end(readClosed(request, 'session', site.origin) ?? '');
        clearSessionCookies(reply, site.origin);
        const { login } = asking.admin;
        const detail = { address: request.ip };
        await audit.write({ login, tool: 'auth', event: 'signed out', detail, requestId: request.id });
        return answer({});
      }
      return invoke.one(request.body, asking);
    },
  );

  /**
   * `POST /api/auth/invoke/pages`, with the same body, for a list: streams all pages in order as lines of JSON, then
   * `{done, pages}` or `{error}`. A failure of the first page is an ordinary error answer.
   */
  addRoute(
    app,
    { ...calling, path: ENDPOINTS.invokePages, answers: uncutLines<LinePage | End>() },
    async (request, reply) => {
      const pages = invoke.pages(request.body, askingOf(request, reply));
      return { rest: pageLines(await pages.next(), pages), what: 'a list ended early' };
    },
  );
}

function addStatusRoute(app: FastifyInstance, audit: Audit): void {
  /** `POST /api/auth/log-status` with `{email?, status}` (LMS-24): adds an audit line with the session's email. */
  addRoute(
    app,
    {
      method: 'POST',
      path: ENDPOINTS.logStatus,
      for: 'signed-in',
      takes: { body: logStatusRequest },
      answers: data(z.object({})),
    },
    async (request) => {
      const admin = adminOf(request);
      await audit.write({
        login: admin.login,
        tool: 'console',
        event: 'status logged',
        detail: { email: admin.record.email, status: oneLine(String(request.body.status), MAX_STATUS) },
        requestId: request.id,
      });
      return answer({});
    },
  );
}

function addSettingsRoute(app: FastifyInstance, config: Config): void {
  /** `GET /api/settings`: needs no session, because the welcome screen uses it. */
  addRoute(
    app,
    {
      method: 'GET',
      path: ENDPOINTS.settings,
      for: 'public',
      takes: 'none',
      answers: data(settingsSchema),
    },
    () => answer(publicSettings(config)),
  );
}

function askingOf(request: Pick<FastifyRequest, 'admin' | 'id'>, reply: FastifyReply): Asking {
  return { admin: adminOf(request), requestId: request.id, signal: goneSignal(reply) };
}

type LinePage = { page: number; data: unknown };
type End = { done: true; pages: number };

async function* pageLines(
  first: IteratorResult<LinePage, void>,
  pages: AsyncGenerator<LinePage, void, void>,
): AsyncGenerator<LinePage | End, void, void> {
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
