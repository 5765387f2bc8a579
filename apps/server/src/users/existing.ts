/** Whether people exist in the LMS already, who are to be created (OP-53, OP-57). */
import type { LookedUpPerson } from '@lms-admin/contract/people';
import type { Admin } from '../auth/admin.ts';
import type { People } from './people.ts';

/** A SIS id or login that the LMS was asked about. */
export interface Asked<P> {
  one: P;
  by: 'user_id' | 'login_id';
}

/**
 * Those of the people whose SIS id or login is taken, and those of whom the LMS did not say: that is no proof that they do
 * not exist.
 * @throws the signal's reason, or CanvasError `signed-out`
 */
export async function existingPeople<P extends { id: string; login: string }>(
  people: People,
  admin: Admin,
  asked: readonly P[],
  signal: AbortSignal,
): Promise<{ taken: (Asked<P> & { person: LookedUpPerson })[]; unsure: Asked<P>[] }> {
  const [ids, logins] = await Promise.all([
    people.bySisId(
      admin,
      asked.map(({ id }) => id),
      { signal },
    ),
    people.byLogin(
      admin,
      asked.map(({ login }) => login),
      { signal },
    ),
  ]);
  const taken: (Asked<P> & { person: LookedUpPerson })[] = [];
  const unsure: Asked<P>[] = [];
  for (const [at, one] of asked.entries()) {
    for (const [by, found] of [
      ['user_id', ids[at]],
      ['login_id', logins[at]],
    ] as const) {
      if (found === 'not-found') continue;
      if (typeof found === 'object') taken.push({ one, by, person: found });
      else unsure.push({ one, by });
    }
  }
  return { taken, unsure };
}
