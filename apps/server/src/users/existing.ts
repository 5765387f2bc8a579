/** Whether people exist in the LMS already, who are to be created (OP-53, OP-57). */
import type { LookedUpPerson } from '@lms-admin/contract/people';
import type { CsvRow } from '@lms-admin/domain/csv-reader';
import { shown, sisHeader } from '@lms-admin/domain/sis-rows';
import type { Admin } from '../auth/admin.ts';
import { CanvasError } from '../canvas/types.ts';
import type { Judge } from '../imports/sources.ts';
import type { People } from './people.ts';

/** An SIS ID or login that the LMS was asked about. */
export interface Asked<P> {
  one: P;
  by: 'user_id' | 'login_id';
}

interface Existing<P> {
  taken: (Asked<P> & { person: LookedUpPerson })[];
  /** Whose SIS ID someone had who is deleted: they would come back. A deleted login brings no one back by its name. */
  deleted: { one: P; person: LookedUpPerson }[];
  unsure: Asked<P>[];
}

/**
 * Those of the people whose SIS ID or login is taken, or was someone's who is deleted, and those of whom the LMS did not say: that is no proof that they do
 * not exist.
 * @param options with `integration` their integration ids will be the same as their SIS IDs
 * @throws the signal's reason, or CanvasError `signed-out`
 */
export async function existingPeople<P extends { id: string; login: string }>(
  people: People,
  admin: Admin,
  asked: readonly P[],
  options: { signal: AbortSignal; fresh?: boolean; integration?: boolean },
): Promise<Existing<P>> {
  const [ids, logins] = await Promise.all([
    people.byNewId(
      admin,
      asked.map(({ id }) => id),
      options,
    ),
    people.byLogin(
      admin,
      asked.map(({ login }) => login),
      { signal: options.signal },
    ),
  ]);
  const { taken, deleted, unsure }: Existing<P> = { taken: [], deleted: [], unsure: [] };
  for (const [at, one] of asked.entries()) {
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
 * Judges rows of people who are to be created: anyone who exists by now is not created over, and no one who is deleted comes back by it.
 * @param rows with the columns user_id and login_id
 * @throws CanvasError where the LMS does not say of everybody whether they exist
 */
export async function evaluateNewPeople(
  people: People,
  admin: Admin,
  rows: () => AsyncIterable<CsvRow[]>,
  { signal, integration = false }: { signal: AbortSignal; integration?: boolean },
): Promise<Judge> {
  const asked: { row: number; id: string; login: string }[] = [];
  let at: { id: number; login: number } | null = null;
  for await (const batch of rows()) {
    for (const { row, cells } of batch) {
      if (at !== null) asked.push({ row, id: cells[at.id] ?? '', login: cells[at.login] ?? '' });
      else {
        const header = sisHeader(cells);
        at = { id: header.indexOf('user_id'), login: header.indexOf('login_id') };
      }
    }
  }
  const { taken, deleted, unsure } = await existingPeople(people, admin, asked, {
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
  for (const { one } of deleted) reasons.set(one.row, wasDeleted(one.id));
  return ({ row }) => reasons.get(row) ?? null;
}

/** Why no one is created with an SIS ID. Who it was is not for everybody who may ask. */
export function wasDeleted(sisId: string): string {
  return `${shown(sisId)} is the ID of a login that was deleted in the LMS, and would restore its person. Use another ID.`;
}
