/**
 * Lookups that take people from the directory's copy if they are certain there, and ask the LMS about everyone else.
 * Used only for data that is checked again before it is sent: a person who is not in the copy may be new in the LMS.
 */
import type { CopiedPeople as CopiedCount } from '@lms-admin/contract/enrollments';
import type { LookedUpPerson } from '@lms-admin/contract/people';
import type { Admin } from '../auth/admin.ts';
import type { Copied, CopiedPeople, CopiedPerson } from '../directory/copied-people.ts';
import type { FoundPerson, Lookup, LookupOptions, People, Unreachable } from './people.ts';

export interface LookupSources {
  people: People;
  copied: CopiedPeople;
}

/** Options of a lookup from the copy. */
export type CopiedLookupOptions<P> = LookupOptions<P> & {
  /** Whether a person in the copy can be used; otherwise the LMS is asked about them. By default, everyone can be. */
  accepts?: (person: CopiedPerson) => boolean;
};

export interface CopiedLookups<P> {
  /** In the order of the request. */
  results: Lookup<P>[];
  /** Results from the copy; null if none came from it. */
  copied: CopiedCount | null;
}

/** Finds people by email address, as `People.byEmail` does. @throws like `People.byEmail` */
export async function copiedByEmail(
  { people, copied }: LookupSources,
  admin: Admin,
  emails: readonly string[],
  options: CopiedLookupOptions<FoundPerson | Unreachable>,
): Promise<CopiedLookups<FoundPerson | Unreachable>> {
  const known = await copied.byEmail(admin.token, emails, options.signal);
  return together(emails, known, options, {
    of: ({ id, name, login, sisId }): FoundPerson => ({ id, name, login, sisUserId: sisId, copied: true }),
    ask: (rest) => people.byEmail(admin, rest, options),
  });
}

/** A person looked up by SIS ID. `copied` if the LMS was not asked. */
export type PersonOrCopy = LookedUpPerson & { copied?: true };

/** Finds people by SIS ID, as `People.bySisId` does. @throws like `People.bySisId` */
export async function copiedBySisId(
  { people, copied }: LookupSources,
  admin: Admin,
  sisIds: readonly string[],
  options: CopiedLookupOptions<PersonOrCopy>,
): Promise<CopiedLookups<PersonOrCopy>> {
  const known = await copied.bySisId(admin.token, sisIds, options.signal);
  return together(sisIds, known, options, {
    of: copyOf,
    ask: (rest) => people.bySisId(admin, rest, options),
  });
}

/** Finds people by login, most of whom are expected to exist, as `People.byLogin` does. @throws like `People.byEmail` */
export async function copiedByLogin(
  { people, copied }: LookupSources,
  admin: Admin,
  logins: readonly string[],
  options: CopiedLookupOptions<PersonOrCopy>,
): Promise<CopiedLookups<PersonOrCopy>> {
  const known = await copied.byEmail(admin.token, logins, options.signal);
  return together(logins, known, options, {
    of: copyOf,
    ask: (rest) => people.byLogin(admin, rest, { ...options, expected: true }),
  });
}

function copyOf(person: CopiedPerson): PersonOrCopy {
  return { ...lookedUpOf(person), copied: true };
}

/** Converts a person in the copy to the result of a lookup. */
export function lookedUpOf({ id, name, login, sisId }: CopiedPerson): LookedUpPerson {
  return { id, name, login_id: login, sis_user_id: sisId };
}

async function together<P>(
  keys: readonly string[],
  known: Copied | null,
  { onResult, accepts = () => true }: CopiedLookupOptions<P>,
  { of, ask }: { of: (person: CopiedPerson) => P; ask: (rest: readonly string[]) => Promise<Lookup<P>[]> },
): Promise<CopiedLookups<P>> {
  const results = new Map<string, Lookup<P>>();
  for (const [key, person] of known?.people ?? []) if (accepts(person)) results.set(key, of(person));
  const copied = keys.filter((key) => results.has(key));
  for (const key of copied) onResult?.(results.get(key) ?? 'failed', key);
  const rest = keys.filter((key) => !results.has(key));
  for (const [at, result] of (await ask(rest)).entries()) results.set(rest[at] ?? '', result);
  return {
    results: keys.map((key) => results.get(key) ?? 'failed'),
    copied: known && copied.length > 0 ? { count: copied.length, as_of: known.asOf } : null,
  };
}
