/** The HTTP side that all routes stand on: headers, cookies, same-origin check, request ids, access lines, errors. */
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
import { requireDeclarations } from './route.ts';

/** Milliseconds in which a request must be here whole: the largest body on a slow line. */
const REQUEST_MS = 300_000;
/** Quick, and large answers in few steps: a browser behind a proxy with TLS takes the other encoding. */
const GZIP = { level: 3, chunkSize: 65_536 };
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Makes the server without routes; each that is added must say what it is (`route.ts`).
 * @param site the public origin, which may become known only when listening
 */
export async function createHttp(
  config: Config,
  log: Logger,
  site: { origin: string },
): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: log,
    // Its lines would show whole addresses, which at sign-in hold the code.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: BODY_BYTES,
    trustProxy: [...config.trustedProxies],
    forceCloseConnections: 'idle',
    // Else a body that never ends keeps its connection for good.
    requestTimeout: REQUEST_MS,
    rewriteUrl: ({ url = '/' }) => readableUrl(url),
    // What the router itself refuses never gets to a route.
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  }) as unknown as FastifyInstance;
  app.setValidatorCompiler(validatorCompiler);
  // Only JSON is read: a form of another site cannot be sent as JSON.
  app.removeContentTypeParser('text/plain');
  readJsonBodies(app);
  app.setErrorHandler(answerError);
  requireDeclarations(app);
  await app.register(cookie);
  await app.register(helmet, helmetOptions(config));
  await app.register(rateLimit, { global: false });
  // Bodies come as they are: no one sends packed ones, and what is refused half unpacked would hold up its connection.
  await app.register(compress, {
    encodings: ['br', 'gzip'],
    threshold: 4_096,
    globalDecompression: false,
    zlibOptions: GZIP,
  });

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    const { declaration } = request.routeOptions.config;
    if (declaration || isBackEnd(request.url)) reply.header('cache-control', 'no-store');
    refuseForeignHosts(request, site.origin);
    refuseForeignWrites(request, site.origin);
  });
  app.addHook('onResponse', async (request, reply) => logAnswer(request, reply));
  return app;
}

/** One line for each request. Files are not worth one, nor what operation asks every few seconds. */
function logAnswer(request: FastifyRequest, { statusCode, elapsedTime }: FastifyReply): void {
  const { declaration } = request.routeOptions.config;
  if (!declaration || (declaration.for === 'public' && !declaration.path.startsWith('/api/'))) return;
  request.log.info(
    {
      method: request.method,
      route: declaration.path,
      status: statusCode,
      ms: Math.round(elapsedTime),
      // Of who asks, as far as the proxies in front are believed.
      address: request.ip,
    },
    'answered',
  );
}

/** Names of this machine, as a browser on it may write them. */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * A page whose own name was made to point at this machine would be read here as if it were ours. What operation asks for is
 * answered under any name: those who ask go by addresses.
 */
function refuseForeignHosts(request: FastifyRequest, origin: string): void {
  const { declaration } = request.routeOptions.config;
  if (declaration?.for === 'public' && !declaration.path.startsWith('/api/')) return;
  const asked = hostname(`http://${askedName(request) ?? ''}`);
  if (asked !== null && (asked === hostname(origin) || LOOPBACK.has(asked))) return;
  throw new AppError('foreign-origin', {
    message: 'LMS Admin does not answer at this address.',
    next: 'Open it at its own address. A proxy in front of it must pass on the name (Host).',
  });
}

/** The name that was asked for, once and in `Host`: what else says so (`X-Forwarded-Host`), a page may add by itself. */
function askedName({ raw, originalUrl }: FastifyRequest): string | undefined {
  const names = raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  return names.length === 1 && originalUrl.startsWith('/') ? raw.headers.host : undefined;
}

function hostname(address: string): string | null {
  return URL.canParse(address) ? new URL(address).hostname : null;
}

/** Cookies are sent along by the browser anyone who asks, so a write must come from our own pages (OP-06). */
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

/** Where avatars, the logo and uploaded images come from; an image that is about to be uploaded is a `data:` address. */
function imageHosts({ lms, site, images }: Config): string[] {
  const logo = site.logoUrl === null ? [] : [new URL(site.logoUrl).origin];
  const uploads = images.publicUrl ? [new URL(images.publicUrl).origin] : [];
  return [lms.url, ...lms.fileHosts.map((host) => `https://${host}`), ...logo, ...uploads];
}

/** Aborts when the browser leaves before its answer is complete. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort(new DOMException('the reader has gone', 'AbortError'));
  });
  return gone.signal;
}

/** The envelope of every successful answer (OP-97). */
export function answer<T>(data: T, nextPage: string | null = null, status = 200): Answer<T> {
  return { status, data, pagination: { nextPage } };
}
