/** What a course does not answer and the LMS is asked about: ids of groups elsewhere, and people by what was typed. */
import type { LookedUpPerson } from '@lms-admin/contract/people';
import type { GroupElsewhere, PersonElsewhere } from '@lms-admin/domain/group-course';
import type { MemberReader } from '@lms-admin/domain/group-references';
import type { Scope } from '../access/scope.ts';
import type { Admin } from '../auth/admin.ts';
import { categoryBySisId, groupBySisId } from '../canvas/resources/groups.ts';
import { type CanvasClient, CanvasError } from '../canvas/types.ts';
import { mapLimited } from '../platform/limited.ts';
import type { Lookup, People } from '../users/people.ts';

/** What the lookups stand on. */
export interface ElsewhereServices {
  canvas: CanvasClient;
  scope: Scope;
  people: People;
}

/** Lookups handed to the client at once; the client decides how many of them are in flight. */
const AT_ONCE = 64;

/** A group or category that the LMS has. `course` is null where it is in none, or not for us to see. */
export interface FoundPlace {
  id: number;
  course: number | null;
}

/**
 * The group of each of these SIS IDs, as far as the LMS has them.
 * @throws CanvasError when it does not say
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

/** The same for categories. */
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
      // It is there, and not for us to see.
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
 * Ids of groups that are not the course's. The other course is named where it is in the admin's reach.
 * @param here a course whose groups count as no one's: one that has been made since the course was read is its own
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

/** Who these are. @throws CanvasError when a token is refused; the signal's reason */
export async function peopleElsewhere(
  people: People,
  admin: Admin,
  asked: readonly string[],
  by: MemberReader['by'],
  {
    signal,
    onResult = () => {},
    fresh = false,
  }: { signal: AbortSignal; onResult?: () => void; fresh?: boolean },
): Promise<Map<string, PersonElsewhere | 'failed'>> {
  const found = new Map<string, PersonElsewhere | 'failed'>();
  const options = { signal, onResult, fresh };
  const keep = (texts: readonly string[], results: readonly Lookup<LookedUpPerson>[]) => {
    for (const [at, text] of texts.entries()) {
      const one = results[at] ?? 'failed';
      if (one === 'failed') found.set(text, one);
      else if (one !== 'not-found') found.set(text, { id: one.id, name: one.name, sisId: one.sis_user_id });
    }
  };
  const bySisId = by === 'ids' ? asked : asked.filter((text) => !text.includes('@'));
  keep(bySisId, await people.bySisId(admin, bySisId, by === 'ids' ? options : { signal, fresh }));
  if (by === 'ids') return found;
  const byLogin = asked.filter((text) => !found.has(text));
  for (const _ of found) onResult();
  keep(byLogin, await people.byLogin(admin, byLogin, { ...options, expected: true }));
  return found;
}

/** Before something is sent: that the LMS did not say of someone who they are is no reason to leave them out. @throws CanvasError */
export function requireAnswers(people: ReadonlyMap<string, PersonElsewhere | 'failed'>): void {
  if (![...people.values()].includes('failed')) return;
  throw new CanvasError('down', { sent: 'no', detail: 'it did not say who everyone is' });
}
