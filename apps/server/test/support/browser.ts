/** A browser for sign-in and calls: keeps cookies, follows redirects, fills in the LMS's forms. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { COOKIES, type Profile, profile as profileSchema } from '@lms-admin/contract/session';

export class Browser {
  /** The console's address. */
  readonly home: string;
  readonly cookies = new Map<string, string>();

  constructor(home: string) {
    this.home = home;
  }

  /**
   * Sends a request with the stored cookies, without following redirects. Writes have the headers that a
   * browser adds.
   */
  async fetch(address: string, init: RequestInit & { origin?: string | null } = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    if (cookie !== '') headers.set('cookie', cookie);
    if (init.method !== undefined && init.method !== 'GET' && init.origin !== null) {
      headers.set('origin', init.origin ?? this.home);
    }
    const response = await fetch(new URL(address, this.home), { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return response;
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';');
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    const ended = attributes.some((one) => /^\s*(max-age=0|expires=thu, 01 jan 1970)/i.test(one));
    if (ended) this.cookies.delete(name);
    else this.cookies.set(name, pair.slice(at + 1));
  }

  /** Sends JSON to the API with `POST`. */
  post(
    path: string,
    body: unknown,
    init: { origin?: string | null; headers?: HeadersInit; signal?: AbortSignal } = {},
  ) {
    const headers = new Headers(init.headers);
    if (!headers.has('content-type')) headers.set('content-type', 'application/json');
    return this.fetch(path, { ...init, method: 'POST', headers, body: JSON.stringify(body) });
  }

  /** Sends a call through the LMS wrapper. */
  invoke(
    url: string,
    type = 'GET',
    payload?: unknown,
    init: { origin?: string | null } = {},
  ): Promise<Response> {
    return this.post(ENDPOINTS.invoke, { url, type, header: {}, payload }, init);
  }

  /**
   * Signs in on the LMS's pages and returns. @returns code and state from the address to which the LMS
   * redirected the browser
   */
  async authorize(login: string, returnTo?: string): Promise<{ code: string; state: string; landed: URL }> {
    const query = returnTo === undefined ? '' : `?return=${encodeURIComponent(returnTo)}`;
    let at = new URL(`${ENDPOINTS.login}${query}`, this.home);
    let response = await this.fetch(at.href);
    for (let step = 0; step < 10; step++) {
      const location = response.headers.get('location');
      if (location !== null) {
        at = new URL(location, at);
        if (at.origin === this.home) {
          return {
            code: at.searchParams.get('code') ?? '',
            state: at.searchParams.get('state') ?? '',
            landed: at,
          };
        }
        response = await this.fetch(at.href);
        continue;
      }
      const request = at.searchParams.get('request') ?? '';
      const confirming = at.pathname.endsWith('/confirm');
      at = new URL(confirming ? '/login/oauth2/accept' : '/login/oauth2/login', at);
      response = await this.fetch(at.href, {
        method: 'POST',
        origin: at.origin,
        body: new URLSearchParams(confirming ? { request, decision: 'accept' } : { request, login }),
      });
    }
    throw new Error(`the LMS did not send ${login} back; last at ${at.href}`);
  }

  /** Exchanges the token as the console does when it is opened with a code. */
  exchange(code: string, state: string): Promise<Response> {
    return this.post(ENDPOINTS.token, { grant_type: 'authorization_code', code, state });
  }

  /** Signs in completely. @throws if the exchange fails */
  async signIn(login: string): Promise<Profile> {
    const { code, state } = await this.authorize(login);
    const response = await this.exchange(code, state);
    if (response.status !== 200)
      throw new Error(`sign-in of ${login}: ${response.status} ${await response.text()}`);
    return this.profile();
  }

  /** Returns the readable profile, as the console reads it. */
  profile(): Profile {
    return profileSchema.parse(JSON.parse(decodeURIComponent(this.cookies.get(COOKIES.profile) ?? 'null')));
  }
}
