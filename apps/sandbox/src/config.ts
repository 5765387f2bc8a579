/** Settings of a sandbox, from the environment or from the caller of `startSandbox`. */

import { join } from 'node:path';
import { z } from 'zod';

/** The leaky bucket of one client (reference §5), in cost units and units per second. */
export type ThrottleOptions = { quota: number; maximum: number; leakPerSecond: number; upfront: number };

/** Zoom's limits for one school (Zoom reference §5); null: none. */
export type ZoomLimits = {
  perSecond: { Light: number; Medium: number };
  perDay: { Light: number | null; Medium: number | null };
  /** Requests to create or update a meeting, per host and UTC day. */
  hostDay: number;
  tokensPerMinute: number;
};

/**
 * Qualtrics's limits for a brand (Qualtrics reference §9), by kind of call; for exports, the number at the same time
 * per user.
 */
export type QualtricsLimits = {
  perMinute: { all: number; start: number; progress: number; file: number };
  exportsAtOnce: number;
};

export type SandboxOptions = {
  /** The TCP port; 0: any free one. */
  port: number;
  /** The address to listen on. */
  host: string;
  size: 'default' | 'large';
  /** The speed of an import: rows per second, or instant. */
  importPace: number | 'instant';
  /** How long an account report takes, in milliseconds. */
  reportMs: number;
  mode: 'practice' | 'test';
  /** A bearer token with every permission, for scripts. */
  adminToken: string;
  /** When that token expires; null: never. */
  adminTokenExpires: Date | null;
  /** The delay added to each answer of an API, in milliseconds. */
  latencyMs: number;
  throttle: ThrottleOptions | false;
  /** The status of throttled requests: 429 as in hosted Canvas, 403 as in self-hosted Canvas. */
  throttleStatus: 429 | 403;
  /** The developer key of the console (§2). */
  oauthClientId: string;
  oauthClientSecret: string;
  /** Hosts other than localhost that sign-in can redirect to, including their subdomains. */
  redirectHosts: readonly string[];
  zoomLimits: ZoomLimits | false;
  /** The secret of the console's app in Zoom. */
  zoomClientSecret: string;
  qualtricsLimits: QualtricsLimits | false;
  /** The token of the Qualtrics user who owns the award's survey. */
  qualtricsToken: string;
  /** The secret of the console's app in Qualtrics. */
  qualtricsClientSecret: string;
  /** The identity of the sandbox: the root account's `uuid`. Null: a new one at each seed. */
  campusUuid: string | null;
  /** The folder for state that survives restarts; null: nothing does. */
  data: string | null;
  /** The clock; tests can provide their own. */
  now: () => Date;
};

/** Canvas's own throttle numbers (§5). */
export const CANVAS_THROTTLE: ThrottleOptions = { quota: 600, maximum: 800, leakPerSecond: 10, upfront: 50 };

/** The limits of an Education plan; Zoom does not publish the limit on tokens (Zoom reference §2, §5). */
export const ZOOM_EDUCATION: ZoomLimits = {
  perSecond: { Light: 80, Medium: 60 },
  perDay: { Light: null, Medium: null },
  hostDay: 100,
  tokensPerMinute: 30,
};

/**
 * The published numbers; the limit on simultaneous exports is the sandbox's own, because Qualtrics does not
 * publish one.
 */
export const QUALTRICS_LIMITS: QualtricsLimits = {
  perMinute: { all: 3000, start: 100, progress: 1000, file: 100 },
  exportsAtOnce: 20,
};

/** Defaults for a sandbox that people use, as opposed to tests. */
export const DEFAULTS: SandboxOptions = {
  port: 8090,
  host: '127.0.0.1',
  size: 'default',
  importPace: 40,
  reportMs: 3_000,
  mode: 'practice',
  adminToken: 'sandbox-admin-token',
  adminTokenExpires: null,
  latencyMs: 0,
  throttle: CANVAS_THROTTLE,
  throttleStatus: 429,
  oauthClientId: '10',
  oauthClientSecret: 'sandbox-client-secret',
  redirectHosts: [],
  zoomLimits: ZOOM_EDUCATION,
  zoomClientSecret: 'sandbox-zoom-secret',
  qualtricsLimits: QUALTRICS_LIMITS,
  qualtricsToken: 'sandbox-qualtrics-token',
  qualtricsClientSecret: 'sandbox-qualtrics-secret',
  campusUuid: null,
  data: null,
  now: () => new Date(),
};

const wholeNumber = (text: string) =>
  z
    .string()
    .regex(/^\d{1,9}$/, text)
    .transform(Number);
const positive = (text: string) => wholeNumber(text).refine((value) => value > 0, text);

