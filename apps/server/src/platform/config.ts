/** Settings of the installation, read once at start from the environment. What is missing or malformed stops the start. */
import { AUTO_SELECTED_PROGRAMME_IDS, MAX_ENROLLMENT_ROWS } from '@lms-admin/domain/constants';
import { z } from 'zod';
import { isNetwork } from './networks.ts';
import {
  type QualtricsSettings,
  qualtricsProblems,
  qualtricsSettings,
  qualtricsShape,
} from './qualtrics-settings.ts';
import { type ImageStores, imageStores, s3Problems, s3Shape } from './s3-settings.ts';
import { practiceFeeds, type TimetableFeed, timetableSetting } from './timetable-settings.ts';
import { queueHours, type ZoomSettings, zoomProblems, zoomSettings, zoomShape } from './zoom-settings.ts';

export interface Config {
  /** True when the LMS is the practice sandbox (no LMS_URL given). */
  readonly practice: boolean;
  /** TCP port to listen on; 0 picks a free one. */
  readonly port: number;
  readonly host: string;
  /** Public origin as browsers see it, without a trailing slash; null when it follows the port. */
  readonly origin: string | null;
  /** Addresses and networks of proxies that say who really asks; what another says of itself is not believed. */
  readonly trustedProxies: readonly string[];
  /** Addresses and networks, beside this machine, that may read `/metrics`. */
  readonly metricsFrom: readonly string[];
  /** Folder of everything the server writes. */
  readonly dataFolder: string;
  /** PostgreSQL connection string; null for the embedded database in the data folder. */
  readonly databaseUrl: string | null;
  /** Path of the file of access records. */
  readonly accessFile: string;
  /** 32 bytes as base64 or hex that encrypt LMS tokens at rest; null: a key is kept in the data folder (practice mode only). */
  readonly encryptionKey: string | null;
  /** A further key that opens what was encrypted with it, while the key is changed. */
  readonly otherKey: string | null;
  /** Address of the LMS that the database may have been used with before. */
  readonly formerLmsUrl: string | null;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  readonly lms: LmsConfig;
  /** Pages of the timetable; none: reservations stay unknown. */
  readonly timetableFeeds: readonly TimetableFeed[];
  /** Null: no account is set up, and its tools say so. */
  readonly zoom: ZoomSettings | null;
  /** Milliseconds of a period in which each course of Zoom Event Run's queue is run once. */
  readonly zoomQueueMs: number;
  /** Null: no account is set up, and the award says so. */
  readonly qualtrics: QualtricsSettings | null;
  /** Where images lie. */
  readonly images: ImageStores;
  readonly jobs: {
    /** Milliseconds after which another process may take over a job whose process does not answer. */
    readonly leaseMs: number;
    /** How long something outside may fail before a job is given up, in milliseconds. */
    readonly patienceMs: number;
    /** How long a job waits for its admin to sign in again, in milliseconds. */
    readonly signInPatienceMs: number;
  };
  readonly imports: ImportTimings;
  /** Values the browser may know; links that are null are hidden (OP-15). */
  readonly site: SiteConfig;
  /** Most enrolment rows in one submission. */
  readonly maxEnrollmentRows: number;
}

export interface LmsConfig {
  /** Origin of the LMS, without a trailing slash. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Token of a service user for calls on the root account; null: the admins' own tokens are used. */
  readonly serviceToken: string | null;
  /** Hosts, beside the LMS's own, that error attachments may be linked to (OP-40). */
  readonly fileHosts: readonly string[];
  /** Most calls in flight for one token. */
  readonly maxInFlight: number;
  /** Milliseconds that the LMS may take to begin its answer, and to pause within it. */
  readonly timeoutMs: number;
  /** Most pages of a list; one that is longer is a failure. */
  readonly maxPages: number;
}

export interface ImportTimings {
  /** Milliseconds between two polls at an import in the LMS. */
  readonly pollMs: number;
  /** Milliseconds to wait before the LMS is asked whether it has an import whose submission was cut off. */
  readonly graceMs: number;
  /** Milliseconds for which an import waits for a LMS that does not answer before it is given up. */
  readonly patienceMs: number;
}

export interface SiteConfig {
  readonly institution: string;
  readonly emailDomain: string | null;
  readonly itSupportEmail: string | null;
  readonly techTeamEmail: string | null;
  readonly guideUrl: string | null;
  readonly recordingsUrl: string | null;
  readonly logoUrl: string | null;
  readonly autoSelectedProgrammes: readonly number[];
}

/** Names every setting that is wrong, so that one start tells the whole list. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`LMS Admin cannot start:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** An http(s) origin; plain http only for this machine. */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const secure = url.protocol === 'https:' || (url.protocol === 'http:' && LOCAL_HOSTS.has(url.hostname));
  return secure && url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '';
}

