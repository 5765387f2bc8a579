/** Pages of a list (Zoom reference §4). */

import { createHash, createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type Params, text } from '../../http/params.ts';
import { MINUTE } from '../store/time.ts';
import { invalid } from './errors.ts';

const DEFAULT_SIZE = 30;
const MOST = 300;
const TOKEN_LIFE_MS = 15 * MINUTE;
/** Tokens contain their position, so that they survive a restart; forging one gains nothing. */
const SIGNED_WITH = 'pages of the practice Zoom';

type Mark = { query: string; from: number; until: number };

export type Page<T> = {
  page_count: number;
  page_number: number;
  page_size: number;
  total_records: number;
  /** Empty on the last page. */
  next_page_token: string;
  items: T[];
};

/**
 * Returns the requested page, by token or, in the older way, by number.
 * @throws ZoomError 300 for a token that has expired or belongs to another query
 */
export function pageOf<T>(request: FastifyRequest, all: readonly T[], now: number): Page<T> {
  const params = request.query as Params;
  const size = wholeNumber(params, 'page_size', DEFAULT_SIZE, MOST);
  const token = text(params, 'next_page_token');
  const query = queryOf(request);
  const from = token
    ? readToken(token, query, now)
    : (wholeNumber(params, 'page_number', 1, Number.MAX_SAFE_INTEGER) - 1) * size;
  const next = from + size;
  return {
    page_count: Math.ceil(all.length / size),
    page_number: Math.floor(from / size) + 1,
    page_size: size,
    total_records: all.length,
    next_page_token: next < all.length ? writeToken({ query, from: next, until: now + TOKEN_LIFE_MS }) : '',
    items: all.slice(from, next),
  };
}

/** Reads a whole number from 1 to `most`; any other value is treated as missing. */
function wholeNumber(params: Params, name: string, otherwise: number, most: number): number {
  const given = Number.parseInt(text(params, name) ?? '', 10);
  return Number.isNaN(given) ? otherwise : Math.min(Math.max(given, 1), most);
}

/** Returns the query that a token belongs to: the path and all parameters except the token. */
function queryOf(request: FastifyRequest): string {
  const [path = '', query = ''] = request.url.split('?');
  const rest = query.split('&').filter((pair) => pair !== '' && !pair.startsWith('next_page_token='));
  return createHash('sha256')
    .update([path, ...rest.sort()].join('&'))
    .digest('base64url');
}

function writeToken(mark: Mark): string {
  const payload = Buffer.from(JSON.stringify(mark)).toString('base64url');
  return `${payload}.${signatureOf(payload)}`;
}

function readToken(token: string, query: string, now: number): number {
  const [payload = '', signature] = token.split('.');
  const mark =
    signature === signatureOf(payload)
      ? (JSON.parse(Buffer.from(payload, 'base64url').toString()) as Mark)
      : null;
  if (mark?.query !== query || now >= mark.until) throw invalid('The next page token is invalid or expired.');
  return mark.from;
}

function signatureOf(payload: string): string {
  return createHmac('sha256', SIGNED_WITH).update(payload).digest('base64url').slice(0, 16);
}
