/**
 * A sandbox: one server that answers for all the systems it imitates. Runs as a process (`main.ts`) and
 * inside tests.
 */

import { join } from 'node:path';
import formbody from '@fastify/formbody';
import Fastify, { type FastifyInstance } from 'fastify';
import { makeCanvas } from './canvas/canvas.ts';
import { withoutJsonSuffix } from './canvas/routes.ts';
import { SEED } from './canvas/seed/seed.ts';
import type { Identity } from './canvas/store/identity.ts';
import type { World } from './canvas/store/world.ts';
import { DEFAULTS, type SandboxOptions, SettingsError } from './config.ts';
import { handleRoutes } from './faults/routes.ts';
import { frontPageRoutes } from './http/front-page.ts';
import { emptyParams, FIELD_BYTES, parseParams } from './http/params.ts';
import { addPlumbing, answerUnreadable } from './http/plumbing.ts';
import { type System, Systems } from './http/systems.ts';
import { FolderInUse } from './memory/lock.ts';
import { FILES, FORGETFUL, Memory } from './memory/memory.ts';
import { makeQualtrics } from './qualtrics/qualtrics.ts';
import { QUALTRICS_SEED } from './qualtrics/seed/seed.ts';
import { makeTimeEdit } from './timeedit/timeedit.ts';
import { ZOOM_SEED } from './zoom/seed/seed.ts';
import { makeZoom } from './zoom/zoom.ts';

export type { SandboxOptions } from './config.ts';

/** A running sandbox. */
export type Sandbox = {
  /** Without a trailing slash. */
  url: string;
  port: number;
  /** The contents of Canvas. */
  world: World;
  /** Restores the seed, like `POST /sandbox/reset`. */
  reset(): void;
  close(): Promise<void>;
};

/**
 * Starts a sandbox; `port: 0` uses any free port. Missing settings are as in {@link DEFAULTS}.
 * @param more additional systems
 * @throws if the port is in use; SettingsError if others could sign in with the published token
 */
