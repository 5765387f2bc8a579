/** People of a file who exist in the LMS already: an admin of limited reach may only create new ones (OP-53). */
import type { Admin } from '../access/admin.ts';
import { AppError } from '../platform/errors.ts';
import type { People } from '../users/people.ts';

/**
 * Those of the people whose SIS id or login is taken in the LMS.
 * @throws AppError lms-down when the LMS did not answer about one: that is no proof that they do not exist
 */
export async function existing<P extends { id: string; login: string }>(
  people: People,
  admin: Admin,
  asked: readonly P[],
  signal: AbortSignal,
): Promise<(P & { by: 'id' | 'login' })[]> {
  const [ids, logins] = await Promise.all([
    people.bySisId(
      admin,
      asked.map((one) => one.id),
      { signal },
    ),
    people.byLogin(
      admin,
      asked.map((one) => one.login),
      { signal },
    ),
  ]);
  if (ids.includes('failed') || logins.includes('failed')) {
    throw new AppError('lms-down', {
      message: 'The LMS did not say of every person whether they exist. Nothing has been sent.',
    });
  }
  return asked.flatMap((one, at) => [
    ...(ids[at] === 'not-found' ? [] : [{ ...one, by: 'id' as const }]),
    ...(logins[at] === 'not-found' ? [] : [{ ...one, by: 'login' as const }]),
  ]);
}
