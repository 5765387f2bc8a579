/** The environment variables in use, each with its check and default. */
import { AUTO_SELECTED_PROGRAMME_IDS, MAX_ENROLLMENT_ROWS } from '@lms-admin/domain/constants';
import { z } from 'zod';
import { isNetwork } from './networks.ts';
import { qualtricsShape } from './qualtrics-settings.ts';
import { s3Shape } from './s3-settings.ts';
import { timetableSetting } from './timetable-settings.ts';
import { queueHours, zoomShape } from './zoom-settings.ts';

/** Names of this machine in addresses. */
export const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Returns whether the text is an http(s) origin; plain http only for this machine. */
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
const email = z.email('an email address');
const milliseconds = wholeNumber(1, 86_400_000, 'a whole number of milliseconds');
const days = wholeNumber(1, 36_500, 'a number of days');
const secret = z.string().min(8, 'a text of at least 8 characters');

function wholeNumber(least: number, most: number, what: string) {
  const text = `${what} from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, text)
    .transform(Number)
    .refine((value) => value >= least && value <= most, text);
}

/** Returns whether the text is 32 bytes written as hex or base64. */
function isKey(text: string): boolean {
  return decodeKey(text) !== null;
}

/** Returns the 32 bytes of a key written as 64 hex digits or as base64; null for anything else. */
export function decodeKey(text: string): Buffer | null {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (!/^[\w+/-]{43}=?$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 32 ? bytes : null;
}

const networks = z
  .string()
  .transform((text) => text.split(',').map((one) => one.trim()))
  .refine(
    (list) => list.every(isNetwork),
    'a comma-separated list of addresses or networks, such as 10.0.0.0/8',
  );

export const settings = z.object({
  PORT: wholeNumber(0, 65_535, 'a port number').default(8080),
  HOST: z.string().default('localhost'),
  LMS_ADMIN_URL: originSetting.optional(),
  LMS_URL: originSetting.optional(),
  TRUSTED_PROXIES: networks.default([]),
  METRICS_FROM: networks.default([]),
  METRICS_TOKEN: z
    .string()
    .regex(/^\S{16,}$/, 'a text of at least 16 characters without spaces')
    .optional(),
  SANDBOX_PORT: wholeNumber(1, 65_535, 'a port number').default(8090),
  LMS_CLIENT_ID: z
    .string()
    .regex(/^\d{1,20}$/, 'the number of the developer key')
    .optional(),
  LMS_CLIENT_SECRET: secret.optional(),
  LMS_SERVICE_TOKEN: secret.optional(),
  SANDBOX_ADMIN_TOKEN: secret.optional(),
  SANDBOX_DATA: z.string().optional(),
  LMS_ADMIN_DATA: z.string().default('var'),
  DATABASE_URL: z
    .string()
    .regex(
      /^(embedded|postgres(ql)?:\/\/\S+)$/,
      'a PostgreSQL address, such as postgres://user:password@host:5432/name, or embedded',
    )
    .optional(),
  LMS_ADMIN_ACCESS: z.string().optional(),
  ACCESS_SOURCE: z.enum(['database', 'file'], 'database or file').default('database'),
  ACCESS_FOUR_EYES: z
    .enum(['true', 'false'], 'true or false')
    .default('false')
    .transform((text) => text === 'true'),
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
    .regex(/^\s*\d+(\s*,\s*\d+)*\s*$/, 'a comma-separated list of account ids, such as "86,120"')
    .transform((text) => text.split(',').map(Number))
    .default([...AUTO_SELECTED_PROGRAMME_IDS]),
  MAX_ENROLLMENT_ROWS: wholeNumber(1, 5_000_000, 'a number of rows').default(MAX_ENROLLMENT_ROWS),
  LMS_FILE_HOSTS: z
    .string()
    .regex(/^\s*[\w.-]+(\s*,\s*[\w.-]+)*\s*$/, 'a comma-separated list of host names')
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
  DIRECTORY: z.enum(['on', 'off'], 'on or off').default('off'),
  DIRECTORY_TIME: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of day, such as 02:00')
    .default('02:00'),
  RETENTION_WORK_DAYS: days.default(30),
  RETENTION_HISTORY_DAYS: days.optional(),
  RETENTION_AUDIT_DAYS: days.optional(),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'one of fatal, error, warn, info, debug, trace, silent',
    )
    .default('info'),
  LOG_FORMAT: z.enum(['json', 'plain'], 'json or plain').default('json'),
  JOB_LEASE_MS: milliseconds.default(15_000),
  IMPORT_POLL_MS: milliseconds.default(2_000),
  IMPORT_GRACE_MS: milliseconds.optional(),
  IMPORT_PATIENCE_MS: milliseconds.default(86_400_000),
  // A week: work continues after the return of an admin who was away when their sign-in was refused.
  SIGN_IN_PATIENCE_MS: wholeNumber(1, 2_592_000_000, 'a whole number of milliseconds').default(604_800_000),
});

export type SettingValues = z.output<typeof settings>;

/** The names of all settings. */
export const SETTING_NAMES = Object.keys(settings.shape);

/** Returns the default of a setting as text; null if there is none, or if it follows from other settings. */
export function settingDefault(name: string): string | null {
  const found = settings.shape[name as keyof typeof settings.shape].safeParse(undefined);
  const value: unknown = found.success ? found.data : undefined;
  if (Array.isArray(value)) return value.length === 0 ? null : value.join(',');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}
