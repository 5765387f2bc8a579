/** Checks whether logins of records exist in the LMS: a record with a misspelt login is useless. */
import { loginKey } from '@lms-admin/domain/access-records';
import type { Admin } from '../auth/admin.ts';
import { answered, type Reader } from '../canvas/resources/reading.ts';
import { userAt, users } from '../canvas/resources/users.ts';
import { sisSegment } from '../canvas/sis-path.ts';
import { type CanvasClient, CanvasError } from '../canvas/types.ts';
import { mapLimited } from '../platform/limited.ts';

/** Whether the LMS has a login; `unread` if it could not be looked up. */
export type LmsLogin = 'known' | 'missing' | 'unread';

/** Maximum number of logins looked up for one question; the others are `unread`. */
export const MOST_LOOKED_UP = 100;
const AT_ONCE = 8;
/** Time limit in milliseconds for all look-ups together: an access change does not wait for an LMS that is down. */
const TIMEOUT_MS = 5_000;
/** Shortest search text that the LMS accepts. */
const LEAST_SEARCHED = 3;

/** @param by whose token is used @returns the results by `loginKey` @throws the signal's reason */
export async function lmsLogins(
  canvas: CanvasClient,
  by: Pick<Admin, 'token'>,
  logins: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, LmsLogin>> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const all = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  const reader: Reader = { canvas, token: by.token, signal: all };
  const listed = logins.slice(0, MOST_LOOKED_UP);
  const found = await mapLimited(
    listed,
    AT_ONCE,
    async (login) => [login, await lookUp(reader, login)] as const,
  );
  signal?.throwIfAborted();
  const unasked = logins.slice(MOST_LOOKED_UP).map((login) => [login, 'unread'] as const);
  return new Map([...found, ...unasked].map(([login, state]) => [loginKey(login), state]));
}

async function lookUp(reader: Reader, login: string): Promise<LmsLogin> {
  try {
    const person = await answered(reader, () => userAt(reader, sisSegment('login', login)));
    if (person === 'unread') return 'unread';
    return person === 'missing' ? await searched(reader, login) : 'known';
  } catch (error) {
    if (reader.signal?.aborted || error instanceof CanvasError) return 'unread';
    throw error;
  }
}

/** Uses the LMS's search, because a record can contain an email address instead of a login. */
async function searched(reader: Reader, login: string): Promise<LmsLogin> {
  if (login.length < LEAST_SEARCHED) return 'missing';
  const key = loginKey(login);
  for await (const { data } of users(reader, { search: login, email: true }))
    if (
      data.some(({ login_id, email }) =>
        [login_id, email].some((one) => one != null && loginKey(one) === key),
      )
    )
      return 'known';
  return 'missing';
}
