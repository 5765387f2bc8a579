/** Checks whether people to be created exist in the LMS already (OP-53, OP-57). */
import type { LookedUpPerson } from '@lms-admin/contract/people';
import type { CsvRow } from '@lms-admin/domain/csv-reader';
import { type ProblemText, problemText, quotedValue } from '@lms-admin/domain/problem-text';
import { shown, sisHeader } from '@lms-admin/domain/sis-rows';
import type { Admin } from '../auth/admin.ts';
import { CanvasError } from '../canvas/types.ts';
import type { Judge } from '../imports/sources.ts';
import type { People } from './people.ts';

/** A person to look up by SIS ID or login. */
export interface PersonToCheck<P> {
  one: P;
  by: 'user_id' | 'login_id';
}

interface Existing<P> {
  taken: (PersonToCheck<P> & { person: LookedUpPerson })[];
  /** People whose SIS ID belonged to a deleted person, whom the row would restore. Deleted logins restore no one. */
  deleted: { one: P; person: LookedUpPerson }[];
  unsure: PersonToCheck<P>[];
}

/**
 * Finds the people whose SIS ID or login is in use or belonged to a deleted person, and those about whom the LMS did
 * not answer: that does not prove that they do not exist.
 * @param options with `integration` their integration ids will be the same as their SIS IDs
 * @throws the signal's reason, or CanvasError `signed-out`
 */
export async function existingPeople<P extends { id: string; login: string }>(
  people: People,
  admin: Admin,
  candidates: readonly P[],
  options: { signal: AbortSignal; fresh?: boolean; integration?: boolean },
): Promise<Existing<P>> {
  const [ids, logins] = await Promise.all([
    people.byNewId(
      admin,
      candidates.map(({ id }) => id),
      options,
    ),
    people.byLogin(
      admin,
      candidates.map(({ login }) => login),
      { signal: options.signal },
    ),
  ]);
  const { taken, deleted, unsure }: Existing<P> = { taken: [], deleted: [], unsure: [] };
  for (const [at, one] of candidates.entries()) {
    for (const [by, found] of [
      ['user_id', ids[at]],
      ['login_id', logins[at]],
    ] as const) {
      if (found === 'not-found') continue;
      if (typeof found === 'object' && 'deleted' in found) deleted.push({ one, person: found.deleted });
      else if (typeof found === 'object') taken.push({ one, by, person: found });
      else unsure.push({ one, by });
    }
  }
  return { taken, deleted, unsure };
}

/**
 * Evaluates rows of people to be created: an existing person is not overwritten, and a deleted one is not restored.
 * @param rows with the columns user_id and login_id
 * @throws CanvasError if the LMS does not answer about everyone
 */
export async function evaluateNewPeople(
  people: People,
  admin: Admin,
  rows: () => AsyncIterable<CsvRow[]>,
  { signal, integration = false }: { signal: AbortSignal; integration?: boolean },
): Promise<Judge> {
  const candidates: { row: number; id: string; login: string }[] = [];
  let at: { id: number; login: number } | null = null;
  for await (const batch of rows()) {
    for (const { row, cells } of batch) {
      if (at !== null) candidates.push({ row, id: cells[at.id] ?? '', login: cells[at.login] ?? '' });
      else {
        const header = sisHeader(cells);
        at = { id: header.indexOf('user_id'), login: header.indexOf('login_id') };
      }
    }
  }
  const { taken, deleted, unsure } = await existingPeople(people, admin, candidates, {
    signal,
    fresh: true,
    integration,
  });
  if (unsure.length > 0) {
    const detail = 'it did not say whether everyone exists';
    throw new CanvasError('down', { sent: 'no', detail });
  }
  const reasons = new Map(
    taken.map(({ one, by }) => [
      one.row,
      `${shown(by === 'user_id' ? one.id : one.login)} has been created in the LMS.`,
    ]),
  );
  for (const { one } of deleted) reasons.set(one.row, wasDeleted(one.id).message);
  return ({ row }) => reasons.get(row) ?? null;
}

/** Returns the message for an SIS ID of a deleted person, who is not named: not every admin may see them. */
export function wasDeleted(sisId: string): ProblemText {
  return problemText`${quotedValue(sisId)} belongs to a login that was deleted in the LMS, so using it would restore that person. Use another ID.`;
}
