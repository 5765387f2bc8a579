/** The access file: who can sign in, and what they can do (OP-12). One broken record makes the whole file invalid. */
import { readFile } from 'node:fs/promises';
import { type AccessRecord, accessRecord } from '@lms-admin/contract/access';
import { loginKey } from '@lms-admin/domain/access-records';
import { z } from 'zod';
import { MAX_PROFILE_COOKIE_BYTES, profileCookieBytes } from '../auth/profile-cookie.ts';
import { ConfigError } from '../platform/config.ts';

// Keys that start with `$comment` explain the example file and have no effect.
const accessFile = z.strictObject({ admins: z.array(z.record(z.string(), z.unknown())) });
const login = accessRecord.shape.login;
/** Fields of a person in the file, apart from their access. */
const OF_PERSON = ['reason', 'expires_at', 'disabled'] as const;

/**
 * Reads and checks the access file.
 * @throws ConfigError with the record (position from 0, and login) and the field of each problem
 */
export async function readAccessFile(path: string): Promise<AccessRecord[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new ConfigError([
      `LMS_ADMIN_ACCESS should be the path of the file of access records; ${path} cannot be read (${reason})`,
    ]);
  }
  return parseAccessFile(text, path);
}

/** Parses the text of an access file; `name` is shown in messages. */
export function parseAccessFile(text: string, name: string): AccessRecord[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new ConfigError([`${name} is not JSON: ${error instanceof Error ? error.message : 'unreadable'}`]);
  }
  const file = accessFile.safeParse(withoutComments(json));
  if (!file.success) {
    throw new ConfigError(
      file.error.issues.map((issue) => `${name}: ${issue.path.join('.') || 'the file'}: ${issue.message}`),
    );
  }
  const records = new Map<string, AccessRecord>();
  const problems: string[] = [];
  file.data.admins.forEach((entry, index) => {
    const given = withoutComments(entry) as Record<string, unknown>;
    const known = login.safeParse(given.login);
    const label = `${name}: record ${index}${known.success ? ` (login ${known.data})` : ''}`;
    if (!known.success) problems.push(`${label}: login: should be the person's login in the LMS`);
    const read = accessRecord.safeParse({ ...nested(given), login: known.success ? known.data : 'unknown' });
    for (const issue of read.error?.issues ?? []) problems.push(`${label}: ${fieldOf(issue)}`);
    if (!known.success || !read.success) return;
    const key = loginKey(known.data);
    if (records.has(key)) problems.push(`${label}: login: appears more than once`);
    const tooLong = cookieProblem(read.data);
    if (tooLong !== null) problems.push(`${label}: ${tooLong}`);
    records.set(key, read.data);
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return [...records.values()];
}

/** Returns why a record does not fit into the session cookie, or null. */
export function cookieProblem({ record }: Pick<AccessRecord, 'record'>): string | null {
  return profileCookieBytes(record) > MAX_PROFILE_COOKIE_BYTES
    ? "is too long for the browser's profile cookie; shorten sub_accounts or roles"
    : null;
}

/** Writes records in the format of the access file. */
export function asAccessFile(records: readonly AccessRecord[]): string {
  const admins = records.map(({ login: name, record, reason, expires_at, disabled }) => ({
    login: name,
    ...record,
    ...(reason === '' ? {} : { reason }),
    ...(expires_at === null ? {} : { expires_at }),
    ...(disabled ? { disabled } : {}),
  }));
  return `${JSON.stringify({ admins }, null, 2)}\n`;
}

function nested(given: Record<string, unknown>): Record<string, unknown> {
  const { login: _login, ...rest } = given;
  const person: Record<string, unknown> = {};
  for (const name of OF_PERSON) {
    if (Object.hasOwn(rest, name)) person[name] = rest[name];
    delete rest[name];
  }
  return { ...person, record: rest };
}

function fieldOf(issue: z.core.$ZodIssue): string {
  const path = issue.path.filter((part, at) => at > 0 || part !== 'record').join('.');
  if (issue.code === 'unrecognized_keys') return `${issue.keys.join(', ')}: not a known field`;
  return `${path || 'record'}: ${issue.message}`;
}

function withoutComments(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !key.startsWith('$comment'))
      .map(([key, inner]) => [key, key === 'feature_permissions' ? withoutComments(inner) : inner]),
  );
}
