/** Developer keys, authorization codes and access tokens (reference §2). */

import { createHash, randomBytes } from 'node:crypto';
import { type Kept, KeptMap } from '../../memory/kept.ts';

const CODE_LIFE_MS = 10 * 60 * 1000;
const TOKEN_LIFE_MS = 60 * 60 * 1000;

/** A developer key: an application that can request tokens. */
export type DeveloperKey = {
  id: string;
  name: string;
  secret: string;
  /** Hosts that a redirect can use, including subdomains. */
  redirectHosts: readonly string[];
  /** Null: the key does not enforce scopes. Otherwise, all scopes that can be requested. */
  scopes: readonly string[] | null;
  /** Whether calls may carry `include[]`; only checked where scopes are enforced. */
  allowIncludes: boolean;
  /** Trusted keys skip the consent page. */
  trusted: boolean;
  /** Whether the key is enabled in this account. */
  allowed: boolean;
};

export type AccessToken = {
  token: string;
  refreshToken: string | null;
  userId: number;
  keyId: string | null;
  /** Null: without limits. */
  scopes: readonly string[] | null;
  /** Milliseconds since 1970; null: never. */
  expiresAt: number | null;
  revoked: boolean;
};

/** A person's consent, represented by a code until the code is exchanged. */
export type Grant = {
  keyId: string;
  userId: number;
  scopes: readonly string[] | null;
  /** PKCE (RFC 7636), if the client sent a challenge. */
  challenge: { value: string; method: 'S256' | 'plain' } | null;
  /** The grant only identifies the person: it gives no access token (§2.2). */
  identityOnly: boolean;
};

type PendingCode = Grant & { expiresAt: number };

/** Codes, tokens and consents of the OAuth2 endpoints. */
export class TokenStore {
  /** Tokens that are part of the installation. */
  readonly #permanent = new Map<string, AccessToken>();
  readonly #tokens = new KeptMap<AccessToken>();
  /** The access token that belongs to a refresh token. */
  readonly #byRefresh = new KeptMap<string>();
  readonly #codes = new KeptMap<PendingCode>();
  readonly #keys = new Map<string, DeveloperKey>();
  /** Earlier consents as `<key>:<user>`, for prompt=none. */
  readonly #consents = new KeptMap<true>();
  readonly #now: () => Date;

  constructor(keys: readonly DeveloperKey[], now: () => Date) {
    for (const key of keys) this.#keys.set(key.id, key);
    this.#now = now;
  }

  /** Returns the state to save. */
  kept(): Record<string, Kept> {
    return {
      tokens: this.#tokens,
      refreshTokens: this.#byRefresh,
      codes: this.#codes,
      consents: this.#consents,
    };
  }

  key(id: string | null): DeveloperKey | undefined {
    return id !== null && /^\d+$/.test(id) ? this.#keys.get(id) : undefined;
  }

  /** Adds a token without a key, as an admin can on the profile page; without an end, it does not expire. */
  addPermanent(token: string, userId: number, expires: Date | null = null): void {
    const entry: AccessToken = {
      token,
      refreshToken: null,
      userId,
      keyId: null,
      scopes: null,
      expiresAt: expires?.getTime() ?? null,
      revoked: false,
    };
    this.#permanent.set(token, entry);
  }

  /** Returns the tokens that a person created by hand. */
  ofUser(userId: number): AccessToken[] {
    return [...this.#permanent.values()].filter((one) => one.userId === userId);
  }

  find(token: string): AccessToken | undefined {
    return this.#permanent.get(token) ?? this.#tokens.get(token);
  }

  /** Returns whether a token is valid. As in Canvas, replacing or disabling a key ends its tokens. */
  isLive({ revoked, keyId, expiresAt }: AccessToken): boolean {
    if (revoked || (keyId !== null && this.key(keyId)?.allowed !== true)) return false;
    return expiresAt === null || expiresAt > this.#now().getTime();
  }

  /** Issues a code of 128 hex characters, valid once and for ten minutes. */
  issueCode(grant: Grant): string {
    const code = randomBytes(64).toString('hex');
    this.#codes.set(code, { ...grant, expiresAt: this.#now().getTime() + CODE_LIFE_MS });
    this.#consents.set(`${grant.keyId}:${grant.userId}`, true);
    return code;
  }

  hasConsent(keyId: string, userId: number): boolean {
    return this.#consents.has(`${keyId}:${userId}`);
  }

  /**
   * Finds the grant behind a code, or returns undefined if the code is unknown, used or older than ten
   * minutes.
   */
  peekCode(code: string): Grant | undefined {
    const pending = this.#codes.get(code);
    if (!pending) return undefined;
    if (pending.expiresAt > this.#now().getTime()) return pending;
    this.#codes.delete(code);
    return undefined;
  }

  spendCode(code: string): void {
    this.#codes.delete(code);
  }

  /** Issues a new access token for one hour, with its refresh token. */
  issueToken(grant: Grant): AccessToken {
    const refreshToken = newSecret();
    const entry: AccessToken = {
      token: newSecret(),
      refreshToken,
      userId: grant.userId,
      keyId: grant.keyId,
      scopes: grant.scopes,
      expiresAt: this.#now().getTime() + TOKEN_LIFE_MS,
      revoked: false,
    };
    this.#tokens.set(entry.token, entry);
    this.#byRefresh.set(refreshToken, entry.token);
    return entry;
  }

  findRefresh(refreshToken: string): AccessToken | undefined {
    const entry = this.#tokens.get(this.#byRefresh.get(refreshToken) ?? '');
    return entry && !entry.revoked ? entry : undefined;
  }

  /** Renews the hour with a new access token; the old one becomes unknown, the refresh token stays. */
  renew(entry: AccessToken): AccessToken {
    this.#tokens.delete(entry.token);
    entry.token = newSecret();
    entry.expiresAt = this.#now().getTime() + TOKEN_LIFE_MS;
    this.#tokens.set(entry.token, entry);
    if (entry.refreshToken !== null) this.#byRefresh.set(entry.refreshToken, entry.token);
    return entry;
  }

  revoke(entry: AccessToken): void {
    entry.revoked = true;
    if (entry.keyId !== null) this.#tokens.set(entry.token, entry);
  }

  /** Deletes every code, token and consent; the keys stay. */
  clear(): void {
    this.#permanent.clear();
    this.#tokens.clear();
    this.#byRefresh.clear();
    this.#codes.clear();
    this.#consents.clear();
  }

  /** Ends this person's other tokens of the key (`replace_tokens=1`). */
  revokeOthers(kept: AccessToken): void {
    for (const entry of this.#tokens.values()) {
      if (entry !== kept && entry.keyId === kept.keyId && entry.userId === kept.userId) this.revoke(entry);
    }
  }
}

/** Returns whether a PKCE verifier matches the challenge of the authorization request. */
export function verifierFits(challenge: NonNullable<Grant['challenge']>, verifier: string): boolean {
  if (challenge.method === 'plain') return verifier === challenge.value;
  return createHash('sha256').update(verifier).digest('base64url') === challenge.value;
}

function newSecret(): string {
  return `1~${randomBytes(48).toString('base64url').replace(/[-_]/g, 'x').slice(0, 64)}`;
}
