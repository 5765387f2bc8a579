/** The access file: who may sign in, and what they may do (OP-12). Checked whole at start; a broken record stops it. */
import { readFile } from 'node:fs/promises';
import { type SubAccount, subAccount } from '@lms-admin/contract/session';
import { z } from 'zod';
import type { FindRecord } from '../auth/admin.ts';
import { MAX_PROFILE_COOKIE_BYTES, profileCookieBytes } from '../auth/profile-cookie.ts';
import { ConfigError } from '../platform/config.ts';

export interface AccessRecords extends FindRecord {
  /** Number of records. */
  readonly size: number;
}

// Keys that start with `$comment` explain the example file; they mean nothing.
const accessFile = z.strictObject({ admins: z.array(z.record(z.string(), z.unknown())) });
const login = z.string().trim().min(1).max(254);

/**
 * Reads and checks the access file.
 * @throws ConfigError naming the record (its place, counted from 0, and its login) and the field of each problem
 */
export async function loadAccessFile(path: string): Promise<AccessRecords> {
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

/** The same from the file's text; `name` stands in the messages. */
export function parseAccessFile(text: string, name: string): AccessRecords {
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
  const records = new Map<string, SubAccount>();
  const problems: string[] = [];
  file.data.admins.forEach((entry, index) => {
    const { login: rawLogin, ...rest } = withoutComments(entry) as Record<string, unknown>;
    const known = login.safeParse(rawLogin);
    const label = `${name}: record ${index}${known.success ? ` (login ${known.data})` : ''}`;
    if (!known.success) problems.push(`${label}: login: a text with the person's login in the LMS is needed`);
    const record = subAccount.safeParse(rest);
    for (const issue of record.error?.issues ?? []) problems.push(`${label}: ${fieldOf(issue)}`);
    if (!known.success || !record.success) return;
    const key = known.data.toLowerCase();
    if (records.has(key)) problems.push(`${label}: login: is there more than once`);
    if (profileCookieBytes(record.data) > MAX_PROFILE_COOKIE_BYTES) {
      problems.push(`${label}: is too long for the browser's profile cookie; shorten sub_accounts or roles`);
    }
    records.set(key, record.data);
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return { size: records.size, find: (wanted) => records.get(wanted.trim().toLowerCase()) ?? null };
}

function fieldOf(issue: z.core.$ZodIssue): string {
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') return `${issue.keys.join(', ')}: no such field`;
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
