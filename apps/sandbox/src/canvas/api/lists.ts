/** Small helpers that the list endpoints share: includes, ids, search terms, orders. */

import type { FastifyRequest } from 'fastify';
import { list, type Params, paramsOf, text } from '../../http/params.ts';
import { ApiError } from '../http/errors.ts';

/** The `include[]` names of a request (`includes[]` where Canvas calls it so). */
export function includesOf(request: FastifyRequest, name = 'include'): ReadonlySet<string> {
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
