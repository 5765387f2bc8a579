/** API tokens of users, and access tokens of apps (Qualtrics reference §1). */

import { randomBytes } from 'node:crypto';
import type { AccessToken } from '../store/model.ts';
import type { QualtricsStore } from '../store/store.ts';
import { DAY, SECOND } from '../store/time.ts';
import type { QualtricsClient } from './clients.ts';

export const TOKEN_LIFE_SECONDS = 3599;

export class Credentials {
  readonly #users: Readonly<Record<string, string>>;
  readonly #store: QualtricsStore;
  readonly #now: () => number;
  /** API tokens that stay revoked until a reset. */
  readonly #revoked = new Set<string>();

  constructor(users: Readonly<Record<string, string>>, store: QualtricsStore, now: () => number) {
    this.#users = users;
    this.#store = store;
    this.#now = now;
  }

  /** Finds the user of an API token, or returns undefined if there is none. */
  userOf(token: string): string | undefined {
    return Object.hasOwn(this.#users, token) && !this.#revoked.has(token) ? this.#users[token] : undefined;
  }

  /** Issues a new access token; earlier ones stay valid. */
  give({ id, userId }: QualtricsClient, scopes: readonly string[]): string {
    const now = this.#now();
    for (const [old, { expiresAt }] of this.#store.tokens)
      if (expiresAt + DAY < now) this.#store.tokens.delete(old);
    const token = randomBytes(24).toString('hex');
    const expiresAt = now + TOKEN_LIFE_SECONDS * SECOND;
    this.#store.tokens.set(token, { client: id, userId, scopes: [...scopes], expiresAt, revoked: false });
    return token;
  }

  /** Finds a token, or returns undefined if the token is unknown, has expired or was revoked. */
  find(token: string): AccessToken | undefined {
    const found = this.#store.tokens.get(token);
    return found && !found.revoked && this.#now() < found.expiresAt ? found : undefined;
  }

  revoke(credential: string): void {
    const found = this.#store.tokens.get(credential);
    if (found) this.#store.tokens.set(credential, { ...found, revoked: true });
    else this.#revoked.add(credential);
  }

  /** Makes revoked API tokens valid again. */
  restore(): void {
    this.#revoked.clear();
  }
}
