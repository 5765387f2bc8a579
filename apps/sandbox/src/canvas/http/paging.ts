/** Pages and the Link header, exactly as in Canvas (reference §4). */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Params, type ParamValue, paramsOf, text } from '../../http/params.ts';
import { baseUrl } from '../../http/urls.ts';
import { badBookmark, noSuchPage } from './errors.ts';

const DEFAULT_PER_PAGE = 10;
const MAX_PER_PAGE = 100;
/** Higher page numbers would lose precision when multiplied. */
const LAST_PAGE = 1_000_000_000_000;
const MAX_LINK_BYTES = 6 * 1024;
/** Parameters that links never repeat: paging and secrets. */
const LEFT_OUT = new Set(['page', 'per_page', 'access_token', 'api_key']);
/** Order in which links are kept if all of them would be too long, most important first. */
const PRIORITY = ['next', 'last', 'prev', 'current', 'first'] as const;
const ORDER = ['current', 'next', 'prev', 'first', 'last'] as const;
type Rel = (typeof ORDER)[number];

/** What a bookmark contains: the key of a page's last item. */
export type BookmarkKey = readonly (string | number)[];

export type Bookmark<T> = {
  keyOf: (item: T) => BookmarkKey;
  compare: (a: BookmarkKey, b: BookmarkKey) => number;
  /** Whether a plain page number is accepted as well as bookmarks. */
  numbersToo?: boolean;
};

export type PagingOptions<T> = {
  /** Whether the total is known; if Canvas does not count, only the final page has a `last` link. */
  counted?: boolean;
  /** Without a total: whether Canvas looks one item ahead, so that it recognises a full last page. */
  looksAhead?: boolean;
  /** Pages by bookmark instead of by number; the items must be in the order of their keys. */
  bookmark?: Bookmark<T> | undefined;
};

/**
 * Reads the page size of a request, within limits; any text except a number counts as 0, and therefore as 1.
 */
export function perPageOf(request: FastifyRequest): number {
  const given = text(paramsOf(request), 'per_page');
  if (given === null) return DEFAULT_PER_PAGE;
  return Math.min(Math.max(Number.parseInt(given, 10) || 0, 1), MAX_PER_PAGE);
}

/**
 * Returns the items of the requested page, and sets the Link header.
 * @throws ApiError 400 for an invalid bookmark, 404 for an invalid page number.
 */
export function paginate<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  items: readonly T[],
  options: PagingOptions<T> = {},
): T[] {
  const perPage = perPageOf(request);
  const { bookmark } = options;
  if (bookmark && !(bookmark.numbersToo && /^\d+$/.test(text(paramsOf(request), 'page') ?? ''))) {
    return bookmarked(request, reply, items, perPage, bookmark);
  }
  const page = pageNumber(request);
  const from = (page - 1) * perPage;
  const shown = items.slice(from, from + perPage);
  const counted = options.counted ?? true;
  // Without a count, Canvas recognises the last page only when it is not full.
  const more = counted || options.looksAhead ? from + perPage < items.length : shown.length === perPage;
  const lastPage = Math.max(1, Math.ceil(items.length / perPage));
  const pages: Partial<Record<Rel, number>> = { current: page, first: 1 };
  if (more) pages.next = page + 1;
  if (page > 1) pages.prev = page - 1;
  if (counted) pages.last = lastPage;
  else if (!more) pages.last = page;
  setLinks(request, reply, pages, perPage);
  return shown;
}

/**
 * Reads the page number; like Ruby, it reads the digits at the start.
 * @throws ApiError 404 for a page below 1 or without a number. A page past the end is valid.
 */
function pageNumber(request: FastifyRequest): number {
  const given = text(paramsOf(request), 'page');
  if (given === null) return 1;
  const page = Number.parseInt(given, 10);
  if (!(page > 0)) throw noSuchPage();
  return Math.min(page, LAST_PAGE);
}

