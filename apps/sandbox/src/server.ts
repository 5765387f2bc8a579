/** A sandbox: one world, one server. Used as a process (`main.ts`) and inside of tests. */

import { join } from 'node:path';
import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyInstance } from 'fastify';
import { accountRoutes } from './canvas/api/accounts.ts';
import { changeRoutes } from './canvas/api/changes.ts';
import { courseRoutes } from './canvas/api/courses.ts';
import { crossListingRoutes } from './canvas/api/cross-listing.ts';
import { enrollmentChangeRoutes } from './canvas/api/enrollment-changes.ts';
import { enrollmentRoutes } from './canvas/api/enrollments.ts';
import { eventRoutes } from './canvas/api/events.ts';
import { groupCategoryRoutes } from './canvas/api/group-categories.ts';
import { groupRoutes } from './canvas/api/groups.ts';
import { membershipRoutes } from './canvas/api/memberships.ts';
import { newUserRoutes } from './canvas/api/new-users.ts';
import { downloadRoutes, progressRoutes } from './canvas/api/progress.ts';
import { sectionRoutes } from './canvas/api/sections.ts';
import { userRoutes } from './canvas/api/users.ts';
import { contentsInUse } from './canvas/files/stored.ts';
import { authenticate, browserCaller, tokenText } from './canvas/http/auth.ts';
import type { SandboxContext } from './canvas/http/context.ts';
import { ApiError, notFound, unauthenticated } from './canvas/http/errors.ts';
import { stringifyIds } from './canvas/http/ids.ts';
import { keepPages } from './canvas/http/page-cache.ts';
import { wantsStringIds } from './canvas/http/texts.ts';
import { Throttle } from './canvas/http/throttle.ts';
import { authorizeRoutes } from './canvas/oauth/authorize.ts';
import { developerKeys } from './canvas/oauth/keys.ts';
import { Sessions } from './canvas/oauth/sessions.ts';
import { tokenRoutes } from './canvas/oauth/token-routes.ts';
import { TokenStore } from './canvas/oauth/tokens.ts';
import { SERVICE_USER_ID } from './canvas/seed/people.ts';
import { SEED, seedWorld } from './canvas/seed/seed.ts';
import { sisRoutes } from './canvas/sis/routes.ts';
import type { Identity } from './canvas/store/identity.ts';
import { keptWorld } from './canvas/store/kept-world.ts';
import { World } from './canvas/store/world.ts';
import { DEFAULTS, type SandboxOptions } from './config.ts';
import { Faults } from './faults/faults.ts';
import { handleRoutes } from './faults/routes.ts';
import { Spool } from './files/spool.ts';
import { frontPageRoutes } from './http/front-page.ts';
import { assignParam, emptyParams, isParams, parseParams } from './http/params.ts';
import { addPlumbing, answerError } from './http/plumbing.ts';
import { RequestLog } from './http/request-log.ts';
import { FolderInUse } from './memory/lock.ts';
import { FILES, FORGETFUL, Memory } from './memory/memory.ts';

export type { SandboxOptions } from './config.ts';

/** A running sandbox. */
export type Sandbox = {
  /** Without a slash at the end. */
  url: string;
  port: number;
  world: World;
  /** Puts the seed back, as `POST /sandbox/reset` does. */
  reset(): void;
  close(): Promise<void>;
};

const FIELD_BYTES = 1024 * 1024;

/**
 * Starts a sandbox; `port: 0` takes any free port. What is not given is as in {@link DEFAULTS}.
 * @throws when the port is taken, or the environment is a production one.
 */
export async function startSandbox(given: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const options: SandboxOptions = { ...DEFAULTS, ...given };
  const memory = await openMemory(options);
  const world = new World();
  world.clock = () => options.now().getTime();
  const seed = (empty: World) => {
    if (options.campusUuid !== null) empty.identity.uuid = options.campusUuid;
    seedWorld(empty, options.size);
  };
  seed(world);
  const parts = {
    options,
    tokens: new TokenStore(developerKeys(options), options.now),
    faults: new Faults(),
    log: new RequestLog(),
    throttle: options.throttle ? new Throttle(options.throttle) : null,
  };
  const sessions = new Sessions();
  parts.tokens.addPermanent(options.adminToken, SERVICE_USER_ID);
  if (memory) {
    const kept = { ...keptWorld(world), ...parts.tokens.kept(), ...sessions.kept() };
    const identity = memory.recall(kept, () => world.reset(seed));
    if (identity) world.identity = identity;
    else memory.begin(world.identity);
  }
  const spool = new Spool(memory ? join(memory.folder, FILES) : null);
  await spool.clear(contentsInUse(world));
  const context: SandboxContext = { options, world, spool, takeImportFault: () => parts.faults.takeImport() };
  const reset = () => {
    world.reset(seed);
    parts.faults.clear();
    parts.tokens.clear();
    parts.tokens.addPermanent(options.adminToken, SERVICE_USER_ID);
    parts.throttle?.clear();
    sessions.clear();
    void spool.clear();
    memory?.begin(world.identity);
  };
  const app = newServer();
  addPlumbing(app, parts);
  if (memory) answerWhatIsKept(app, memory);
  app.decorateRequest('caller', null);
  await app.register(frontPageRoutes(world, options, memory !== null));
  await app.register(async (pages) => {
    await pages.register(formbody, { parser: parseParams, bodyLimit: FIELD_BYTES });
    await pages.register(authorizeRoutes({ world, tokens: parts.tokens, sessions }));
    await pages.register(tokenRoutes({ world, tokens: parts.tokens, sessions }));
    await pages.register(handleRoutes({ faults: parts.faults, log: parts.log, reset }));
  });
  await app.register(downloadRoutes(context));
  await app.register(
    async (api) => {
      addApiHooks(api, context, parts.tokens, sessions);
      await api.register(async (plain) => {
        await addBodies(plain);
        keepPages(plain, world);
        await plain.register(accountRoutes(context));
        await plain.register(changeRoutes(context));
        await plain.register(courseRoutes(context));
        await plain.register(sectionRoutes(context));
        await plain.register(crossListingRoutes(context));
        await plain.register(userRoutes(context));
        await plain.register(newUserRoutes(context));
        await plain.register(enrollmentRoutes(context));
        await plain.register(enrollmentChangeRoutes(context));
        await plain.register(groupCategoryRoutes(context));
        await plain.register(groupRoutes(context));
        await plain.register(membershipRoutes(context));
        await plain.register(eventRoutes(context));
        await plain.register(progressRoutes(context));
      });
      await api.register(async (sis) => {
        await sis.register(formbody, { parser: parseParams, bodyLimit: FIELD_BYTES });
        await sis.register(sisRoutes(context));
      });
    },
    { prefix: '/api/v1' },
  );
  // `localhost` makes the server listen on both loopback addresses, where the machine has both.
  const host = options.host === '127.0.0.1' ? 'localhost' : options.host;
  const close = async () => {
    await app.close();
    await spool.close();
    await memory?.close();
  };
  try {
    await app.listen({ port: options.port, host });
  } catch (error) {
    await close();
    throw error;
  }
  const address = app.addresses()[0];
  const port = typeof address === 'object' ? address.port : options.port;
  const shown = host === 'localhost' || host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return { url: `http://${shown}:${port}`, port, world, reset, close };
}

