/** Pages and the Link header, to the byte (reference §4). */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Params, type ParamValue, paramsOf, text } from '../../http/params.ts';
import { baseUrl } from '../../http/urls.ts';
import { badBookmark } from './errors.ts';

const DEFAULT_PER_PAGE = 10;
const MAX_PER_PAGE = 100;
const MAX_LINK_BYTES = 6 * 1024;
/** Never echoed into links: the paging itself, and secrets. */
const LEFT_OUT = new Set(['page', 'per_page', 'access_token', 'api_key']);
/** Which links stay when all together are too long, most important first. */
const PRIORITY = ['next', 'last', 'prev', 'current', 'first'] as const;
const ORDER = ['current', 'next', 'prev', 'first', 'last'] as const;
type Rel = (typeof ORDER)[number];

/** What a bookmark holds of the last item of a page. */
export type BookmarkKey = readonly (string | number)[];

export type Bookmark<T> = {
  keyOf: (item: T) => BookmarkKey;
  compare: (a: BookmarkKey, b: BookmarkKey) => number;
  /** Whether a plain page number is served as a numbered page instead of being refused. */
  numbersToo?: boolean;
};

export type PagingOptions<T> = {
  /** Whether the total is known; where Canvas does not count, `last` is there on the final page only. */
  counted?: boolean;
  /** Pages by bookmark instead of by number; the items are in the order of their keys. */
  bookmark?: Bookmark<T> | undefined;
};

/** The clamped page size a request asks for; what is no number counts as 0, and so as 1. */
export function perPageOf(request: FastifyRequest): number {
  const given = text(paramsOf(request), 'per_page');
  if (given === null) return DEFAULT_PER_PAGE;
  return Math.min(Math.max(Number.parseInt(given, 10) || 0, 1), MAX_PER_PAGE);
}

/**
 * The items of the page that the request asks for; sets the Link header on the reply.
 * @throws ApiError 400 for a bookmark that was not written here.
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
  // Where Canvas does not count, it only knows that a page is the last one when it is not full.
  const more = counted ? from + perPage < items.length : shown.length === perPage;
  const lastPage = Math.max(1, Math.ceil(items.length / perPage));
  const pages: Partial<Record<Rel, number>> = { current: page, first: 1 };
  if (more) pages.next = page + 1;
  if (page > 1) pages.prev = page - 1;
  if (counted) pages.last = lastPage;
  else if (!more) pages.last = page;
  setLinks(request, reply, pages, perPage);
  return shown;
}

function pageNumber(request: FastifyRequest): number {
  const given = text(paramsOf(request), 'page');
  if (given === null || given === '') return 1;
  const page = Number.parseInt(given, 10);
  return Number.isFinite(page) && page > 0 ? Math.min(page, Number.MAX_SAFE_INTEGER / 1000) : 1;
}

/** Bookmark pages: `current`, `next` and `first`; what follows the first page cannot be guessed. */
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

/** The position of the first item behind the key. The item itself may have gone: a bookmark is a place in an order. */
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
    // Not JSON: the same refusal as for any other foreign bookmark.
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
    const link = `<${address}page=${page}&per_page=${perPage}>; rel="${rel}"`;
    if (bytes + link.length > MAX_LINK_BYTES) continue;
    bytes += link.length + 1;
    links.set(rel, link);
  }
  void reply.header('link', ORDER.flatMap((rel) => links.get(rel) ?? []).join(','));
}

/** The request's address with its own query, ready for `page=…`. A `.json` suffix does not come back. */
function linkAddress(request: FastifyRequest): string {
  const url = request.url;
  const cut = url.indexOf('?');
  const query = cut < 0 ? '' : toQuery(request.query as Params, null);
  return `${baseUrl(request)}${cut < 0 ? url : url.slice(0, cut)}?${query === '' ? '' : `${query}&`}`;
}

/** Rails' `to_query`: the names of each object in alphabetical order, lists as they came. */
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

/** Form encoding as Ruby's `CGI.escape` writes it: a space is `+`; `-._~` stay beside letters and digits. */
function formEncode(value: string): string {
  return encodeURIComponent(value)
    .replaceAll('%20', '+')
    .replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}
