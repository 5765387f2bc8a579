/** Which folder may import which (docs/architecture.md). Paths are relative to the project; the first match decides. */
const PACKAGES = 'packages/(contract|domain)/src/';
/** Shared base of all systems in the sandbox. Every other folder there is a system, such as `canvas`. */
const SHARED = 'apps/sandbox/src/(?:config\\.ts$|(?:faults|files|http|memory|seed)/)';

export default [
  {
    name: 'the rules know nothing else',
    from: 'packages/domain/src/',
    may: ['packages/domain/src/'],
    modules: [],
  },
  { name: 'contract → domain', from: 'packages/contract/src/', may: [PACKAGES], modules: ['zod'] },
  {
    name: 'the server knows no other app',
    from: 'apps/server/src/',
    // Names the running release.
    may: ['apps/server/src/', PACKAGES, 'package\\.json$'],
  },
  { name: 'what the systems of the sandbox share knows none of them', from: SHARED, may: [SHARED] },
  {
    name: 'systems of the sandbox do not import each other, nor what puts them together',
    from: 'apps/sandbox/src/([^/]+)/',
    may: ['apps/sandbox/src/$1/', SHARED],
  },
  { name: 'the sandbox knows nothing of the console', from: 'apps/sandbox/src/', may: ['apps/sandbox/src/'] },
  {
    name: 'api → contract → domain',
    from: 'apps/console/src/api/',
    may: ['apps/console/src/api/', PACKAGES],
  },
  {
    name: 'components → api → contract → domain',
    from: 'apps/console/src/components/',
    may: ['apps/console/src/(components|api)/', PACKAGES],
  },
  {
    name: 'tools do not import each other, nor the app',
    from: 'apps/console/src/tools/([^/]+)/',
    may: ['apps/console/src/tools/$1/', 'apps/console/src/(components|api)/', PACKAGES],
  },
  { name: 'the console knows no other app', from: 'apps/console/src/', may: ['apps/console/src/', PACKAGES] },
];

/**
 * The server's folders below the outermost layer, outermost first. Each can import folders further in and folders of its own
 * layer, but never in a circle. Folders not named here belong to the outermost layer: the tools, and `lms`. The files that
 * combine everything are outside these layers, and no folder imports them.
 */
export const layers = {
  within: 'apps/server/src/',
  order: [
    ['plans'],
    ['imports'],
    ['jobs', 'files', 'directory'],
    ['access'],
    ['auth'],
    ['canvas', 'timetable', 'zoom-api', 'qualtrics'],
    ['outbound'],
    ['platform'],
  ],
};

/** Only `outbound/` connects to outside systems. Each file listed here is an exception, with its reason. */
export const connections = {
  within: 'apps/server/src/',
  except: 'apps/server/src/outbound/',
  builtIns: [
    'http',
    'https',
    'http2',
    'net',
    'tls',
    'dgram',
    'dns',
    'child_process',
    'cluster',
    'worker_threads',
  ],
  globals: ['fetch', 'WebSocket', 'WebSocketStream', 'EventSource', 'XMLHttpRequest', 'Worker'],
  /** Packages that do not open connections themselves. Add a package only if you are sure of this. */
  quiet: [
    /^(zod|fastify|fastify-type-provider-zod|pino|pino-pretty|prom-client|drizzle-orm|proper-lockfile)$/,
    /^@fastify\/(compress|cookie|helmet|multipart|rate-limit|static)$/,
    /^(yauzl|yazl|ical-generator|timezones-ical-library|lru-cache)$/,
    /^(sharp|image-size|file-type)$/,
  ],
  may: {
    // The database. The first start of the embedded database is a separate process.
    'apps/server/src/platform/server-database.ts': ['pg', 'net'],
    'apps/server/src/platform/embedded-database.ts': [
      '@electric-sql/pglite',
      'child_process',
      'createRequire',
    ],
    // Reports to systemd, only on this machine.
    'apps/server/src/platform/service-manager.ts': ['child_process'],
    // Connects commands to the server with the embedded database, only on this machine.
    'apps/server/src/operation/door.ts': ['net'],
    'apps/server/src/operation/reach.ts': ['net'],
    // Compares addresses with networks; does not open connections.
    'apps/server/src/platform/networks.ts': ['net'],
    // Workbooks are written in a separate thread.
    'apps/server/src/files/workbook.ts': ['worker_threads', 'Worker'],
    'apps/server/src/files/workbook-worker.mjs': ['worker_threads', 'write-excel-file'],
    // Uploaded workbooks are read in a separate thread.
    'apps/server/src/platform/reusable-worker.ts': ['worker_threads', 'Worker'],
    'apps/server/src/awards/sheet-worker.mjs': ['worker_threads', '@e965/xlsx'],
    // The protocol of image stores. Its requests are sent through `outbound/`.
    'apps/server/src/files/s3-objects.ts': ['@aws-sdk/client-s3'],
    'apps/server/src/files/s3-library.ts': ['@aws-sdk/client-s3'],
    // The sign-in protocol. Its requests are sent through `outbound/`.
    'apps/server/src/auth/oauth.ts': ['openid-client'],
  },
};
