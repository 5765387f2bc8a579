/** LMS tokens of admins: stored encrypted, apart from the sessions, and never sent to a browser (OP-04). */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SESSION_MS } from '@lms-admin/domain/constants';
import { and, desc, eq, isNotNull, isNull, lt } from 'drizzle-orm';
import type { Logger } from 'pino';
import { z } from 'zod';
import {
  type CanvasClient,
  CanvasError,
  type CanvasToken,
  serviceToken as tokenOfService,
} from '../canvas/types.ts';
import type { Db } from '../platform/database.ts';
import { isFromBackup, isHeld } from '../platform/installation.ts';
import { grants } from '../platform/schema.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { OAuth, TokenSet } from './oauth.ts';

export interface GrantParts {
  db: Db;
  canvas: CanvasClient;
  oauth: OAuth;
  secrets: Secrets;
  serviceToken: string | null;
  log: Logger;
  /** Returns whether unfinished work still needs a grant. */
  isNeeded: (grantId: string) => Promise<boolean>;
}

/** Milliseconds after which a released grant is deleted even if the LMS has not revoked it. */
const GIVE_UP_MS = 24 * 3_600_000;
/** Maximum number of a person's sign-ins whose tokens are tried. */
const MOST_TOKENS = 5;
/** Milliseconds for which a sign-out waits for the LMS to revoke the token. */
const TIMEOUT_MS = 1_500;

/** User-facing reason why LMS Admin can no longer act for someone. */
const GRANT_GONE = 'the permission from your sign-in has ended';
const KEY_CHANGED =
  'LMS Admin’s key (LMS_ADMIN_KEY) has changed since you signed in, so LMS Admin can no longer use that sign-in';
/** Placeholder for a service token that work was started with and that has since been removed. */
const NO_TOKEN: CanvasToken = {
  bucket: 'no token',
  owner: 'admin',
  value: () =>
    Promise.reject(
      new CanvasError('signed-out', {
        sent: 'no',
        detail: 'LMS Admin no longer has the service token with which this was started',
      }),
    ),
};

type Grant = typeof grants.$inferSelect;

interface Tokens {
  access: string;
  refresh: string | null;
}

export class Grants {
  readonly #parts: GrantParts;
  readonly #db: Db;
  /** Decrypted tokens of grants in use. The database takes precedence: another process may have renewed them. */
  readonly #known = new Map<string, Tokens>();
  /** Grants whose tokens cannot be decrypted with this key. */
  readonly #sealed = new Set<string>();
  readonly #renewals = new Map<string, Promise<string | null>>();
  readonly #service: CanvasToken | null;

  constructor(parts: GrantParts) {
    this.#parts = parts;
    this.#db = parts.db;
    this.#service = parts.serviceToken === null ? null : tokenOfService(parts.serviceToken);
  }

  get hasServiceToken(): boolean {
    return this.#service !== null;
  }

