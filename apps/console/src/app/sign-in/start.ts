/**
 * How a page begins: with the session, with the exchange of a sign-in code, or on the welcome screen (AUTH-04,
 * AUTH-07). Pure.
 */

export type Start =
  | { kind: 'signed-in' }
  | { kind: 'welcome' }
  /** The administrator came back from the sign-in page without a code. */
  | { kind: 'refused' }
  | { kind: 'exchange'; code: string; state: string | null };

/** Query names that sign-in adds to the address. */
const SIGN_IN_NAMES = ['code', 'state', 'error', 'error_description', 'error_uri', 'iss'];

/** Decides from the query of the address and the session; a valid session has priority over a code (OP-06). */
export function decideStart(search: string, hasSession: boolean): Start {
  if (hasSession) return { kind: 'signed-in' };
  const query = new URLSearchParams(search);
  const code = query.get('code');
  if (code) return { kind: 'exchange', code, state: query.get('state') };
  return query.has('error') && query.has('state') ? { kind: 'refused' } : { kind: 'welcome' };
}

/** Returns the query without the sign-in values, with its question mark; empty when nothing remains. */
export function withoutSignIn(search: string): string {
  const query = new URLSearchParams(search);
  if (!query.has('code') && !query.has('error')) return search;
  for (const name of SIGN_IN_NAMES) query.delete(name);
  const rest = query.toString();
  return rest ? `?${rest}` : '';
}

/** Returns a path of the console, or home: never an address of another site (OP-07). */
export function ownPath(path: string, origin: string): string {
  if (!path.startsWith('/')) return '/';
  try {
    const url = new URL(path, origin);
    const own = `${url.pathname}${url.search}${url.hash}`;
    // `/x/..//host` resolves to `//host`, which a browser treats as another site.
    return url.origin === origin && !own.startsWith('//') ? own : '/';
  } catch {
    return '/';
  }
}
