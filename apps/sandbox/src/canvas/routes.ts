/** Everything that Canvas answers: sign-in, files, the API and the hooks around its calls. */

import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { assignParam, emptyParams, FIELD_BYTES, isParams, parseParams } from '../http/params.ts';
import { accountRoutes } from './api/accounts.ts';
import { adminRoutes } from './api/admins.ts';
import { bulkEnrollmentRoutes } from './api/bulk-enrollment.ts';
import { changeRoutes } from './api/changes.ts';
import { communicationChannelRoutes } from './api/communication-channels.ts';
import { courseChangeRoutes } from './api/course-changes.ts';
import { courseRoutes } from './api/courses.ts';
import { crossListingRoutes } from './api/cross-listing.ts';
import { enrollmentChangeRoutes } from './api/enrollment-changes.ts';
import { enrollmentRoutes } from './api/enrollments.ts';
import { timetableRoutes } from './api/event-timetable.ts';
import { eventRoutes, noticeRoutes } from './api/events.ts';
import { groupAssignmentRoutes } from './api/group-assignment.ts';
import { groupCategoryRoutes } from './api/group-categories.ts';
import { groupImportRoutes } from './api/group-import.ts';
import { groupPeopleRoutes } from './api/group-people.ts';
import { groupRoutes } from './api/groups.ts';
import { loginRoutes } from './api/logins.ts';
import { membershipRoutes } from './api/memberships.ts';
import { newUserRoutes } from './api/new-users.ts';
import { observerRoutes } from './api/observers.ts';
import { permissionRoutes } from './api/permissions.ts';
import { downloadRoutes, progressRoutes } from './api/progress.ts';
import { sectionRoutes } from './api/sections.ts';
import { testStudentRoutes } from './api/test-student.ts';
import { userChangeRoutes } from './api/user-changes.ts';
import { userRemovalRoutes } from './api/user-removal.ts';
import { userTokenRoutes } from './api/user-tokens.ts';
import { userRoutes } from './api/users.ts';
import { calendarPage } from './calendar-page.ts';
import { avatarRoutes } from './front-page.ts';
import { graphqlRoutes } from './graphql/routes.ts';
import { authenticate, browserCaller, tokenText } from './http/auth.ts';
import type { SandboxContext } from './http/context.ts';
import { forbidden, unauthenticated } from './http/errors.ts';
import { stringifyIds } from './http/ids.ts';
import { eachPart } from './http/multipart.ts';
import { keepPages } from './http/page-cache.ts';
import { wantsStringIds } from './http/texts.ts';
import { authorizeRoutes } from './oauth/authorize.ts';
import type { Sessions } from './oauth/sessions.ts';
import { tokenRoutes } from './oauth/token-routes.ts';
import type { TokenStore } from './oauth/tokens.ts';
import { reportFileRoutes } from './reports/files.ts';
import { reportRoutes } from './reports/routes.ts';
import { sisRoutes } from './sis/routes.ts';

