/** Settings of the installation, read from the environment. Missing or malformed settings stop the start. */
import { join } from 'node:path';
import { type QualtricsSettings, qualtricsSettings } from './qualtrics-settings.ts';
import { type ImageStores, imageStores } from './s3-settings.ts';
import { withSecretFiles } from './secret-files.ts';
import { GRACE_MS, problemsOf } from './setting-problems.ts';
import { SETTING_NAMES, type SettingValues, settings } from './settings.ts';
import { practiceFeeds, type TimetableFeed } from './timetable-settings.ts';
import { type ZoomSettings, zoomSettings } from './zoom-settings.ts';

export interface Config {
  /** True when the LMS is the practice sandbox (no LMS_URL given). */
  readonly practice: boolean;
  /** TCP port to listen on; 0 picks a free one. */
  readonly port: number;
  readonly host: string;
  /** Public origin that browsers use, without a trailing slash; null if it follows the port. */
  readonly origin: string | null;
  /** Addresses and networks of trusted proxies, which report the real client; other senders are ignored. */
  readonly trustedProxies: readonly string[];
  /** Addresses and networks, besides this machine, that can read `/metrics`. */
  readonly metricsFrom: readonly string[];
  /** Token that gives access to `/metrics` from anywhere; null if there is none. */
  readonly metricsToken: string | null;
  /** Folder for everything the server writes. */
  readonly dataFolder: string;
  /** Folder of the practice LMS's data; null with a real LMS. */
  readonly campusFolder: string | null;
  /** PostgreSQL connection string; null for the embedded database in the data folder. */
  readonly databaseUrl: string | null;
  /** Path of the file of access records. */
  readonly accessFile: string;
  /** Whether the file is imported once into the database or used directly. */
  readonly accessSource: 'database' | 'file';
  /** Whether changes that affect the whole school need a second access administrator. */
  readonly accessFourEyes: boolean;
  /** Key of 32 bytes (base64 or hex) that encrypts stored LMS tokens; null: the data folder has one (practice mode). */
  readonly encryptionKey: string | null;
  /** A second key for decrypting older values while the key is being changed. */
  readonly otherKey: string | null;
  /** Former address of the LMS, if the database was used with it. */
  readonly formerLmsUrl: string | null;
  readonly logFormat: 'json' | 'plain';
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  readonly lms: LmsConfig;
  /** Pages of the timetable; if empty, reservations stay unknown. */
  readonly timetableFeeds: readonly TimetableFeed[];
  /** Null if Zoom is not set up; its tools then say so. */
  readonly zoom: ZoomSettings | null;
  /** Period in milliseconds in which each course of Zoom Event Run's queue runs once. */
  readonly zoomQueueMs: number;
  /** Null if Qualtrics is not set up; the award then says so. */
  readonly qualtrics: QualtricsSettings | null;
  /** Storage for images. */
  readonly images: ImageStores;
  readonly jobs: {
    /** Milliseconds after which another process can take over a job of a process that does not answer. */
    readonly leaseMs: number;
    /** How long another system may fail before its job is given up, in milliseconds. */
    readonly giveUpAfterMs: number;
    /** How long a job waits for its admin to sign in again, in milliseconds. */
    readonly signInTimeoutMs: number;
  };
  readonly imports: ImportTimings;
  /** Values for the browser; links that are null are hidden (OP-15). */
  readonly site: SiteConfig;
  /** Maximum number of enrolment rows in one submission. */
  readonly maxEnrollmentRows: number;
  readonly retention: RetentionConfig;
  readonly directory: DirectoryConfig;
}

/** Settings of the directory, the copy of people, courses and sections of the LMS. */
export interface DirectoryConfig {
  readonly on: boolean;
  /** Time of day of the daily refresh, in the school's time zone: `02:00`. */
  readonly time: string;
}

/** Retention times in days. */
export interface RetentionConfig {
  /** Details of work after its end. */
  readonly workDays: number;
  /** Entries of Activity; null keeps them permanently. */
  readonly historyDays: number | null;
  /** Lines of the audit; null keeps them permanently. */
  readonly auditDays: number | null;
}

export interface LmsConfig {
  /** Origin of the LMS, without a trailing slash. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Token of a service user for calls on the root account; null uses the admins' own tokens. */
  readonly serviceToken: string | null;
  /** Hosts, besides the LMS's own, for links to error attachments (OP-40). */
  readonly fileHosts: readonly string[];
  /** Maximum number of concurrent calls with one token. */
  readonly maxInFlight: number;
  /** Milliseconds within which the LMS must begin its answer, and for which it may pause within it. */
  readonly timeoutMs: number;
  /** Maximum number of pages of a list; a longer list is a failure. */
  readonly maxPages: number;
}

