/** Small helpers that the list endpoints share: includes, ids, search terms, orders. */

import type { FastifyRequest } from 'fastify';
import { list, type Params, paramsOf, text } from '../../http/params.ts';
import { currentCaller } from '../http/auth.ts';
import { ApiError } from '../http/errors.ts';
import type { World } from '../store/world.ts';

/** The `include[]` names of a request (`includes[]` where Canvas calls it so); none where the caller's key takes none. */
export function includesOf(request: FastifyRequest, name = 'include'): ReadonlySet<string> {
  if (!currentCaller(request).mayInclude) return new Set();
  return new Set(list(paramsOf(request), name));
}

/** A path parameter. */
export function pathParam(request: FastifyRequest, name: string): string {
  return (request.params as Record<string, string>)[name] ?? '';
}

/**
 * The search term of a request, lower-cased; null when it is absent or blank.
 * @throws ApiError 400 when it is shorter than two characters (§6.6).
 */
export function searchTermOf(params: Params): string | null {
  const term = text(params, 'search_term')?.trim() ?? '';
  if (term === '') return null;
  if (term.length < 2) {
    const error = { field: 'search_term', code: 'invalid', message: '2 or more characters is required' };
    throw new ApiError(400, { errors: [error] });
  }
  return term.toLowerCase();
}

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: false });

/** Names as people order them: accents and case do not matter. */
export function compareNames(a: string, b: string): number {
  return collator.compare(a, b);
}

const RANKS = new WeakMap<World, { version: number; ranks: ReadonlyMap<number, number> }>();

/** The place of each person, by id, when everybody is ordered by sortable name; worked out once for each state of the people. */
export function nameRanks(world: World): ReadonlyMap<number, number> {
  const known = RANKS.get(world);
  if (known?.version === world.users.version) return known.ranks;
  const ordered = [...world.users.values()].sort(
    (a, b) => compareNames(a.sortable_name, b.sortable_name) || a.id - b.id,
  );
  const ranks = new Map(ordered.map((user, place) => [user.id, place]));
  RANKS.set(world, { version: world.users.version, ranks });
  return ranks;
}
