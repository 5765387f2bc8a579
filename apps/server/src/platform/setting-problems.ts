/** What is wrong with settings taken together: missing ones, and ones that cannot hold at the same time. */
import { qualtricsProblems } from './qualtrics-settings.ts';
import { s3Problems } from './s3-settings.ts';
import { LOCAL_HOSTS, type SettingValues } from './settings.ts';
import { zoomProblems } from './zoom-settings.ts';

/** Least time for which an import whose submission was cut off may be missing in the LMS, in milliseconds. */
export const GRACE_MS = 30_000;
/** A lease is renewed at a third of its time; this much must lie between two renewals for a busy machine. */
const LEAST_RENEWAL_MS = 50;

/** Settings that are right one by one and cannot hold together. */
function contradictions(set: SettingValues): string[] {
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
      set.DIRECTORY === 'on' && set.LMS_URL !== undefined && set.LMS_SERVICE_TOKEN === undefined,
      'DIRECTORY is on, and LMS_SERVICE_TOKEN is missing: the directory is read with it',
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
      (set.RETENTION_HISTORY_DAYS ?? Infinity) < set.RETENTION_WORK_DAYS,
      'RETENTION_HISTORY_DAYS is shorter than RETENTION_WORK_DAYS: entries would be gone before their details',
    ],
    [
      set.LMS_ADMIN_KEY_OLD !== undefined && set.LMS_ADMIN_KEY_OLD === set.LMS_ADMIN_KEY,
      'LMS_ADMIN_KEY_OLD is the same as LMS_ADMIN_KEY: it should be the former key, or be left out',
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

/** Whether the address is on this machine, like that of a practice LMS that was started separately. */
const isLocal = (url: string) => URL.canParse(url) && LOCAL_HOSTS.has(new URL(url).hostname);

/** Every setting that is missing or does not go with another one. @param read null: one of them is malformed */
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
    ...(orphan
      ? [`LMS_URL is missing; it should hold the address of the LMS that ${orphan} belongs to`]
      : []),
    ...zoomProblems(names),
    ...qualtricsProblems(names),
    ...s3Problems(names),
    ...(read === null ? [] : contradictions(read)),
  ];
}
