/** Look-ups beyond the course: groups elsewhere by SIS ID, and people by the text that was entered. */
import type { CopiedPeople as CopiedCount } from '@lms-admin/contract/enrollments';
import type { GroupElsewhere, PersonElsewhere } from '@lms-admin/domain/group-course';
import type { MemberReader } from '@lms-admin/domain/group-references';
import type { Scope } from '../access/scope.ts';
import type { Admin } from '../auth/admin.ts';
import { categoryBySisId, groupBySisId } from '../canvas/resources/groups.ts';
import { type CanvasClient, CanvasError } from '../canvas/types.ts';
import { mapLimited } from '../platform/limited.ts';
import {
  type CopiedLookupOptions,
  type CopiedLookups,
  copiedByLogin,
  copiedBySisId,
  type LookupSources,
  type PersonOrCopy,
} from '../users/copied-lookups.ts';
import type { Lookup, LookupOptions, People } from '../users/people.ts';

/** Services needed for the look-ups. */
export interface ElsewhereServices {
  canvas: CanvasClient;
  scope: Scope;
  people: People;
}

/** Number of look-ups passed to the client at once; the client limits the calls in flight. */
const AT_ONCE = 64;

/** An existing group or category. `course` is null if it belongs to none or is hidden from the admin. */
export interface FoundPlace {
  id: number;
  course: number | null;
}

/**
 * Returns the group of each of these SIS IDs, if it exists.
 * @throws CanvasError if the LMS does not answer
 */
export function findGroups(
  canvas: CanvasClient,
  admin: Admin,
  ids: readonly string[],
  signal: AbortSignal,
  onResult?: () => void,
): Promise<Map<string, FoundPlace>> {
  const reader = { canvas, token: admin.token, signal };
  return findPlaces(ids, onResult, (sisId) => groupBySisId(reader, sisId));
}

