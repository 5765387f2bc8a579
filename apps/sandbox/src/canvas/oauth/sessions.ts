/** Browser sessions on the sandbox's own pages, and pending authorization requests. */

import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Kept, KeptMap } from '../../memory/kept.ts';

const COOKIE = 'sandbox_session';
/** Holds the browser's last authorization request. */
const REQUEST_COOKIE = 'sandbox_request';
const MOST_PENDING = 1000;

/** An authorization request between `/login/oauth2/auth` and the redirect back. */
export type PendingAuthorization = {
  id: string;
  keyId: string;
  redirectUri: string;
  state: string | null;
  scopes: readonly string[] | null;
  identityOnly: boolean;
  challenge: { value: string; method: 'S256' | 'plain' } | null;
};

export class Sessions {
  readonly #people = new KeptMap<number>();
  readonly #pending = new KeptMap<PendingAuthorization>();

  /** Returns the state to save. */
  kept(): Record<string, Kept> {
    return { sessions: this.#people, pendingAuthorizations: this.#pending };
  }

  /** Finds the person signed in on this browser. */
  userOf(request: FastifyRequest): number | null {
    const cookie = cookieOf(request, COOKIE);
    return cookie === null ? null : (this.#people.get(cookie) ?? null);
  }

  signIn(reply: FastifyReply, userId: number): void {
    const name = randomBytes(24).toString('base64url');
    this.#people.set(name, userId);
    void reply.header('set-cookie', `${COOKIE}=${name}; Path=/; HttpOnly; SameSite=Lax`);
  }

  signOut(request: FastifyRequest): void {
    const cookie = cookieOf(request, COOKIE);
    if (cookie !== null) this.#people.delete(cookie);
  }

  /** Ends every browser session of a person (`expire_sessions=1`). */
  endAll(userId: number): void {
    for (const [name, id] of this.#people) if (id === userId) this.#people.delete(name);
  }

  clear(): void {
    this.#people.clear();
    this.#pending.clear();
  }

  remember(authorization: Omit<PendingAuthorization, 'id'>): PendingAuthorization {
    const pending = { ...authorization, id: randomBytes(18).toString('base64url') };
    this.#pending.set(pending.id, pending);
    if (this.#pending.size > MOST_PENDING) {
      const oldest = this.#pending.keys().next().value;
      if (oldest !== undefined) this.#pending.delete(oldest);
    }
    return pending;
  }

  /** Stores the request in a cookie, for pages whose address does not name it. */
  noteRequest(reply: FastifyReply, { id }: PendingAuthorization): void {
    void reply.header('set-cookie', `${REQUEST_COOKIE}=${id}; Path=/login/oauth2; HttpOnly; SameSite=Lax`);
  }

  lastRequest(request: FastifyRequest): string | null {
    return cookieOf(request, REQUEST_COOKIE);
  }

  pending(id: string | null): PendingAuthorization | undefined {
    return id === null ? undefined : this.#pending.get(id);
  }

  forget(id: string): void {
    this.#pending.delete(id);
  }
}

/** Returns the address that signs a person in and returns to the same page. */
export function signInPath(request: FastifyRequest): string {
  return `/login/oauth2/login?${new URLSearchParams({ to: request.url })}`;
}

function cookieOf(request: FastifyRequest, wanted: string): string | null {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [name, value] = part.trim().split('=');
    if (name === wanted && value) return value;
  }
  return null;
}