export interface ImportTimings {
  /** Milliseconds between two polls of an import in the LMS. */
  readonly pollMs: number;
  /** Milliseconds before LMS Admin asks the LMS about an import whose submission was cut off. */
  readonly graceMs: number;
  /** Milliseconds for which an import waits for an LMS that does not answer before LMS Admin gives up. */
  readonly giveUpAfterMs: number;
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

/** Names every invalid setting, so that one failed start shows the whole list. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`LMS Admin cannot start:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * Reads the settings. An empty variable counts as absent; a secret may be in a file (`secret-files.ts`).
 * @throws ConfigError naming every missing or malformed setting and the value it needs; given values are never repeated
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const { env: full, problems: unread } = withSecretFiles(env, SETTING_NAMES);
  const given = Object.fromEntries(
    SETTING_NAMES.map((name) => [name, full[name]?.trim()] as const).filter(
      ([, value]) => value !== undefined && value !== '',
    ),
  );
  // The values of unreadable files are unknown, so other checks could be misleading.
  if (unread.size > 0) throw new ConfigError([...unread.values()]);
  const read = settings.safeParse(given);
  const malformed = (read.error?.issues ?? []).map(
    (issue) => `${String(issue.path[0])} should be ${issue.message}`,
  );
  const problems = [...malformed, ...problemsOf(given, read.success ? read.data : null)];
  if (!read.success || problems.length > 0) throw new ConfigError([...new Set(problems)]);
  return configOf(read.data);
}

interface Mode {
  practice: boolean;
  /** Address of the practice LMS. */
  sandbox: string;
}

function configOf(set: SettingValues): Config {
  const practice = set.LMS_URL === undefined;
  const sandbox = `http://localhost:${set.SANDBOX_PORT}`;
  const mode = { practice, sandbox };
  return {
    practice,
    port: set.PORT,
    host: set.HOST,
    origin: set.LMS_ADMIN_URL ?? (set.PORT === 0 ? null : `http://localhost:${set.PORT}`),
    trustedProxies: ['loopback', ...set.TRUSTED_PROXIES],
    metricsFrom: set.METRICS_FROM,
    metricsToken: set.METRICS_TOKEN ?? null,
    dataFolder: set.LMS_ADMIN_DATA,
    campusFolder: practice ? (set.SANDBOX_DATA ?? join(set.LMS_ADMIN_DATA, 'campus')) : null,
    databaseUrl: set.DATABASE_URL === 'embedded' ? null : (set.DATABASE_URL ?? null),
    accessFile: set.LMS_ADMIN_ACCESS ?? 'config/access.json',
    accessSource: set.ACCESS_SOURCE,
    accessFourEyes: set.ACCESS_FOUR_EYES,
    encryptionKey: set.LMS_ADMIN_KEY ?? null,
    otherKey: set.LMS_ADMIN_KEY_OLD ?? null,
    formerLmsUrl: set.LMS_FORMER_URL ?? null,
    logFormat: set.LOG_FORMAT,
    logLevel: set.LOG_LEVEL,
    lms: lmsOf(set, mode),
    timetableFeeds: set.TIMETABLE_FEEDS ?? (practice ? practiceFeeds(sandbox) : []),
    zoom: zoomSettings(set, practice ? { url: sandbox, secret: set.SANDBOX_ZOOM_CLIENT_SECRET } : null),
    zoomQueueMs: set.ZOOM_QUEUE_HOURS * 3_600_000,
    qualtrics: qualtricsSettings(set, practice ? sandbox : null),
    images: imageStores(set),
    jobs: {
      leaseMs: set.JOB_LEASE_MS,
      giveUpAfterMs: set.IMPORT_PATIENCE_MS,
      signInTimeoutMs: set.SIGN_IN_PATIENCE_MS,
    },
    imports: {
      pollMs: set.IMPORT_POLL_MS,
      graceMs: set.IMPORT_GRACE_MS ?? Math.max(GRACE_MS, set.LMS_TIMEOUT_MS),
      giveUpAfterMs: set.IMPORT_PATIENCE_MS,
    },
    site: siteOf(set, mode),
    maxEnrollmentRows: set.MAX_ENROLLMENT_ROWS,
    retention: {
      workDays: set.RETENTION_WORK_DAYS,
      historyDays: set.RETENTION_HISTORY_DAYS ?? null,
      auditDays: set.RETENTION_AUDIT_DAYS ?? null,
    },
    directory: {
      on: set.DIRECTORY === 'on',
      time: set.DIRECTORY_TIME,
    },
  };
}

function lmsOf(set: SettingValues, { practice, sandbox }: Mode): LmsConfig {
  return {
    url: set.LMS_URL ?? sandbox,
    clientId: set.LMS_CLIENT_ID ?? '10',
    clientSecret: set.LMS_CLIENT_SECRET ?? 'sandbox-client-secret',
    serviceToken:
      set.LMS_SERVICE_TOKEN ?? (practice ? (set.SANDBOX_ADMIN_TOKEN ?? 'sandbox-admin-token') : null),
    fileHosts: set.LMS_FILE_HOSTS,
    maxInFlight: set.LMS_MAX_IN_FLIGHT,
    timeoutMs: set.LMS_TIMEOUT_MS,
    maxPages: set.LMS_MAX_PAGES,
  };
}

function siteOf(set: SettingValues, { practice, sandbox }: Mode): SiteConfig {
  return {
    institution: set.INSTITUTION,
    emailDomain: set.SCHOOL_EMAIL_DOMAIN ?? (practice ? 'northbridge.example' : null),
    itSupportEmail: set.IT_SUPPORT_EMAIL ?? (practice ? 'it.support@northbridge.example' : null),
    techTeamEmail: set.LMS_TECH_TEAM_EMAIL ?? (practice ? 'lms.team@northbridge.example' : null),
    guideUrl: set.GUIDE_URL ?? null,
    recordingsUrl: set.RECORDINGS_URL ?? (practice ? `${sandbox}/` : null),
    logoUrl: set.LOGO_URL ?? null,
    autoSelectedProgrammes: set.AUTO_SELECTED_PROGRAMMES,
  };
}