/** Returns the category of each SIS ID, if it exists. */
export function findCategories(
  canvas: CanvasClient,
  admin: Admin,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, FoundPlace>> {
  const reader = { canvas, token: admin.token, signal };
  return findPlaces(ids, undefined, (sisId) => categoryBySisId(reader, sisId));
}

async function findPlaces(
  ids: readonly string[],
  onResult: (() => void) | undefined,
  ask: (sisId: string) => Promise<{ id: number; course_id?: number | null | undefined }>,
): Promise<Map<string, FoundPlace>> {
  const found = await mapLimited([...new Set(ids)], AT_ONCE, async (sisId) => {
    try {
      const { id, course_id } = await ask(sisId);
      return [[sisId, { id, course: course_id ?? null }] as const];
    } catch (error) {
      if (!(error instanceof CanvasError) || error.ofToken) throw error;
      // The category exists, but the admin cannot see it.
      if (error.kind === 'refused') return [[sisId, { id: 0, course: null }] as const];
      if (error.kind === 'not-found') return [];
      throw error;
    } finally {
      onResult?.();
    }
  });
  return new Map(found.flat());
}

/**
 * Finds SIS IDs that belong to groups outside the course. Names the other course if it is in the admin's scope.
 * @param here a course whose own groups do not count, even if created since the course was read
 * @throws CanvasError
 */
export async function groupsElsewhere(
  { canvas, scope }: Pick<ElsewhereServices, 'canvas' | 'scope'>,
  admin: Admin,
  ids: readonly string[],
  signal: AbortSignal,
  { onResult, here }: { onResult?: () => void; here?: number } = {},
): Promise<Map<string, GroupElsewhere>> {
  const found = await findGroups(canvas, admin, ids, signal, onResult);
  for (const [sisId, { course }] of found) if (course !== null && course === here) found.delete(sisId);
  const courses = [...found.values()].flatMap(({ course }) => course ?? []);
  const known = await scope.courses(admin, courses, signal);
  return new Map(
    [...found].map(([sisId, { course }]) => [sisId, { course: known.get(course ?? 0)?.name ?? null }]),
  );
}

/** A person who was looked up; `copied` if the LMS was not asked. */
export type PersonFound = PersonElsewhere & { copied?: true };

export interface FoundElsewhere {
  /** By the requested text. A text without a person is missing. */
  people: Map<string, PersonFound | 'failed'>;
  /** How many people come from the directory's copy; null without any. */
  copied: CopiedCount | null;
}

interface ElsewhereOptions {
  signal: AbortSignal;
  onResult?: () => void;
  fresh?: boolean;
}

/** Looks people up. @throws CanvasError if a token is refused; the signal's reason */
export function peopleElsewhere(
  people: People,
  admin: Admin,
  texts: readonly string[],
  by: MemberReader['by'],
  options: ElsewhereOptions,
): Promise<FoundElsewhere['people']> {
  const lookups: Lookups = {
    bySisId: (some, how) => people.bySisId(admin, some, how),
    byLogin: (some, how) => people.byLogin(admin, some, { ...how, expected: true }),
  };
  return findPeople(lookups, texts, by, options);
}

/**
 * Looks people up, first in the directory's copy. It is used only for people who are not in the course: their rows are
 * not sent. The LMS is asked about everyone in the course.
 * @throws like `peopleElsewhere`
 */
export async function copiedElsewhere(
  sources: LookupSources,
  admin: Admin,
  texts: readonly string[],
  { by, index }: Pick<MemberReader, 'by' | 'index'>,
  options: ElsewhereOptions,
): Promise<FoundElsewhere> {
  const counts: CopiedCount[] = [];
  const notHere = (how: LookupOptions<PersonOrCopy>): CopiedLookupOptions<PersonOrCopy> => ({
    ...how,
    accepts: ({ id }) => index.person(id) === null,
  });
  const counted = ({ results, copied }: CopiedLookups<PersonOrCopy>) => {
    if (copied !== null) counts.push(copied);
    return results;
  };
  const lookups: Lookups = {
    bySisId: async (some, how) => counted(await copiedBySisId(sources, admin, some, notHere(how))),
    byLogin: async (some, how) => counted(await copiedByLogin(sources, admin, some, notHere(how))),
  };
  const people = await findPeople(lookups, texts, by, options);
  if (counts.length === 0) return { people, copied: null };
  const count = counts.reduce((total, one) => total + one.count, 0);
  return { people, copied: { count, as_of: Math.min(...counts.map((one) => one.as_of)) } };
}

type LookUp = (
  texts: readonly string[],
  options: LookupOptions<PersonOrCopy>,
) => Promise<Lookup<PersonOrCopy>[]>;

interface Lookups {
  bySisId: LookUp;
  byLogin: LookUp;
}

async function findPeople(
  lookups: Lookups,
  texts: readonly string[],
  by: MemberReader['by'],
  { signal, onResult = () => {}, fresh = false }: ElsewhereOptions,
): Promise<FoundElsewhere['people']> {
  const found: FoundElsewhere['people'] = new Map();
  const options = { signal, onResult, fresh };
  const keep = (some: readonly string[], results: readonly Lookup<PersonOrCopy>[]) => {
    for (const [at, text] of some.entries()) {
      const one = results[at] ?? 'failed';
      if (one === 'failed') found.set(text, one);
      else if (one !== 'not-found') {
        const { id, name, sis_user_id: sisId, copied } = one;
        found.set(text, { id, name, sisId, ...(copied && { copied }) });
      }
    }
  };
  const bySisId = by === 'ids' ? texts : texts.filter((text) => !text.includes('@'));
  keep(bySisId, await lookups.bySisId(bySisId, by === 'ids' ? options : { signal, fresh }));
  if (by === 'ids') return found;
  const byLogin = texts.filter((text) => !found.has(text));
  for (const _ of found) onResult();
  keep(byLogin, await lookups.byLogin(byLogin, options));
  return found;
}

/** Requires an answer for each person before sending: a missing answer is no reason to skip them. @throws CanvasError */
export function requireAnswers(people: ReadonlyMap<string, PersonElsewhere | 'failed'>): void {
  if (![...people.values()].includes('failed')) return;
  throw new CanvasError('down', { sent: 'no', detail: 'it did not return everyone' });
}
