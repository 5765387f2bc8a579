/** Access tokens of the apps (Zoom reference §2). */

import { randomBytes } from 'node:crypto';
import type { ZoomStore, ZoomToken } from '../store/store.ts';
import { DAY, SECOND } from '../store/time.ts';
import type { ZoomClient } from './clients.ts';

export const TOKEN_LIFE_SECONDS = 3599;

export class Tokens {
  readonly #store: ZoomStore;
  readonly #now: () => number;

  constructor(store: ZoomStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Issues a new token; earlier ones stay valid. */
  give({ id, scopes }: ZoomClient): string {
    const now = this.#now();
    for (const [old, { expiresAt }] of this.#store.tokens)
      if (expiresAt + DAY < now) this.#store.tokens.delete(old);
    const token = randomBytes(48).toString('base64url');
    const expiresAt = now + TOKEN_LIFE_SECONDS * SECOND;
    this.#store.tokens.set(token, { client: id, scopes: [...scopes], expiresAt, revoked: false });
    return token;
  }

  /** Finds a token, or returns undefined if the token is unknown or was revoked. */
  find(token: string): ZoomToken | undefined {
    const found = this.#store.tokens.get(token);
    return found?.revoked ? undefined : found;
  }

  hasExpired({ expiresAt }: ZoomToken): boolean {
    return this.#now() >= expiresAt;
  }

  revoke(token: string): void {
    const found = this.#store.tokens.get(token);
    if (found) this.#store.tokens.set(token, { ...found, revoked: true });
  }
}
