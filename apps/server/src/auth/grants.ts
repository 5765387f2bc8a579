/** LMS tokens of admins: encrypted at rest, apart from the sessions, never sent to a browser (OP-04). */
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
  /** Whether work that has not ended still needs a grant. */
  isNeeded: (grantId: string) => Promise<boolean>;
}

/** A released grant that the LMS does not let us revoke is forgotten after this time. */
const GIVE_UP_MS = 24 * 3_600_000;
/** Most sign-ins of one person whose tokens are tried. */
const MOST_TOKENS = 5;
/** How long a sign-out waits for the LMS to revoke the token. */
const PATIENCE_MS = 1_500;

/** Why LMS Admin can no longer act for someone, as people are told. */
const GRANT_GONE = 'the permission that your sign-in gave has ended';
const KEY_CHANGED =
  'LMS Admin was given another key (LMS_ADMIN_KEY) since, and can no longer read the permission that your sign-in gave';
/** Work was begun with a service token, and there is none any more. */
const NO_TOKEN: CanvasToken = {
  bucket: 'no token',
  owner: 'admin',
  value: () =>
    Promise.reject(
      new CanvasError('signed-out', {
        sent: 'no',
        detail: 'LMS Admin no longer has the service token that this was begun with',
      }),
    ),
};

type Grant = typeof grants.$inferSelect;

interface Tokens {
  access: string;
  refresh: string | null;
}

/** The store of grants. */
export class Grants {
  readonly #parts: GrantParts;
  readonly #db: Db;
  /** Decrypted tokens of grants in use; the database is the truth, other processes may renew there. */
  readonly #known = new Map<string, Tokens>();
  /** Grants whose tokens this key does not open. */
  readonly #sealed = new Set<string>();
  readonly #renewals = new Map<string, Promise<string | null>>();
  readonly #service: CanvasToken | null;

  constructor(parts: GrantParts) {
    this.#parts = parts;
    this.#db = parts.db;
    this.#service = parts.serviceToken === null ? null : tokenOfService(parts.serviceToken);
  }

  /** Whether a service token is set. */
  get hasServiceToken(): boolean {
    return this.#service !== null;
  }

  /**
   * Token for calls on the root account: the service token where there is one, else the grant's.
   * @param grantId null is allowed where there is a service token
   */
  rootToken(grantId: string | null): CanvasToken {
    if (this.#service) return this.#service;
    return grantId === null ? NO_TOKEN : this.ownToken(grantId);
  }

  /** The admin's own token. `value()` throws CanvasError `signed-out` when the grant is gone. */
  ownToken(grantId: string): CanvasToken {
    return {
      bucket: `grant ${grantId}`,
      owner: 'admin',
      value: () => this.#accessToken(grantId),
      latest: () => this.#known.get(grantId)?.access,
      refresh: (refused) => this.#renewOnce(grantId, refused),
    };
  }

  /** Tokens of all sign-ins of this person that have not ended, the newest first: one may work where another is refused. */
  async tokensOf(login: string): Promise<CanvasToken[]> {
    const rows = await this.#db
      .select({ id: grants.id })
      .from(grants)
      .where(and(eq(grants.login, login), isNull(grants.releasedAt)))
      .orderBy(desc(grants.createdAt))
      .limit(MOST_TOKENS);
    return rows.map(({ id }) => this.ownToken(id));
  }

  /** Keeps the tokens of a sign-in. @returns the grant's id */
  async create(login: string, canvasUserId: number, tokens: TokenSet): Promise<string> {
    const id = randomUUID();
    const { accessToken: access, refreshToken: refresh, expiresAt } = tokens;
    await this.#db
      .insert(grants)
      .values({ id, login, canvasUserId, ...this.#seal(id, { access, refresh }), expiresAt });
    return id;
  }

  /**
   * Marks a grant as not needed by a session any more, and ends it when nothing else needs it. Waits a moment for the
   * LMS, not longer; what fails is tried again by `sweep`.
   */
  async release(grantId: string): Promise<void> {
    await this.#db.update(grants).set({ releasedAt: new Date() }).where(eq(grants.id, grantId));
    const ended = this.releaseWhenIdle(grantId).catch((error: unknown) => {
      this.#parts.log.warn({ err: error, grant: grantId }, 'a grant could not be ended yet');
    });
    const patience = new AbortController();
    await Promise.race([ended, sleep(PATIENCE_MS, undefined, { signal: patience.signal }).catch(() => {})]);
    patience.abort();
  }

  /**
   * Ends a grant that has been released by its session, once no job needs it any more: revokes it in the LMS as best
   * it can, and forgets it. Called at sign-out and at the end of a job. Does nothing else otherwise.
   */
  async releaseWhenIdle(grantId: string): Promise<void> {
    const [row] = await this.#db
      .select({ releasedAt: grants.releasedAt, createdAt: grants.createdAt })
      .from(grants)
      .where(and(eq(grants.id, grantId), isNotNull(grants.releasedAt)));
    if (!row?.releasedAt) return;
    // Where a backup is tried out, the server that it is of may still use the token.
    if ((await isHeld(this.#db)) && (await isFromBackup(this.#db, row.createdAt))) return;
    if (await this.#parts.isNeeded(grantId)) return;
    const old = Date.now() - row.releasedAt.getTime() > GIVE_UP_MS;
    if (!(await this.#revoke(grantId)) && !old) return;
    await this.#db.delete(grants).where(eq(grants.id, grantId));
    this.#known.delete(grantId);
  }

  /** Ends grants that no session can need any more, and tries again where the end failed. */
  async sweep(): Promise<void> {
    // No session lives longer; a process that died between the two writes of a sign-in left a grant without one.
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

  /** Seals with the current key what was sealed with the former one. @returns how many grants */
  async resealAll(): Promise<number> {
    let count = 0;
    for (const row of await this.#db.select().from(grants)) if (await this.#reseal(row)) count++;
    return count;
  }

  /** How many people’s sign-ins were sealed with a key that is not known: LMS Admin cannot act for them. */
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

  /** Those who ask while it is being renewed share the renewal. */
  #renewOnce(id: string, refused: string): Promise<string | null> {
    const running = this.#renewals.get(id);
    if (running) return running;
    const renewal = this.#renew(id, refused).finally(() => this.#renewals.delete(id));
    this.#renewals.set(id, renewal);
    return renewal;
  }

  async #renew(id: string, refused: string): Promise<string | null> {
    const stored = await this.#read(id);
    // Renewed meanwhile, perhaps by another process.
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

  /** @returns whether the LMS has forgotten the token, as far as it can be known */
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

  /** @returns whether it was sealed with the former key; one that was renewed meanwhile is left alone */
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
