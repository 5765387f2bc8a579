/** Reads and writes the cookies of the console that scripts can access. */

/** Returns the decoded value of a cookie, or null when it is missing or cannot be decoded. */
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

/** Returns the attributes of a cookie: on https, every cookie is sent over https only, like those of the server. */
function attributes(): string {
  return `path=/; SameSite=Lax${window.location.protocol === 'https:' ? '; Secure' : ''}`;
}

/** Writes a session cookie, which the browser deletes when it closes. */
export function writeCookie(name: string, value: string): void {
  document.cookie = `${name}=${encodeURIComponent(value)}; ${attributes()}`;
}

/** Removes a cookie that scripts can access; only the server can remove an HttpOnly one. */
export function removeCookie(name: string): void {
  document.cookie = `${name}=; max-age=0; ${attributes()}`;
}