const ORIGIN_TEXT =
  'an https address without a path, such as https://lms.example.edu (http only for localhost)';
const originSetting = z
  .string()
  .refine(isOrigin, ORIGIN_TEXT)
  .transform((text) => new URL(text).origin);
const link = z
  .string()
  .refine((text) => /^https?:\/\//.test(text) && URL.canParse(text), 'an http or https address');
const email = z.email('an e-mail address');
const milliseconds = wholeNumber(1, 86_400_000, 'a whole number of milliseconds');
const secret = z.string().min(8, 'a text of at least 8 characters');

function wholeNumber(least: number, most: number, what: string) {
  const text = `${what} from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, text)
    .transform(Number)
    .refine((value) => value >= least && value <= most, text);
}

/** Whether the text is 32 bytes written as hex or base64. */
export function isKey(text: string): boolean {
  return decodeKey(text) !== null;
}

/** The 32 bytes of a key written as 64 hex digits or as base64; null for anything else. */
export function decodeKey(text: string): Buffer | null {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (!/^[\w+/-]{43}=?$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 32 ? bytes : null;
}

const networks = z
  .string()
  .regex(
    /^\s*[0-9a-f.:/]+(\s*,\s*[0-9a-f.:/]+)*\s*$/i,
    'a comma list of addresses or networks, such as 10.0.0.0/8',
  )
  .transform((text) => text.split(',').map((one) => one.trim()));

const settings = z.object({
  PORT: wholeNumber(0, 65_535, 'a port number').default(8080),
  HOST: z.string().default('localhost'),
  LMS_ADMIN_URL: originSetting.optional(),
  LMS_URL: originSetting.optional(),
  TRUSTED_PROXIES: networks.default([]),
  METRICS_FROM: networks
    .refine((list) => list.every(isNetwork), 'a comma list of addresses or networks, such as 10.0.0.0/8')
    .default([]),
  SANDBOX_PORT: wholeNumber(1, 65_535, 'a port number').default(8090),
  LMS_CLIENT_ID: z
    .string()
    .regex(/^\d{1,20}$/, 'the number of the developer key')
    .optional(),
  LMS_CLIENT_SECRET: secret.optional(),
  LMS_SERVICE_TOKEN: secret.optional(),
  SANDBOX_ADMIN_TOKEN: secret.optional(),
  LMS_ADMIN_DATA: z.string().default('var'),
  DATABASE_URL: z
    .string()
    .regex(
      /^(embedded|postgres(ql)?:\/\/\S+)$/,
      'a PostgreSQL address, such as postgres://user:password@host:5432/name, or embedded',
    )
    .optional(),
  LMS_ADMIN_ACCESS: z.string().optional(),
  LMS_ADMIN_KEY: z.string().refine(isKey, '32 random bytes as base64 or as 64 hex digits').optional(),
  LMS_ADMIN_KEY_OLD: z.string().refine(isKey, '32 random bytes as base64 or as 64 hex digits').optional(),
  LMS_FORMER_URL: originSetting.optional(),
  INSTITUTION: z.string().max(200).default('Northbridge Business School'),
  SCHOOL_EMAIL_DOMAIN: z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i, 'a domain, such as school.example')
    .optional(),
  IT_SUPPORT_EMAIL: email.optional(),
  LMS_TECH_TEAM_EMAIL: email.optional(),
  GUIDE_URL: link.optional(),
  RECORDINGS_URL: link.optional(),
  LOGO_URL: link.optional(),
  AUTO_SELECTED_PROGRAMMES: z
    .string()
    .regex(/^\s*\d+(\s*,\s*\d+)*\s*$/, 'a comma list of account ids, such as "86,120"')
    .transform((text) => text.split(',').map(Number))
    .default([...AUTO_SELECTED_PROGRAMME_IDS]),
  MAX_ENROLLMENT_ROWS: wholeNumber(1, 5_000_000, 'a number of rows').default(MAX_ENROLLMENT_ROWS),
  LMS_FILE_HOSTS: z
    .string()
    .regex(/^\s*[\w.-]+(\s*,\s*[\w.-]+)*\s*$/, 'a comma list of host names')
    .transform((text) => text.split(',').map((host) => host.trim().toLowerCase()))
    .default([]),
  LMS_MAX_IN_FLIGHT: wholeNumber(1, 100, 'a number of calls').default(11),
  LMS_TIMEOUT_MS: milliseconds.default(30_000),
  LMS_MAX_PAGES: wholeNumber(1, 100_000, 'a number of pages').default(1_000),
  TIMETABLE_FEEDS: timetableSetting.optional(),
  ...zoomShape,
  SANDBOX_ZOOM_CLIENT_SECRET: secret.optional(),
  ZOOM_QUEUE_HOURS: queueHours,
  ...qualtricsShape,
  ...s3Shape,
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'one of fatal, error, warn, info, debug, trace, silent',
    )
    .default('info'),
  JOB_LEASE_MS: milliseconds.default(15_000),
  IMPORT_POLL_MS: milliseconds.default(2_000),
  IMPORT_GRACE_MS: milliseconds.optional(),
  IMPORT_PATIENCE_MS: milliseconds.default(86_400_000),
  // A week: somebody who is away on the day their sign-in is refused finds the work going on when they are back.
  SIGN_IN_PATIENCE_MS: milliseconds.default(604_800_000),
});

/** Least time for which an import whose submission was cut off may be missing in the LMS. */
const GRACE_MS = 30_000;
/** A lease is renewed at a third of its time; this much must lie between two renewals for a busy machine. */
const LEAST_RENEWAL_MS = 50;

/** Settings that are right one by one and cannot hold together. */
function contradictions(set: z.output<typeof settings>): string[] {
  const found: [boolean, string][] = [
    [
      set.IMPORT_GRACE_MS !== undefined && set.LMS_TIMEOUT_MS > Math.max(GRACE_MS, set.IMPORT_GRACE_MS),
      'LMS_TIMEOUT_MS is longer than IMPORT_GRACE_MS: an import that the LMS is still taking would count as lost, and be sent twice. Raise IMPORT_GRACE_MS',
    ],
    [
      set.LMS_TIMEOUT_MS > Math.max(GRACE_MS, set.IMPORT_PATIENCE_MS),
      'LMS_TIMEOUT_MS is longer than IMPORT_PATIENCE_MS: an import would be given up before a single call has failed. Lower LMS_TIMEOUT_MS',
    ],
    [
      set.JOB_LEASE_MS < 3 * LEAST_RENEWAL_MS,
      `JOB_LEASE_MS is shorter than ${3 * LEAST_RENEWAL_MS}: work would be taken from servers that are well`,
    ],
    [
      set.JOB_LEASE_MS > set.IMPORT_PATIENCE_MS && set.JOB_LEASE_MS > GRACE_MS,
      'JOB_LEASE_MS is longer than IMPORT_PATIENCE_MS: an import would be given up before another server may take it over',
    ],
    [
      set.LMS_URL !== undefined && set.LMS_URL === set.LMS_ADMIN_URL,
      'LMS_ADMIN_URL is the address of the LMS: it should be that of LMS Admin',
    ],
    [
      set.LMS_URL === undefined && set.PORT !== 0 && set.PORT === set.SANDBOX_PORT,
      'SANDBOX_PORT is the port of LMS Admin: it should be another one',
    ],
    [
      set.LMS_ADMIN_KEY_OLD !== undefined && set.LMS_ADMIN_KEY_OLD === set.LMS_ADMIN_KEY,
      'LMS_ADMIN_KEY_OLD is the same as LMS_ADMIN_KEY: it should be the key of before, or be left out',
    ],
  ];
  return found.filter(([holds]) => holds).map(([, words]) => words);
}

/** Only a real LMS has these: where one is set without LMS_URL, practice mode is not what is meant. */
const ONLY_WITH_LMS = [
  'LMS_CLIENT_ID',
  'LMS_CLIENT_SECRET',
  'LMS_SERVICE_TOKEN',
  'LMS_FILE_HOSTS',
  'LMS_FORMER_URL',
];

/** Needed as soon as a real LMS is named: what each must hold. */
const NEEDED_WITH_LMS = {
  LMS_CLIENT_ID: 'the number of the developer key in the LMS',
  LMS_CLIENT_SECRET: 'the secret of that developer key',
  LMS_ADMIN_ACCESS: 'the path of the file of access records',
  LMS_ADMIN_KEY: '32 random bytes as base64 or as 64 hex digits, which encrypt LMS tokens at rest',
} as const;

/**
 * Needed with an LMS on another machine: without the first, sign-in would return to this machine, and cookies be sent in the open;
 * the embedded database, which is meant for trying things out, has to be asked for by its name.
 */
const NEEDED_IN_PRODUCTION = {
  LMS_ADMIN_URL: 'the https address under which people open LMS Admin',
  DATABASE_URL:
    'the address of the PostgreSQL database, or embedded for the one in LMS_ADMIN_DATA, which may lose the last seconds in a power cut',
} as const;

function missing(
  given: Readonly<Record<string, unknown>>,
  needed: Readonly<Record<string, string>>,
): string[] {
  return Object.entries(needed).flatMap(([name, what]) =>
    name in given ? [] : [`${name} is missing; it should hold ${what}`],
  );
}

/** Whether the address is on this machine, like that of a practice campus that was started separately. */
const isLocal = (url: string) => URL.canParse(url) && LOCAL_HOSTS.has(new URL(url).hostname);

/**
 * Reads the settings. An empty variable counts as absent.
 * @throws ConfigError naming every missing or malformed setting and what it should hold; values are never repeated.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.keys(settings.shape)
      .map((name) => [name, env[name]?.trim()] as const)
      .filter(([, value]) => value !== undefined && value !== ''),
  );
  const read = settings.safeParse(given);
  const problems = (read.error?.issues ?? []).map(
    (issue) => `${String(issue.path[0])} should be ${issue.message}`,
  );
  if (given['LMS_URL'] !== undefined) {
    problems.push(...missing(given, NEEDED_WITH_LMS));
    if (!isLocal(given['LMS_URL'])) problems.push(...missing(given, NEEDED_IN_PRODUCTION));
  }
  const orphan = 'LMS_URL' in given ? undefined : ONLY_WITH_LMS.find((name) => name in given);
  if (orphan)
    problems.push(`LMS_URL is missing; it should hold the address of the LMS that ${orphan} belongs to`);
  problems.push(...zoomProblems(new Set(Object.keys(given))));
  problems.push(...qualtricsProblems(new Set(Object.keys(given))));
  problems.push(...s3Problems(new Set(Object.keys(given))));
  if (read.success) problems.push(...contradictions(read.data));
  if (!read.success || problems.length > 0) throw new ConfigError([...new Set(problems)]);
  const set = read.data;
  const practice = set.LMS_URL === undefined;
  const sandbox = `http://localhost:${set.SANDBOX_PORT}`;
  return {
    practice,
    port: set.PORT,
    host: set.HOST,
    origin: set.LMS_ADMIN_URL ?? (set.PORT === 0 ? null : `http://localhost:${set.PORT}`),
    trustedProxies: ['loopback', ...set.TRUSTED_PROXIES],
    metricsFrom: set.METRICS_FROM,
    dataFolder: set.LMS_ADMIN_DATA,
    databaseUrl: set.DATABASE_URL === 'embedded' ? null : (set.DATABASE_URL ?? null),
    accessFile: set.LMS_ADMIN_ACCESS ?? 'config/access.json',
    encryptionKey: set.LMS_ADMIN_KEY ?? null,
    otherKey: set.LMS_ADMIN_KEY_OLD ?? null,
    formerLmsUrl: set.LMS_FORMER_URL ?? null,
    logLevel: set.LOG_LEVEL,
    lms: {
      url: set.LMS_URL ?? sandbox,
      clientId: set.LMS_CLIENT_ID ?? '10',
      clientSecret: set.LMS_CLIENT_SECRET ?? 'sandbox-client-secret',
      serviceToken:
        set.LMS_SERVICE_TOKEN ?? (practice ? (set.SANDBOX_ADMIN_TOKEN ?? 'sandbox-admin-token') : null),
      fileHosts: set.LMS_FILE_HOSTS,
      maxInFlight: set.LMS_MAX_IN_FLIGHT,
      timeoutMs: set.LMS_TIMEOUT_MS,
      maxPages: set.LMS_MAX_PAGES,
    },
    timetableFeeds: set.TIMETABLE_FEEDS ?? (practice ? practiceFeeds(sandbox) : []),
    zoom: zoomSettings(set, practice ? { url: sandbox, secret: set.SANDBOX_ZOOM_CLIENT_SECRET } : null),
    zoomQueueMs: set.ZOOM_QUEUE_HOURS * 3_600_000,
    qualtrics: qualtricsSettings(set, practice ? sandbox : null),
    images: imageStores(set),
    jobs: {
      leaseMs: set.JOB_LEASE_MS,
      patienceMs: set.IMPORT_PATIENCE_MS,
      signInPatienceMs: set.SIGN_IN_PATIENCE_MS,
    },
    imports: {
      pollMs: set.IMPORT_POLL_MS,
      graceMs: set.IMPORT_GRACE_MS ?? Math.max(GRACE_MS, set.LMS_TIMEOUT_MS),
      patienceMs: set.IMPORT_PATIENCE_MS,
    },
    site: {
      institution: set.INSTITUTION,
      emailDomain: set.SCHOOL_EMAIL_DOMAIN ?? (practice ? 'northbridge.example' : null),
      itSupportEmail: set.IT_SUPPORT_EMAIL ?? (practice ? 'it.support@northbridge.example' : null),
      techTeamEmail: set.LMS_TECH_TEAM_EMAIL ?? (practice ? 'lms.team@northbridge.example' : null),
      guideUrl: set.GUIDE_URL ?? null,
      recordingsUrl: set.RECORDINGS_URL ?? (practice ? `${sandbox}/` : null),
      logoUrl: set.LOGO_URL ?? null,
      autoSelectedProgrammes: set.AUTO_SELECTED_PROGRAMMES,
    },
    maxEnrollmentRows: set.MAX_ENROLLMENT_ROWS,
  };
}