export function canvasRoutes(
  context: SandboxContext,
  tokens: TokenStore,
  sessions: Sessions,
): FastifyPluginAsync {
  const { world } = context;
  return async (app) => {
    app.decorateRequest('caller', null);
    // Calls without a user agent are rejected, including those for tokens and files (§5).
    app.addHook('onRequest', async (request) => {
      if (request.passage && !request.headers['user-agent']) throw forbidden();
    });
    await app.register(avatarRoutes(world));
    await app.register(noticeRoutes(world));
    await app.register(calendarPage({ world, sessions }));
    await app.register(async (pages) => {
      await pages.register(formbody, { parser: parseParams, bodyLimit: FIELD_BYTES });
      await pages.register(authorizeRoutes({ world, tokens, sessions }));
      await pages.register(tokenRoutes({ world, tokens, sessions }));
    });
    await app.register(downloadRoutes(context));
    await app.register(reportFileRoutes({ ...context, sessions }));
    await app.register(
      async (api) => {
        addApiHooks(api, context, tokens, sessions);
        await api.register(async (plain) => {
          await addBodies(plain);
          keepPages(plain, world);
          await plain.register(accountRoutes(context));
          await plain.register(adminRoutes(context));
          await plain.register(changeRoutes(context));
          await plain.register(courseChangeRoutes(context));
          await plain.register(courseRoutes(context));
          await plain.register(sectionRoutes(context));
          await plain.register(crossListingRoutes(context));
          await plain.register(userRoutes(context));
          await plain.register(userTokenRoutes(context, tokens));
          await plain.register(observerRoutes(context, tokens));
          await plain.register(newUserRoutes(context));
          await plain.register(userChangeRoutes(context));
          await plain.register(userRemovalRoutes(context));
          await plain.register(communicationChannelRoutes(context));
          await plain.register(loginRoutes(context));
          await plain.register(enrollmentRoutes(context));
          await plain.register(enrollmentChangeRoutes(context));
          await plain.register(testStudentRoutes(context));
          await plain.register(bulkEnrollmentRoutes(context));
          await plain.register(groupCategoryRoutes(context));
          await plain.register(groupPeopleRoutes(context));
          await plain.register(groupAssignmentRoutes(context));
          await plain.register(groupRoutes(context));
          await plain.register(membershipRoutes(context));
          await plain.register(eventRoutes(context));
          await plain.register(timetableRoutes(context));
          await plain.register(permissionRoutes(context));
          await plain.register(progressRoutes(context));
          await plain.register(reportRoutes(context));
        });
        await api.register(groupImportRoutes(context));
        await api.register(async (sis) => {
          await sis.register(formbody, { parser: parseParams, bodyLimit: FIELD_BYTES });
          await sis.register(sisRoutes(context));
        });
      },
      { prefix: '/api/v1' },
    );
    await app.register(
      async (api) => {
        addApiHooks(api, context, tokens, sessions);
        await addBodies(api);
        await api.register(graphqlRoutes(context));
      },
      { prefix: '/api' },
    );
  };
}

/** Adds the caller, and IDs as strings on request (§1, §3). */
function addApiHooks(
  api: FastifyInstance,
  context: SandboxContext,
  tokens: TokenStore,
  sessions: Sessions,
): void {
  api.addHook('onRequest', async (request) => {
    // A token in the body is known only once the body is read.
    if (tokenText(request) !== null) request.caller = authenticate(request, context.world, tokens);
    else if (request.method === 'GET') {
      const userId = sessions.userOf(request);
      if (userId !== null) request.caller = browserCaller(context.world, userId);
    }
  });
  // Answers that a browser session can read must not run as a script on another site (§1).
  api.addHook('onSend', async (request, _reply, payload) =>
    request.caller?.token === null && typeof payload === 'string' ? `while(1);${payload}` : payload,
  );
  api.addHook('preHandler', async (request) => {
    const bodyMayHold =
      isParams(request.body) && ('access_token' in request.body || 'as_user_id' in request.body);
    if (request.caller && !bodyMayHold) return;
    if (!bodyMayHold && tokenText(request) === null) throw unauthenticated();
    request.caller = authenticate(request, context.world, tokens);
  });
  api.addHook('preSerialization', async (request, _reply, payload: unknown) =>
    wantsStringIds(request) ? stringifyIds(payload) : payload,
  );
}

/** Parses JSON, form and multipart bodies into nested parameters (§1). */
async function addBodies(plain: FastifyInstance): Promise<void> {
  await plain.register(formbody, { parser: parseParams, bodyLimit: FIELD_BYTES });
  await plain.register(multipart, { limits: { fieldSize: FIELD_BYTES, fileSize: FIELD_BYTES, files: 1 } });
  plain.addHook('preValidation', async (request) => {
    if (!request.isMultipart?.()) return;
    const params = emptyParams();
    await eachPart(request, (part) => {
      if (part.type === 'field') assignParam(params, part.fieldname, String(part.value));
      else part.file.resume();
    });
    request.body = params;
  });
  // A body without a type is a form; one with another type is read and ignored, as in Canvas.
  plain.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) =>
    done(null, request.headers['content-type'] === undefined ? parseParams(String(body)) : emptyParams()),
  );
}

/** Removes the suffix: `/api/v1/courses/7.json?x=1` is `/api/v1/courses/7?x=1` (§1). */
export function withoutJsonSuffix(url: string): string {
  if (!url.startsWith('/api/v1/')) return url;
  const cut = url.indexOf('?');
  const path = cut < 0 ? url : url.slice(0, cut);
  return path.endsWith('.json') ? path.slice(0, -5) + (cut < 0 ? '' : url.slice(cut)) : url;
}
