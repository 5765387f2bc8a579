/** Explains a failed start to the person at the terminal, without a stack. */
import { ConfigError } from './config.ts';
import { FolderInUse } from './lock.ts';
import { NewerDatabase, OtherDatabase } from './migrations.ts';

const DISK_FULL = 'the disk is full. Free some space, and start again.';
const NOT_PERMITTED =
  'LMS Admin does not have permission to use a file or folder. Give this permission to the user that runs LMS Admin.';
const NO_DATABASE = 'PostgreSQL does not answer. Check DATABASE_URL, and check that PostgreSQL is running.';
const REFUSED_BY_DATABASE =
  'PostgreSQL rejects the connection. Check the user, password and database name in DATABASE_URL.';
const MAY_NOT_CREATE =
  'PostgreSQL does not let the user in DATABASE_URL create tables. Make this user the owner of the database (ALTER DATABASE … OWNER TO …).';

/** Next steps, by error codes of the system and of PostgreSQL. */
const WORDS: Readonly<Record<string, string>> = {
  ENOSPC: DISK_FULL,
  EDQUOT: DISK_FULL,
  EFBIG: DISK_FULL,
  '53100': DISK_FULL,
  EACCES: NOT_PERMITTED,
  EPERM: NOT_PERMITTED,
  EROFS: NOT_PERMITTED,
  ENOENT: 'a file or folder does not exist.',
  ECONNREFUSED: NO_DATABASE,
  ENOTFOUND: NO_DATABASE,
  EAI_AGAIN: NO_DATABASE,
  '57P03': NO_DATABASE,
  ETIMEDOUT: NO_DATABASE,
  '28P01': REFUSED_BY_DATABASE,
  '28000': REFUSED_BY_DATABASE,
  '3D000': REFUSED_BY_DATABASE,
  '42501': MAY_NOT_CREATE,
};

/** A child process and the embedded database report a full disk only in their own words. */
const FULL_TEXT = /ENOSPC|no space left/i;

/** @param what the failed action, if it is not the start */
export function failureOf(error: unknown, what: string): string {
  return startFailure(error).replace(/^LMS Admin cannot start/, what);
}

export function startFailure(error: unknown): string {
  if (
    error instanceof ConfigError ||
    error instanceof FolderInUse ||
    error instanceof NewerDatabase ||
    error instanceof OtherDatabase
  )
    return error.message;
  const causes = causesOf(error);
  const codes = codesOf(error);
  const [first] = causes;
  const message = (first instanceof Error ? (first.message.split('\n')[0] ?? '') : String(first)).replace(
    /\.$/,
    '',
  );
  if (codes.includes('EADDRINUSE')) return `LMS Admin cannot start: ${message}. Set PORT to a free port.`;
  const known = codes.map((code) => WORDS[code]).find((words) => words !== undefined);
  const isFull = causes.some((one) => one instanceof Error && FULL_TEXT.test(one.message));
  const words = known ?? (isFull ? DISK_FULL : null);
  return `LMS Admin cannot start: ${words ?? `${message}.`}${words ? ` (${message})` : ''}`;
}

/** Returns the codes of an error and of its causes. */
export function codesOf(error: unknown): string[] {
  return causesOf(error).flatMap((one) => (one instanceof Error && 'code' in one ? [String(one.code)] : []));
}

/** Returns the error and the chain of its causes. */
function causesOf(error: unknown): unknown[] {
  const found: unknown[] = [];
  for (let one = error; one !== undefined && one !== null && found.length < 10; ) {
    found.push(one);
    if (one instanceof AggregateError) found.push(...one.errors);
    one = one instanceof Error ? one.cause : undefined;
  }
  return found;
}
