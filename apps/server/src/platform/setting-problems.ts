/** Problems of settings taken together: missing ones, and ones that contradict each other. */
import { qualtricsProblems } from './qualtrics-settings.ts';
import { s3Problems } from './s3-settings.ts';
import { LOCAL_HOSTS, type SettingValues } from './settings.ts';
import { zoomProblems } from './zoom-settings.ts';

/** Shortest time before an import whose submission was cut off counts as missing in the LMS, in milliseconds. */
export const GRACE_MS = 30_000;
/** Renewals come after a third of a lease; a busy machine needs at least this long between two of them. */
const LEAST_RENEWAL_MS = 50;

/** Returns the settings that are valid individually but not together. */
function contradictions(set: SettingValues): string[] {
  const found: [boolean, string][] = [
    [
      set.IMPORT_GRACE_MS !== undefined && set.LMS_TIMEOUT_MS > Math.max(GRACE_MS, set.IMPORT_GRACE_MS),
      'LMS_TIMEOUT_MS is longer than IMPORT_GRACE_MS: an import that the LMS is still receiving would count as lost and be sent twice. Raise IMPORT_GRACE_MS',
    ],
    [
      set.LMS_TIMEOUT_MS > Math.max(GRACE_MS, set.IMPORT_PATIENCE_MS),
      'LMS_TIMEOUT_MS is longer than IMPORT_PATIENCE_MS: LMS Admin would give up on an import before a single call has failed. Lower LMS_TIMEOUT_MS',
    ],
    [
      set.JOB_LEASE_MS < 3 * LEAST_RENEWAL_MS,
      `JOB_LEASE_MS is shorter than ${3 * LEAST_RENEWAL_MS}: healthy servers would lose their work`,
    ],
    [
      set.JOB_LEASE_MS > set.IMPORT_PATIENCE_MS && set.JOB_LEASE_MS > GRACE_MS,
      'JOB_LEASE_MS is longer than IMPORT_PATIENCE_MS: LMS Admin would give up on an import before another server can take it over',
    ],
    [
      set.DIRECTORY === 'on' && set.LMS_URL !== undefined && set.LMS_SERVICE_TOKEN === undefined,
      'DIRECTORY is on, but LMS_SERVICE_TOKEN is missing: the directory is read with this token',
    ],
    [
      set.LMS_URL !== undefined && set.LMS_URL === set.LMS_ADMIN_URL,
      'LMS_ADMIN_URL is the address of the LMS: it should be the address of LMS Admin',
    ],
    [
      set.LMS_URL === undefined && set.PORT !== 0 && set.PORT === set.SANDBOX_PORT,
      'SANDBOX_PORT is the port of LMS Admin: it should be a different port',
    ],
    [
      (set.RETENTION_HISTORY_DAYS ?? Infinity) < set.RETENTION_WORK_DAYS,
      'RETENTION_HISTORY_DAYS is shorter than RETENTION_WORK_DAYS: entries would be removed before their details',
    ],
    [
      set.LMS_ADMIN_KEY_OLD !== undefined && set.LMS_ADMIN_KEY_OLD === set.LMS_ADMIN_KEY,
      'LMS_ADMIN_KEY_OLD is the same as LMS_ADMIN_KEY: it should be the previous key, or be removed',
    ],
  ];
  return found.filter(([holds]) => holds).map(([, words]) => words);
}

/** Settings of a real LMS only: if one is set without LMS_URL, practice mode is not intended. */
const ONLY_WITH_LMS = [
  'LMS_CLIENT_ID',
  'LMS_CLIENT_SECRET',
  'LMS_SERVICE_TOKEN',
  'LMS_FILE_HOSTS',
  'LMS_FORMER_URL',
];

/** Settings needed with a real LMS, with their expected values. */
const NEEDED_WITH_LMS = {
  LMS_CLIENT_ID: 'the number of the developer key in the LMS',
  LMS_CLIENT_SECRET: 'the secret of that developer key',
  LMS_ADMIN_ACCESS: 'the path of the file of access records',
  LMS_ADMIN_KEY: '32 random bytes as base64 or as 64 hex digits, which encrypt LMS tokens at rest',
} as const;

/**
 * Settings needed with an LMS on another machine. Without the first, sign-in would return to this machine, and
 * cookies would be sent unencrypted; the embedded database is meant for trials, so it must be requested by name.
 */
const NEEDED_IN_PRODUCTION = {
  LMS_ADMIN_URL: 'the https address at which people open LMS Admin',
  DATABASE_URL:
    'the address of the PostgreSQL database, or embedded for the one in LMS_ADMIN_DATA, which can lose the last seconds of work in a power cut',
} as const;

function missing(
  given: Readonly<Record<string, unknown>>,
  needed: Readonly<Record<string, string>>,
): string[] {
  return Object.entries(needed).flatMap(([name, what]) =>
    name in given ? [] : [`${name} is missing: it should be ${what}`],
  );
}

/** Returns whether the address is on this machine, like a practice LMS that was started separately. */
const isLocal = (url: string) => URL.canParse(url) && LOCAL_HOSTS.has(new URL(url).hostname);

/** Returns every setting that is missing or contradicts another. @param read null if one of them is malformed */
export function problemsOf(
  given: Readonly<Record<string, string | undefined>>,
  read: SettingValues | null,
): string[] {
  const names = new Set(Object.keys(given));
  const lms = given['LMS_URL'];
  const orphan = lms === undefined ? ONLY_WITH_LMS.find((name) => names.has(name)) : undefined;
  return [
    ...(lms === undefined ? [] : missing(given, NEEDED_WITH_LMS)),
    ...(lms === undefined || isLocal(lms) ? [] : missing(given, NEEDED_IN_PRODUCTION)),
    ...(orphan ? [`LMS_URL is missing: it should be the address of the LMS that ${orphan} belongs to`] : []),
    ...zoomProblems(names),
    ...qualtricsProblems(names),
    ...s3Problems(names),
    ...(read === null ? [] : contradictions(read)),
  ];
}
