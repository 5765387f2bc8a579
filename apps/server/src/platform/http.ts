/** HTTP basis of all routes: headers, cookies, same-origin check, request ids, access lines, errors. */
import { randomUUID } from 'node:crypto';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import type { Answer } from '@lms-admin/contract/lms-calls';
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import { isBackEnd, readableUrl } from './address.ts';
import type { Config } from './config.ts';
import { AppError } from './errors.ts';
import { answerError } from './http-errors.ts';
import { BODY_BYTES, readJsonBodies } from './json-body.ts';
import { REQUEST_ID, workFor } from './request-id.ts';
import { requireDeclarations } from './route.ts';

/** Milliseconds until a request must have arrived completely: the largest body on a slow line. */
const REQUEST_MS = 300_000;
/** Fast compression, with few steps for large answers: browsers behind a TLS proxy use the other encoding. */
const GZIP = { level: 3, chunkSize: 65_536 };
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Creates the server without routes; each added route must be declared (`route.ts`).
 * @param site the public origin, which may be known only after listening has begun
 */
export async function createHttp(
  config: Config,
  log: Logger,
  site: { origin: string },
): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: log,
    // The default lines would show whole addresses, which contain the code at sign-in.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: BODY_BYTES,
    // Otherwise Fastify loads its compilers of JSON schemas at each start.
    schemaController: { compilersFactory: { buildValidator: noJsonSchemas, buildSerializer: noJsonSchemas } },
    trustProxy: [...config.trustedProxies],
    forceCloseConnections: 'idle',
    // Otherwise a body that never ends would hold its connection permanently.
    requestTimeout: REQUEST_MS,
    rewriteUrl: ({ url = '/' }) => readableUrl(url),
    // Requests that the router itself refuses never reach a route.
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  }) as unknown as FastifyInstance;
  app.setValidatorCompiler(validatorCompiler);
  // Only JSON is accepted: a form on another site cannot send JSON.
  app.removeContentTypeParser('text/plain');
  readJsonBodies(app);
  app.setErrorHandler(answerError);
  requireDeclarations(app);
  await app.register(cookie);
  await app.register(helmet, helmetOptions(config));
  await app.register(rateLimit, { global: false });
  // Compressed bodies are not accepted: no client sends them, and a refusal halfway would block the connection.
  await app.register(compress, {
    encodings: ['br', 'gzip'],
    threshold: 4_096,
    globalDecompression: false,
    zlibOptions: GZIP,
  });

  app.addHook('onRequest', (request, _, done) => workFor(request.id, done));
  app.addHook('onRequest', async (request, reply) => {
    reply.header(REQUEST_ID, request.id);
    const { declaration } = request.routeOptions.config;
    if (declaration || isBackEnd(request.url)) reply.header('cache-control', 'no-store');
    refuseForeignHosts(request, site.origin);
    refuseForeignWrites(request, site.origin);
  });
  app.addHook('onResponse', async (request, reply) => logAnswer(request, reply));
  return app;
}

/** Refuses JSON schemas: routes have Zod schemas, and answers have none for Fastify (`route.ts`). */
function noJsonSchemas(): never {
  throw new Error('a route has a JSON schema');
}

/** Logs one line for each request, except for files and the frequent requests of monitoring. */
function logAnswer(request: FastifyRequest, { statusCode, elapsedTime }: FastifyReply): void {
  const { declaration } = request.routeOptions.config;
  if (!declaration || (declaration.for === 'public' && !declaration.path.startsWith('/api/'))) return;
  request.log.info(
    {
      method: request.method,
      route: declaration.path,
      status: statusCode,
      ms: Math.round(elapsedTime),
      // Address of the client, as reported by trusted proxies.
      address: request.ip,
    },
    'answered',
  );
}

/** Names of this machine as used in browsers. */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Prevents DNS rebinding: a site whose name points to this machine could otherwise read from LMS Admin. Monitoring
 * requests are answered under any name, because monitors use addresses.
 */
function refuseForeignHosts(request: FastifyRequest, origin: string): void {
  const { declaration } = request.routeOptions.config;
  if (declaration?.for === 'public' && !declaration.path.startsWith('/api/')) return;
  const requestedHost = hostname(`http://${requestedName(request) ?? ''}`);
  if (requestedHost !== null && (requestedHost === hostname(origin) || LOOPBACK.has(requestedHost))) return;
  throw new AppError('foreign-origin', {
    message: 'LMS Admin does not answer at this address.',
    next: 'Open LMS Admin at its own address. A proxy in front of it must pass on the host name (Host).',
  });
}

/** Returns the one requested name, from `Host`: a page can set other headers (`X-Forwarded-Host`) itself. */
function requestedName({ raw, originalUrl }: FastifyRequest): string | undefined {
  const names = raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  return names.length === 1 && originalUrl.startsWith('/') ? raw.headers.host : undefined;
}

function hostname(address: string): string | null {
  return URL.canParse(address) ? new URL(address).hostname : null;
}

/**
 * Refuses writes from other sites: browsers send cookies with requests of any site, so a write must come from LMS
 * Admin's own pages (OP-06).
 */
function refuseForeignWrites(request: FastifyRequest, origin: string): void {
  if (SAFE_METHODS.has(request.method)) return;
  const site = request.headers['sec-fetch-site'];
  const from = request.headers.origin;
  if ((from !== undefined && from !== origin) || site === 'cross-site' || site === 'same-site') {
    throw new AppError('foreign-origin');
  }
}

function helmetOptions(config: Config) {
  const secure = config.origin?.startsWith('https:') ?? false;
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // The component library writes its style rules at run time; scripts have no such exception.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', ...imageHosts(config)],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    hsts: secure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    crossOriginResourcePolicy: { policy: 'same-origin' as const },
    referrerPolicy: { policy: 'no-referrer' as const },
    xFrameOptions: { action: 'deny' as const },
  };
}

/** Lists the sources of avatars, the logo and uploaded images; an image chosen for upload is a `data:` address. */
function imageHosts({ lms, site, images }: Config): string[] {
  const logo = site.logoUrl === null ? [] : [new URL(site.logoUrl).origin];
  const uploads = images.publicUrl ? [new URL(images.publicUrl).origin] : [];
  return [lms.url, ...lms.fileHosts.map((host) => `https://${host}`), ...logo, ...uploads];
}

/** Aborts when the browser disconnects before its answer is complete. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished)
      gone.abort(new DOMException('the reader has disconnected', 'AbortError'));
  });
  return gone.signal;
}

/** Wraps data in the envelope of every successful answer (OP-97). */
export function answer<T>(data: T, nextPage: string | null = null, status = 200): Answer<T> {
  return { status, data, pagination: { nextPage } };
}
