/** Look-ups beyond the course: groups elsewhere by SIS ID, and people by the text that was entered. */
import type { LookedUpPerson } from '@lms-admin/contract/people';
import type { GroupElsewhere, PersonElsewhere } from '@lms-admin/domain/group-course';
import type { MemberReader } from '@lms-admin/domain/group-references';
import type { Scope } from '../access/scope.ts';
import type { Admin } from '../auth/admin.ts';
import { categoryBySisId, groupBySisId } from '../canvas/resources/groups.ts';
import { type CanvasClient, CanvasError } from '../canvas/types.ts';
import { mapLimited } from '../platform/limited.ts';
import type { Lookup, People } from '../users/people.ts';

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

/** Looks people up. @throws CanvasError if a token is refused; the signal's reason */
export async function peopleElsewhere(
  people: People,
  admin: Admin,
  sisIds: readonly string[],
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
  const bySisId = by === 'ids' ? sisIds : sisIds.filter((text) => !text.includes('@'));
  keep(bySisId, await people.bySisId(admin, bySisId, by === 'ids' ? options : { signal, fresh }));
  if (by === 'ids') return found;
  const byLogin = sisIds.filter((text) => !found.has(text));
  for (const _ of found) onResult();
  keep(byLogin, await people.byLogin(admin, byLogin, { ...options, expected: true }));
  return found;
}

/** Requires an answer for each person before sending: a missing answer is no reason to skip them. @throws CanvasError */
export function requireAnswers(people: ReadonlyMap<string, PersonElsewhere | 'failed'>): void {
  if (![...people.values()].includes('failed')) return;
  throw new CanvasError('down', { sent: 'no', detail: 'it did not return everyone' });
}