/** Null when the campus is to forget, or cannot remember. @throws FolderInUse */
async function openMemory({ data, size }: SandboxOptions): Promise<Memory<Identity> | null> {
  if (data === null) return null;
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  // Each size is a campus of its own.
  const folder = join(data, size);
  try {
    return await Memory.open<Identity>({ folder, seed: `canvas ${SEED} ${size}`, say });
  } catch (error) {
    if (error instanceof FolderInUse) throw error;
    say(`The practice campus cannot use the folder ${folder}: ${(error as Error).message}. ${FORGETFUL}`);
    return null;
  }
}

/** Whoever was told of a change, or of an import, may rely on it, even if the campus is killed in the next moment. */
function answerWhatIsKept(app: FastifyInstance, memory: Memory<Identity>): void {
  app.addHook('onSend', async ({ method, url }, _reply, payload) => {
    if ((method !== 'GET' && method !== 'HEAD') || url.includes('/sis_imports')) await memory.settle();
    return payload;
  });
}

function newServer(): FastifyInstance {
  const app = Fastify({
    forceCloseConnections: true,
    return503OnClosing: false,
    exposeHeadRoutes: true,
    bodyLimit: 16 * FIELD_BYTES,
    rewriteUrl: (request) => withoutJsonSuffix(request.url ?? '/'),
    routerOptions: { maxParamLength: 2000, ignoreTrailingSlash: true, querystringParser: parseParams },
  });
  app.setErrorHandler(answerError);
  // Some clients announce JSON and send nothing: no parameters, then.
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? emptyParams() : JSON.parse(String(body)));
    } catch {
      done(new ApiError(400, { errors: [{ message: 'The request body is not valid JSON.' }] }));
    }
  });
  app.setNotFoundHandler(async (request, reply) => {
    if (request.url.startsWith('/api/')) throw notFound();
    return reply.code(404).header('content-type', 'text/plain; charset=utf-8').send('Page not found\n');
  });
  return app;
}

/** Who calls, and ids as strings for who asked for them (§1, §3). */
function addApiHooks(
  api: FastifyInstance,
  context: SandboxContext,
  tokens: TokenStore,
  sessions: Sessions,
): void {
  api.addHook('onRequest', async (request) => {
    // A token in the body is seen once the body is there.
    if (tokenText(request) !== null) request.caller = authenticate(request, context.world, tokens);
    else if (request.method === 'GET') {
      const userId = sessions.userOf(request);
      if (userId !== null) request.caller = browserCaller(context.world, userId);
    }
  });
  // What a browser's session may read must not run as a script of another site (§1).
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

/** JSON, form and multipart bodies, all as nested parameters (§1). */
async function addBodies(plain: FastifyInstance): Promise<void> {
  await plain.register(formbody, { parser: parseParams, bodyLimit: FIELD_BYTES });
  await plain.register(multipart, { limits: { fieldSize: FIELD_BYTES, fileSize: FIELD_BYTES, files: 1 } });
  plain.addHook('preValidation', async (request) => {
    if (!request.isMultipart?.()) return;
    const params = emptyParams();
    for await (const part of request.parts()) {
      if (part.type === 'field') assignParam(params, part.fieldname, String(part.value));
      else part.file.resume();
    }
    request.body = params;
  });
  // Anything else is read and ignored, as Canvas does with bodies it has no parser for.
  plain.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) =>
    done(null, emptyParams()),
  );
}

/** `/api/v1/courses/7.json?x=1` is `/api/v1/courses/7?x=1` (§1). */
function withoutJsonSuffix(url: string): string {
  if (!url.startsWith('/api/v1/')) return url;
  const cut = url.indexOf('?');
  const path = cut < 0 ? url : url.slice(0, cut);
  return path.endsWith('.json') ? path.slice(0, -5) + (cut < 0 ? '' : url.slice(cut)) : url;
}
