/** Helpers for the list endpoints: includes, IDs, search terms, orders. */

import type { FastifyRequest } from 'fastify';
import { list, type Params, paramsOf, text } from '../../http/params.ts';
import { currentCaller } from '../http/auth.ts';
import { ApiError } from '../http/errors.ts';
import { isDigits } from '../http/ids.ts';
import type { World } from '../store/world.ts';

/**
 * Returns the `include[]` names of a request (`includes[]` where Canvas says so), or none if the key does not
 * allow them.
 */
export function includesOf(request: FastifyRequest, name = 'include'): ReadonlySet<string> {
  if (!currentCaller(request).mayInclude) return new Set();
  return new Set(list(paramsOf(request), name));
}

/** Returns a path parameter. */
export function pathParam(request: FastifyRequest, name: string): string {
  return (request.params as Record<string, string>)[name] ?? '';
}

/** Returns the number in a path. Any text except digits becomes NaN, which is never found (§1). */
export function pathNumber(request: FastifyRequest, name: string): number {
  const given = pathParam(request, name).trim();
  return isDigits(given) ? Number(given) : Number.NaN;
}

/**
 * Returns the search term of a request, lower-cased, including its spaces, or null if the term is absent or
 * only spaces.
 * @throws ApiError 400 for a term shorter than two characters, or not a text (§6.6).
 */
export function searchTermOf(params: Params): string | null {
  const given = params['search_term'];
  const term = text(params, 'search_term') ?? '';
  const isText = given === undefined || given === null || typeof given !== 'object';
  if (isText && term.trim() === '') return null;
  if (term.length < 2) {
    const error = { field: 'search_term', code: 'invalid', message: '2 or more characters is required' };
    throw new ApiError(400, { errors: [error] });
  }
  return term.toLowerCase();
}

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: false });

/** Compares names without regard to accents and case. */
export function compareNames(a: string, b: string): number {
  return collator.compare(a, b);
}

const RANKS = new WeakMap<World, { version: number; ranks: ReadonlyMap<number, number> }>();

/** Returns all people's ranks by sortable name, by ID; computed once for each state of the people. */
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