const environment = z.object({
  SANDBOX_PORT: wholeNumber('a port number, 0 to 65535')
    .refine((port) => port <= 65_535, 'a port number, 0 to 65535')
    .optional(),
  SANDBOX_HOST: z.string().min(1, 'an address to listen on').optional(),
  SANDBOX_SIZE: z.enum(['default', 'large'], 'default or large').optional(),
  SANDBOX_IMPORT_PACE: z
    .union(
      [z.literal('instant'), positive('')],
      'rows per second (a whole number above 0) or the word instant',
    )
    .optional(),
  SANDBOX_REPORT_MS: wholeNumber('milliseconds, 0 or more').optional(),
  SANDBOX_ADMIN_TOKEN: z.string().min(8, 'a token of at least 8 characters').optional(),
  SANDBOX_DATA: z.string().optional(),
  SANDBOX_MODE: z.enum(['practice', 'test'], 'practice or test').optional(),
  SANDBOX_LATENCY_MS: wholeNumber('milliseconds, 0 or more').optional(),
  SANDBOX_THROTTLE: z.enum(['on', 'off'], 'on or off').optional(),
  SANDBOX_THROTTLE_STATUS: z.enum(['429', '403'], '429 or 403').optional(),
  SANDBOX_THROTTLE_QUOTA: positive('cost units, above 0').optional(),
  SANDBOX_THROTTLE_LEAK: positive('cost units per second, above 0').optional(),
  SANDBOX_ZOOM_LIMITS: z.enum(['on', 'off'], 'on or off').optional(),
  SANDBOX_ZOOM_CLIENT_SECRET: z.string().min(8, 'a secret of at least 8 characters').optional(),
  SANDBOX_QUALTRICS_LIMITS: z.enum(['on', 'off'], 'on or off').optional(),
  SANDBOX_QUALTRICS_TOKEN: z.string().min(8, 'a token of at least 8 characters').optional(),
  SANDBOX_QUALTRICS_CLIENT_SECRET: z.string().min(8, 'a secret of at least 8 characters').optional(),
  SANDBOX_OAUTH_CLIENT_ID: z
    .string()
    .regex(/^\d{1,15}$/, 'a developer key id, digits only')
    .optional(),
  SANDBOX_OAUTH_CLIENT_SECRET: z.string().min(8, 'a secret of at least 8 characters').optional(),
  SANDBOX_OAUTH_REDIRECT_HOSTS: z
    .string()
    .regex(/^[a-z0-9.-]+(?:,[a-z0-9.-]+)*$/i, 'host names with commas between them')
    .optional(),
});

/** The names of all settings. */
export const SANDBOX_SETTING_NAMES = Object.keys(environment.shape);

/** Prevents a start; the message names the setting and the expected value. */
export class SettingsError extends Error {}

/**
 * Reads the settings of the process from its environment. Empty values count as missing.
 * @throws SettingsError naming each invalid setting, or if the environment looks like production.
 */
export function readSettings(env: NodeJS.ProcessEnv): SandboxOptions {
  if (env['NODE_ENV'] === 'production') {
    throw new SettingsError(
      'NODE_ENV is production: the sandbox is a practice LMS with published passwords and does not start there.',
    );
  }
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => name.startsWith('SANDBOX_') && value !== ''),
  );
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')} must be ${issue.message}.`);
    throw new SettingsError([...new Set(lines)].join('\n'));
  }
  const set = parsed.data;
  const quota = set.SANDBOX_THROTTLE_QUOTA ?? CANVAS_THROTTLE.quota;
  const throttle: ThrottleOptions = {
    ...CANVAS_THROTTLE,
    quota,
    // Canvas's maximum is a third above its quota; a bucket smaller than its quota would never throttle.
    maximum: Math.max(CANVAS_THROTTLE.maximum, Math.ceil((quota * 4) / 3)),
    leakPerSecond: set.SANDBOX_THROTTLE_LEAK ?? CANVAS_THROTTLE.leakPerSecond,
  };
  const mode = set.SANDBOX_MODE ?? DEFAULTS.mode;
  const practiceData = mode === 'practice' ? join(env['LMS_ADMIN_DATA'] || 'var', 'campus') : null;
  return {
    ...DEFAULTS,
    port: set.SANDBOX_PORT ?? DEFAULTS.port,
    host: set.SANDBOX_HOST ?? DEFAULTS.host,
    size: set.SANDBOX_SIZE ?? DEFAULTS.size,
    importPace: set.SANDBOX_IMPORT_PACE ?? DEFAULTS.importPace,
    reportMs: set.SANDBOX_REPORT_MS ?? DEFAULTS.reportMs,
    mode,
    data: set.SANDBOX_DATA ?? practiceData,
    adminToken: set.SANDBOX_ADMIN_TOKEN ?? DEFAULTS.adminToken,
    adminTokenExpires: null,
    latencyMs: set.SANDBOX_LATENCY_MS ?? DEFAULTS.latencyMs,
    throttle: set.SANDBOX_THROTTLE === 'off' ? false : throttle,
    throttleStatus: set.SANDBOX_THROTTLE_STATUS === '403' ? 403 : DEFAULTS.throttleStatus,
    zoomLimits: set.SANDBOX_ZOOM_LIMITS === 'off' ? false : DEFAULTS.zoomLimits,
    zoomClientSecret: set.SANDBOX_ZOOM_CLIENT_SECRET ?? DEFAULTS.zoomClientSecret,
    qualtricsLimits: set.SANDBOX_QUALTRICS_LIMITS === 'off' ? false : DEFAULTS.qualtricsLimits,
    qualtricsToken: set.SANDBOX_QUALTRICS_TOKEN ?? DEFAULTS.qualtricsToken,
    qualtricsClientSecret: set.SANDBOX_QUALTRICS_CLIENT_SECRET ?? DEFAULTS.qualtricsClientSecret,
    oauthClientId: set.SANDBOX_OAUTH_CLIENT_ID ?? DEFAULTS.oauthClientId,
    oauthClientSecret: set.SANDBOX_OAUTH_CLIENT_SECRET ?? DEFAULTS.oauthClientSecret,
    redirectHosts: set.SANDBOX_OAUTH_REDIRECT_HOSTS?.toLowerCase().split(',') ?? DEFAULTS.redirectHosts,
  };
}
