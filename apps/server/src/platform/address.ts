/** Normalised addresses, however they are written: `/%61pi/jobs` is `/api/jobs`. */

/** Replaces unreadable addresses, so that they are answered like any other missing address. */
export const UNREADABLE = '/unreadable';

/** Returns the decoded path of a request in lower case; {@link UNREADABLE} if it cannot be decoded. */
export function meantPath(url: string): string {
  try {
    return decodeURIComponent(new URL(url, 'http://localhost').pathname).toLowerCase();
  } catch {
    return UNREADABLE;
  }
}

/** Returns whether an address belongs to the server's API, whether or not it exists. */
export function isBackEnd(url: string): boolean {
  return /^\/(?:best-teaching-reports\/)?api(\/|$)/.test(meantPath(url));
}

/** Returns the address for the router, which would answer an unreadable one without the standard headers. */
export function readableUrl(url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return UNREADABLE;
  }
}