export async function startSandbox(
  given: Partial<SandboxOptions> = {},
  more: readonly System[] = [],
): Promise<Sandbox> {
  const options: SandboxOptions = { ...DEFAULTS, ...given };
  refusePublishedToken(options);
  const memory = await openMemory(options);
  const canvas = makeCanvas(options);
  const zoom = makeZoom(options);
  const qualtrics = makeQualtrics(options);
  const { world } = canvas;
  if (memory) {
    const reseed = () => {
      canvas.reseed();
      zoom.reseed();
      qualtrics.reseed();
    };
    const identity = memory.recall({ ...canvas.kept, ...zoom.kept, ...qualtrics.kept }, reseed);
    if (identity) world.identity = identity;
    else memory.begin(world.identity);
  }
  const files = memory ? join(memory.folder, FILES) : null;
  const systems = new Systems([
    await canvas.open(files),
    zoom.system,
    qualtrics.system,
    makeTimeEdit(options),
    ...more,
  ]);
  const reset = () => {
    for (const system of systems.all) {
      system.reset();
      system.faults.clear();
    }
    memory?.begin(world.identity);
  };
  const app = newServer(systems);
  refuseStrangers(app, options);
  addPlumbing(app, systems, options.latencyMs);
  if (memory) answerWhatIsKept(app, memory);
  const campus = () => world.identity.uuid;
  await app.register(frontPageRoutes({ systems, options, remembers: memory !== null, campus }));
  await app.register(async (handles) => {
    await handles.register(formbody, { parser: parseParams, bodyLimit: FIELD_BYTES });
    await handles.register(handleRoutes(systems, reset));
  });
  for (const system of systems.all) await app.register(system.routes);
  // With `localhost` the server listens on both loopback addresses, if the machine has both.
  const host = options.host === '127.0.0.1' ? 'localhost' : options.host;
  const close = async () => {
    await app.close();
    for (const system of systems.all) await system.close?.();
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

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Rejects requests from strangers. Any web page could send forms here or point its own host name at this
 * server, and the sandbox's token is public. So a local sandbox answers only to the machine's own names, and
 * accepts writes only from its own pages or from outside a browser.
 */
function refuseStrangers(app: FastifyInstance, options: SandboxOptions): void {
  const local = isLoopback(options.host);
  app.addHook('onRequest', async ({ headers, method, ip }, reply) => {
    const requestedHost = headers.host ? hostname(`http://${headers.host}`) : null;
    const { origin } = headers;
    const foreignName = requestedHost === null || (local && !LOOPBACK.has(requestedHost));
    // A local proxy forwards other people's requests: the published token would give all of them access.
    const passedOn = ['forwarded', 'x-forwarded-for', 'via'].some((name) => headers[name] !== undefined);
    const foreignClient = isPublished(options) && (passedOn || !isLoopback(ip));
    const page = origin === undefined ? null : hostname(origin);
    const ownPage =
      origin === undefined || page === requestedHost || (page !== null && local && LOOPBACK.has(page));
    const foreignPage = method !== 'GET' && !ownPage;
    if (!foreignName && !foreignPage && !foreignClient) return undefined;
    return reply
      .code(403)
      .type('text/plain; charset=utf-8')
      .send('This is not asked from a page of the practice LMS.\n');
  });
}

/** @throws SettingsError */
function refusePublishedToken(options: SandboxOptions): void {
  if (isLoopback(options.host) || !isPublished(options)) return;
  throw new SettingsError(
    `SANDBOX_HOST is ${options.host}, so others than this machine could use the published token: ` +
      'SANDBOX_ADMIN_TOKEN should hold one of your own, for the console as well.',
  );
}

/** Returns whether the token is the one in the documentation. */
function isPublished({ adminToken }: SandboxOptions): boolean {
  return adminToken === DEFAULTS.adminToken;
}

function isLoopback(address: string): boolean {
  return LOOPBACK.has(address) || /^(::1$|(::ffff:)?127\.)/.test(address);
}

function hostname(address: string): string | null {
  return URL.canParse(address) ? new URL(address).hostname : null;
}

/**
 * Opens the saved state, or returns null if the sandbox should not, or cannot, save its state.
 * @throws FolderInUse
 */
async function openMemory({ data, size }: SandboxOptions): Promise<Memory<Identity> | null> {
  if (data === null) return null;
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  // Each size is a separate sandbox.
  const folder = join(data, size);
  try {
    const seed = `canvas ${SEED}, zoom ${ZOOM_SEED}, qualtrics ${QUALTRICS_SEED}, ${size}`;
    return await Memory.open<Identity>({ folder, seed, say });
  } catch (error) {
    if (error instanceof FolderInUse) throw error;
    say(`The practice LMS cannot use the folder ${folder}: ${(error as Error).message}. ${FORGETFUL}`);
    return null;
  }
}

/**
 * Saves before answering, so that clients can rely on an answer even if the sandbox is killed right
 * afterwards.
 */
function answerWhatIsKept(app: FastifyInstance, memory: Memory<Identity>): void {
  app.addHook('onSend', async ({ method, url, passage }, _reply, payload) => {
    const reads = method === 'GET' || method === 'HEAD';
    if (!reads || passage?.system.saysWhatIsDone?.(url)) await memory.settle();
    return payload;
  });
}

/** Node's limit for a request's line and headers. */
const MOST_PATH_BYTES = 16 * 1024;

function newServer(systems: Systems): FastifyInstance {
  const app = Fastify({
    frameworkErrors: answerUnreadable(systems),
    forceCloseConnections: true,
    return503OnClosing: false,
    exposeHeadRoutes: true,
    bodyLimit: 16 * FIELD_BYTES,
    rewriteUrl: (request) => withoutJsonSuffix(request.url ?? '/'),
    routerOptions: {
      // More than Node accepts in total, so that an ID of any length is simply unknown.
      maxParamLength: MOST_PATH_BYTES,
      ignoreTrailingSlash: true,
      querystringParser: parseParams,
    },
  });
  // Some clients announce JSON and send nothing; this counts as no parameters.
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? emptyParams() : JSON.parse(String(body)));
    } catch {
      done(Object.assign(new Error('The request body is not valid JSON.'), { statusCode: 400 }));
    }
  });
  return app;
}
