/** Looks up the logins, programmes and roles of records in the LMS. */
import type { AccessChange } from '@lms-admin/contract/access';
import { idList, topAccounts } from '@lms-admin/domain/access';
import { loginKey } from '@lms-admin/domain/access-records';
import { DEFAULT_ROLE_IDS } from '@lms-admin/domain/constants';
import type { Admin } from '../auth/admin.ts';
import { type CanvasClient, CanvasError } from '../canvas/types.ts';
import { type LmsLogin, lmsLogins } from './lms-logins.ts';
import { type PlaceParts, treeOf } from './places.ts';

export interface KnownInLms {
  /** Looks up a `loginKey`. Undefined if it was not checked. */
  login(key: string): LmsLogin | undefined;
  /** Whether the programme exists; null if it could not be looked up. */
  programme(id: number): boolean | null;
  role(id: number): boolean | null;
}

export interface KnownParts extends PlaceParts {
  canvas: CanvasClient;
}

/** @param logins the logins to look up */
export async function knownInLms(
  parts: KnownParts,
  by: Admin,
  changes: readonly AccessChange[],
  logins: readonly string[],
  signal?: AbortSignal,
): Promise<KnownInLms> {
  const programmes = changes.flatMap(({ record }) => {
    const top = topAccounts(record);
    return top === 'all' ? [] : top;
  });
  const roles = changes.flatMap(({ record }) => [...idList(record.roles), ...idList(record.section_roles)]);
  const [people, hasProgramme, hasRole] = await Promise.all([
    lmsLogins(parts.canvas, by, [...new Set(logins)], signal),
    programmesOf(parts, by, programmes, signal),
    roles.every((id) => DEFAULT_ROLE_IDS.includes(id)) ? () => null : rolesOf(parts, by, signal),
  ]);
  return { login: (key) => people.get(loginKey(key)), programme: hasProgramme, role: hasRole };
}

async function programmesOf(parts: KnownParts, by: Admin, ids: readonly number[], signal?: AbortSignal) {
  if (ids.length === 0) return () => null;
  const kept = await treeOf(parts, by, undefined, signal);
  // A missing programme may be new.
  const missing = ids.find((id) => kept?.accounts.has(id) === false);
  const tree = missing === undefined ? kept : await treeOf(parts, by, missing, signal);
  return (id: number) => tree?.accounts.has(id) ?? null;
}

async function rolesOf({ roles }: KnownParts, by: Admin, signal?: AbortSignal) {
  try {
    return await roles.numbered(by.token, signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof CanvasError) return () => null;
    throw error;
  }
}