  /**
   * Returns the token for calls on the root account: the service token if set, otherwise the grant's.
   * @param grantId null is allowed if there is a service token
   */
  rootToken(grantId: string | null): CanvasToken {
    if (this.#service) return this.#service;
    return grantId === null ? NO_TOKEN : this.ownToken(grantId);
  }

  /** Returns the admin's own token. Its `value()` throws CanvasError `signed-out` if the grant is gone. */
  ownToken(grantId: string): CanvasToken {
    return {
      bucket: `grant ${grantId}`,
      owner: 'admin',
      value: () => this.#accessToken(grantId),
      latest: () => this.#known.get(grantId)?.access,
      refresh: (refused) => this.#renewOnce(grantId, refused),
    };
  }

  /** Returns tokens of all active sign-ins of a person, newest first: one may work where another is refused. */
  async tokensOf(login: string): Promise<CanvasToken[]> {
    const rows = await this.#db
      .select({ id: grants.id })
      .from(grants)
      .where(and(eq(grants.login, login), isNull(grants.releasedAt)))
      .orderBy(desc(grants.createdAt))
      .limit(MOST_TOKENS);
    return rows.map(({ id }) => this.ownToken(id));
  }

  /** Stores the tokens of a sign-in. @returns the grant's id */
  async create(login: string, canvasUserId: number, tokens: TokenSet): Promise<string> {
    const id = randomUUID();
    const { accessToken: access, refreshToken: refresh, expiresAt } = tokens;
    await this.#db
      .insert(grants)
      .values({ id, login, canvasUserId, ...this.#seal(id, { access, refresh }), expiresAt });
    return id;
  }

  /**
   * Marks a grant as released by its session, and ends it if no job needs it. Waits only briefly for the LMS; `sweep`
   * retries after a failure.
   */
  async release(grantId: string): Promise<void> {
    await this.#db.update(grants).set({ releasedAt: new Date() }).where(eq(grants.id, grantId));
    const ended = this.releaseWhenIdle(grantId).catch((error: unknown) => {
      this.#parts.log.warn({ err: error, grant: grantId }, 'a grant could not be ended yet');
    });
    const timer = new AbortController();
    await Promise.race([ended, sleep(TIMEOUT_MS, undefined, { signal: timer.signal }).catch(() => {})]);
    timer.abort();
  }

  /**
   * Ends a released grant once no job needs it: revokes it in the LMS if possible and deletes it. Called at sign-out
   * and at the end of a job; otherwise it does nothing.
   */
  async releaseWhenIdle(grantId: string): Promise<void> {
    const [row] = await this.#db
      .select({ releasedAt: grants.releasedAt, createdAt: grants.createdAt })
      .from(grants)
      .where(and(eq(grants.id, grantId), isNotNull(grants.releasedAt)));
    if (!row?.releasedAt) return;
    // When a backup is tried out, the original server may still use the token.
    if ((await isHeld(this.#db)) && (await isFromBackup(this.#db, row.createdAt))) return;
    if (await this.#parts.isNeeded(grantId)) return;
    const old = Date.now() - row.releasedAt.getTime() > GIVE_UP_MS;
    if (!(await this.#revoke(grantId)) && !old) return;
    await this.#db.delete(grants).where(eq(grants.id, grantId));
    this.#known.delete(grantId);
  }

  /** Ends grants that no session can need any longer, and retries failed attempts. */
  async sweep(): Promise<void> {
    // No session lives longer than this. A process that stopped during a sign-in can leave a grant without a session.
    const ended = new Date(Date.now() - SESSION_MS - 60_000);
    await this.#db
      .update(grants)
      .set({ releasedAt: new Date() })
      .where(and(isNull(grants.releasedAt), lt(grants.createdAt, ended)));
    const rows = await this.#db
      .select({ id: grants.id })
      .from(grants)
      .where(isNotNull(grants.releasedAt))
      .limit(100);
    for (const { id } of rows) await this.releaseWhenIdle(id);
  }

  /** Re-encrypts grants that still use the former key. @returns how many */
  async resealAll(): Promise<number> {
    let count = 0;
    for (const row of await this.#db.select().from(grants)) if (await this.#reseal(row)) count++;
    return count;
  }

  /** Counts people whose sign-ins are encrypted with an unknown key, so that LMS Admin cannot act for them. */
  async countUnreadable(): Promise<number> {
    const { secrets } = this.#parts;
    const open = await this.#db
      .select({ sealed: grants.accessTokenEnc })
      .from(grants)
      .where(isNull(grants.releasedAt));
    return open.filter(({ sealed }) => !secrets.isKnown(sealed)).length;
  }

  async #accessToken(id: string): Promise<string> {
    const tokens = this.#known.get(id) ?? (await this.#read(id));
    if (tokens) return tokens.access;
    throw new CanvasError('signed-out', {
      sent: 'no',
      detail: this.#sealed.has(id) ? KEY_CHANGED : GRANT_GONE,
    });
  }

  async #read(id: string): Promise<Tokens | null> {
    const [row] = await this.#db.select().from(grants).where(eq(grants.id, id));
    if (!row) {
      this.#known.delete(id);
      return null;
    }
    try {
      const tokens = this.#open(row);
      this.#known.set(id, tokens);
      return tokens;
    } catch (error) {
      if (!this.#sealed.has(id)) {
        this.#parts.log.error({ err: error, grant: id }, 'a stored token cannot be decrypted');
      }
      this.#sealed.add(id);
      return null;
    }
  }

  /** Renews a token; concurrent callers share one renewal. */
  #renewOnce(id: string, refused: string): Promise<string | null> {
    const running = this.#renewals.get(id);
    if (running) return running;
    const renewal = this.#renew(id, refused).finally(() => this.#renewals.delete(id));
    this.#renewals.set(id, renewal);
    return renewal;
  }

  async #renew(id: string, refused: string): Promise<string | null> {
    const stored = await this.#read(id);
    // Another caller, perhaps in another process, has already renewed the token.
    if (stored && stored.access !== refused) return stored.access;
    if (!stored || stored.refresh === null) return null;
    const fresh = await this.#parts.oauth.renew(stored.refresh);
    if (fresh === null) return null;
    const tokens = { access: fresh.accessToken, refresh: fresh.refreshToken ?? stored.refresh };
    const { accessTokenEnc, refreshTokenEnc } = this.#seal(id, tokens);
    await this.#db
      .update(grants)
      .set({
        accessTokenEnc,
        ...(fresh.refreshToken === null ? {} : { refreshTokenEnc }),
        expiresAt: fresh.expiresAt,
      })
      .where(eq(grants.id, id));
    this.#known.set(id, tokens);
    return tokens.access;
  }

  /** @returns whether the LMS has revoked the token, as far as can be known */
  async #revoke(id: string): Promise<boolean> {
    try {
      await this.#parts.canvas.call({
        token: this.ownToken(id),
        method: 'DELETE',
        path: '/login/oauth2/token',
        answer: z.unknown(),
      });
      return true;
    } catch (error) {
      if (!(error instanceof CanvasError)) throw error;
      this.#parts.log.info({ grant: id, kind: error.kind }, 'the LMS did not confirm the end of a token');
      return error.sent === 'answered' || error.kind === 'signed-out';
    }
  }

  /** @returns whether it was encrypted with the former key; a grant renewed in the meantime is not changed */
  async #reseal(row: Grant): Promise<boolean> {
    const values = [row.accessTokenEnc, ...(row.refreshTokenEnc === null ? [] : [row.refreshTokenEnc])];
    if (values.every((sealed) => this.#parts.secrets.isCurrent(sealed))) return false;
    const tokens = await this.#read(row.id);
    if (!tokens) return false;
    const changed = await this.#db
      .update(grants)
      .set(this.#seal(row.id, tokens))
      .where(and(eq(grants.id, row.id), eq(grants.accessTokenEnc, row.accessTokenEnc)))
      .returning({ id: grants.id });
    return changed.length > 0;
  }

  #seal(id: string, { access, refresh }: Tokens): Pick<Grant, 'accessTokenEnc' | 'refreshTokenEnc'> {
    const { secrets } = this.#parts;
    return {
      accessTokenEnc: secrets.seal(access, purpose(id, 'access')),
      refreshTokenEnc: refresh === null ? null : secrets.seal(refresh, purpose(id, 'refresh')),
    };
  }

  #open({ id, accessTokenEnc, refreshTokenEnc }: Grant): Tokens {
    const { secrets } = this.#parts;
    return {
      access: secrets.open(accessTokenEnc, purpose(id, 'access')),
      refresh: refreshTokenEnc === null ? null : secrets.open(refreshTokenEnc, purpose(id, 'refresh')),
    };
  }
}

function purpose(id: string, kind: 'access' | 'refresh'): string {
  return `grant ${id} ${kind}`;
}
