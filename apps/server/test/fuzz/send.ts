/** Sends the generated requests, and checks the answers. */
import { request as ask } from 'node:http';
import type { Browser } from '../support/browser.ts';
import type { FuzzRequest } from './arbitraries.ts';

export interface Answered {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

/** Milliseconds without a byte after which a request counts as forgotten. */
const TIMEOUT_MS = 90_000;

/** @returns null if the connection ended without an answer, as it does for invalid HTTP */
export function send(
  browser: Browser,
  { method, path, headers, body, signedIn }: FuzzRequest,
): Promise<Answered | null> {
  const url = new URL(browser.home);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const all: Record<string, string> = { origin: browser.home };
  for (const [name, value] of headers) all[name] = value;
  if (signedIn) all.cookie = all.cookie === undefined ? cookie : `${all.cookie}; ${cookie}`;
  if (body) all['content-length'] = String(body.length);
  return new Promise((resolve) => {
    const asked = ask({ host: url.hostname, port: url.port, method, path, headers: all }, (response) => {
      let text = '';
      response.setEncoding('latin1');
      response.on('data', (piece: string) => {
        if (text.length < 10_000) text += piece;
      });
      response.on('close', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    });
    asked.on('error', () => resolve(null));
    asked.setTimeout(TIMEOUT_MS, () => {
      resolve({ status: 599, headers: {}, body: 'no answer' });
      asked.destroy();
    });
    asked.end(body ?? undefined);
  });
}

/** Returns the fault in an answer, or null. Outside systems can fail (502, 503); the server cannot. */
export function wrongWith({ status, headers, body }: Answered): string | null {
  if (status >= 500 && status !== 502 && status !== 503) return `status ${status}: ${body.slice(0, 300)}`;
  // Node's own answer to invalid HTTP.
  if (status < 400 && headers['x-request-id'] === undefined) return 'no request id';
  if (headers['x-request-id'] !== undefined && headers['content-security-policy'] === undefined)
    return 'no headers';
  if (/\n\s+at \w|node_modules|sandbox-(admin-token|client-secret)/.test(body))
    return `internals: ${body.slice(0, 300)}`;
  return null;
}
