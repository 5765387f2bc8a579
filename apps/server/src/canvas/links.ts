/** The Link header of Canvas (reference §4). Only a link's path and query are used: calls stay on the LMS's host. */

export interface PageLinks {
  /** Path and query of the next page, or null. */
  next: string | null;
  /** Number of the last page; null if it is missing or not a number. */
  last: number | null;
}

/** Reads `next` and `last` of a Link header. */
export function readLinks(header: string | undefined): PageLinks {
  const links = new Map<string, string>();
  for (const [, address, rel] of (header ?? '').matchAll(/<([^>]*)>\s*;[^,<]*?rel="?([a-z]+)"?/gi)) {
    if (address !== undefined && rel !== undefined && !links.has(rel)) links.set(rel, address);
  }
  const next = links.get('next');
  const last = links.get('last');
  return {
    next: next === undefined ? null : localPart(next),
    last: last === undefined ? null : pageNumber(last),
  };
}

function localPart(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/** Returns the number in the `page` parameter of an address or path; null for a bookmark or if there is none. */
export function pageNumber(address: string): number | null {
  const page = new URLSearchParams(address.split('?')[1] ?? '').get('page') ?? '';
  return /^[1-9]\d{0,8}$/.test(page) ? Number(page) : null;
}

/** Returns the address with another page. */
export function withPage(address: string, page: number): string {
  const [path, search] = address.split('?');
  const query = new URLSearchParams(search ?? '');
  query.set('page', String(page));
  return `${path}?${query}`;
}

/** Returns the address without its page. */
export function withoutPage(address: string): string {
  const [path, search] = address.split('?');
  const query = new URLSearchParams(search ?? '');
  query.delete('page');
  return `${path}?${query}`;
}
