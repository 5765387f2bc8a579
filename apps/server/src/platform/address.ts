/** Addresses as they are meant, however they are written: `/%61pi/jobs` is `/api/jobs`. */

/** Stands for addresses that cannot be read, so that they are answered like any other that does not exist. */
export const UNREADABLE = '/unreadable';

/** The path that a request's address means, in lower case; {@link UNREADABLE} for what is none. */
export function meantPath(url: string): string {
  try {
    return decodeURIComponent(new URL(url, 'http://localhost').pathname).toLowerCase();
  } catch {
    return UNREADABLE;
  }
}

/** Whether the address is one of the back end, whether or not there is something. */
export function isBackEnd(url: string): boolean {
  return /^\/(?:best-teaching-reports\/)?api(\/|$)/.test(meantPath(url));
}

/** The address for the router, which itself would answer an unreadable one without the headers of all answers. */
export function readableUrl(url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return UNREADABLE;
  }
}