/**
 * Returns a page found by bookmark. Its links are `current`, `next` and `first`; pages after the first cannot
 * be guessed.
 */
function bookmarked<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  items: readonly T[],
  perPage: number,
  bookmark: Bookmark<T>,
): T[] {
  const given = text(paramsOf(request), 'page') ?? '';
  const isFirst = given === '' || given === '1' || given === 'first';
  const from = isFirst ? 0 : firstAfter(items, bookmark, readBookmark(given));
  const shown = items.slice(from, from + perPage);
  const last = shown.at(-1);
  const pages: Partial<Record<Rel, number | string>> = { current: isFirst ? 'first' : given, first: 'first' };
  if (last !== undefined && from + perPage < items.length) pages.next = writeBookmark(bookmark.keyOf(last));
  setLinks(request, reply, pages, perPage);
  return shown;
}

/**
 * Finds the position of the first item after the key. The item itself can be deleted: a bookmark is only a
 * position.
 */
function firstAfter<T>(items: readonly T[], bookmark: Bookmark<T>, after: BookmarkKey): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (bookmark.compare(bookmark.keyOf(items[middle] as T), after) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

function writeBookmark(key: BookmarkKey): string {
  return `bookmark:${Buffer.from(JSON.stringify(key)).toString('base64url')}`;
}

function readBookmark(given: string): BookmarkKey {
  if (!given.startsWith('bookmark:')) throw badBookmark();
  try {
    const read: unknown = JSON.parse(Buffer.from(given.slice(9), 'base64url').toString('utf8'));
    if (Array.isArray(read) && read.length > 0 && read.every(isKeyPart)) return read;
  } catch {
    // A bookmark that is not JSON is rejected like any other invalid bookmark.
  }
  throw badBookmark();
}

function isKeyPart(part: unknown): part is string | number {
  return typeof part === 'string' || typeof part === 'number';
}

function setLinks(
  request: FastifyRequest,
  reply: FastifyReply,
  pages: Partial<Record<Rel, number | string>>,
  perPage: number,
): void {
  const address = linkAddress(request);
  const links = new Map<Rel, string>();
  let bytes = 0;
  for (const rel of PRIORITY) {
    const page = pages[rel];
    if (page === undefined) continue;
    const link = `${address}page=${page}&per_page=${perPage}`;
    if (bytes + link.length > MAX_LINK_BYTES) break;
    bytes += link.length;
    links.set(rel, `<${link}>; rel="${rel}"`);
  }
  void reply.header('link', ORDER.flatMap((rel) => links.get(rel) ?? []).join(','));
}

/** Returns the request's address with its own query, ready for `page=…`, without a `.json` suffix. */
function linkAddress(request: FastifyRequest): string {
  const url = request.url;
  const cut = url.indexOf('?');
  const query = cut < 0 ? '' : toQuery(request.query as Params, null);
  return `${baseUrl(request)}${cut < 0 ? url : url.slice(0, cut)}?${query === '' ? '' : `${query}&`}`;
}

/**
 * Writes a query like Rails' `to_query`: the names of each object in alphabetical order, lists in their own
 * order.
 */
function toQuery(value: ParamValue, name: string | null): string {
  if (Array.isArray(value)) return value.map((item) => toQuery(item, `${name}[]`)).join('&');
  if (typeof value !== 'object' || value === null)
    return `${formEncode(name ?? '')}=${formEncode(String(value ?? ''))}`;
  const parts: string[] = [];
  for (const [key, entry] of Object.entries(value)) {
    if (name === null && LEFT_OUT.has(key)) continue;
    const part = toQuery(entry, name === null ? key : `${name}[${key}]`);
    if (part !== '') parts.push(part);
  }
  return (name?.includes('[]') ? parts : parts.sort()).join('&');
}

/** Encodes form values like Ruby's `CGI.escape`: a space becomes `+`; letters, digits and `-._~` are kept. */
function formEncode(value: string): string {
  return encodeURIComponent(value)
    .replaceAll('%20', '+')
    .replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}
