/** Rows of people compared with the LMS: who is new, who exists, whose login is somebody else's. */

import { user } from '@lms-admin/contract/canvas-objects';
import type { LookedUpPerson } from '@lms-admin/contract/people';
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import { type PersonEffect, personEffect, sameLogin } from '@lms-admin/domain/sis-effects';
import { z } from 'zod';
import type { Admin } from '../../auth/admin.ts';
import { CanvasError } from '../../canvas/types.ts';
import type { Lookup } from '../../users/people.ts';
import type { CheckServices } from '../policies/policy.ts';
import type { PersonRow } from './named-rows.ts';

/** People who are asked about one by one. */
const MOST_ASKED = 500;
/** Of files with more people than this a tenth: what that tells of the whole is little, and somebody waits for it. */
const MANY = 10_000;
/** Pages of the list of everybody that are read where a file has more people than that. */
const MOST_PAGES = 200;

export type FoundPerson = LookedUpPerson & { sisUserId: string | null; login: string | null };
/** What a row does; null where the LMS was not asked, or did not say. */
export type ComparedPerson = { one: PersonRow; effect: PersonEffect<FoundPerson> | null };

/** @throws CanvasError when the admin's token is refused */
export async function comparePeople(
  services: CheckServices,
  admin: Admin,
  rows: readonly PersonRow[],
  signal: AbortSignal,
): Promise<ComparedPerson[]> {
  const listed =
    rows.length > MOST_ASKED ? await everybody(services, admin, signal) : new Map<string, LookedUpPerson>();
  // Those of the list need no question of their own when their login is the same.
  const open = rows.filter((one) => {
    const found = listed.get(one.id);
    return !(found && sameLogin(found.login_id, one.login));
  });
  const asked = open.slice(0, rows.length > MANY ? MOST_ASKED / 10 : MOST_ASKED);
  const byId = answers(
    asked,
    await services.people.bySisId(
      admin,
      asked.map(({ id }) => id),
      { signal },
    ),
  );
  const unclear = asked.filter((one) => {
    const found = byId.get(one);
    return found === null || (typeof found === 'object' && !sameLogin(found.login_id, one.login));
  });
  const byLogin = answers(
    unclear,
    await services.people.byLogin(
      admin,
      unclear.map(({ login }) => login),
      { signal },
    ),
  );
  return rows.map((one) => {
    const id = byId.has(one) ? byId.get(one) : listed.get(one.id);
    if (id === undefined || id === 'failed') return { one, effect: null };
    const login = byLogin.get(one);
    if (login === 'failed') return { one, effect: null };
    // In the list only: with another login, which was not asked about.
    if (id !== null && login === undefined && !sameLogin(id.login_id, one.login))
      return { one, effect: null };
    return { one, effect: personEffect(one, heldAs(id), heldAs(login ?? null)) };
  });
}

type Answer = LookedUpPerson | null | 'failed';

function answers(rows: readonly PersonRow[], found: readonly Lookup<LookedUpPerson>[]) {
  return new Map<PersonRow, Answer>(
    rows.map((one, at) => {
      const answer = found[at] ?? 'failed';
      return [one, answer === 'not-found' ? null : answer];
    }),
  );
}

function heldAs(person: LookedUpPerson | null): FoundPerson | null {
  return person && { ...person, sisUserId: person.sis_user_id, login: person.login_id };
}

/** People of the whole LMS by SIS id, as far as the list was read: it costs less than a question for each row. */
async function everybody(
  { canvas }: CheckServices,
  admin: Admin,
  signal: AbortSignal,
): Promise<Map<string, LookedUpPerson>> {
  const found = new Map<string, LookedUpPerson>();
  let pages = 0;
  try {
    for await (const { data } of canvas.pages({
      token: admin.token,
      method: 'GET',
      path: 'accounts/1/users',
      query: [['per_page', String(LMS_PAGE_SIZE)]],
      answer: z.array(user),
      signal,
    })) {
      for (const one of data) if (one.sis_user_id !== null) found.set(one.sis_user_id, one);
      if (++pages >= MOST_PAGES) break;
    }
  } catch (error) {
    if (!(error instanceof CanvasError) || error.ofToken) throw error;
  }
  return found;
}
