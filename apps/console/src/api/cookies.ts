/** The readable cookies of the console, as text. */

/** The decoded value of a cookie, or null when it is not there or not decodable. */
export function readCookie(name: string, all: string = document.cookie): string | null {
  const prefix = `${name}=`;
  for (const part of all.split(';')) {
    const pair = part.trim();
    if (!pair.startsWith(prefix)) continue;
    try {
      return decodeURIComponent(pair.slice(prefix.length));
    } catch {
      return null;
    }
  }
  return null;
}

/** On https every cookie travels on https only, like those of the server. */
function attributes(): string {
  return `path=/; SameSite=Lax${window.location.protocol === 'https:' ? '; Secure' : ''}`;
}

/** Writes a session cookie of the browser (gone when the browser closes). */
export function writeCookie(name: string, value: string): void {
  document.cookie = `${name}=${encodeURIComponent(value)}; ${attributes()}`;
}

/** Removes a cookie that script may see; an HttpOnly one stays until the server takes it back. */
export function removeCookie(name: string): void {
  document.cookie = `${name}=; max-age=0; ${attributes()}`;
}
