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
import { grants } from '../platform/schema.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { OAuth, TokenSet } from './oauth.ts';

export interface Grants {
  /**
   * Token for calls on the root account: the service token where there is one, else the grant's.
   * @param grantId null is allowed where there is a service token
   */
  rootToken(grantId: string | null): CanvasToken;
  /** The admin's own token. `value()` throws CanvasError `signed-out` when the grant is gone. */
  ownToken(grantId: string): CanvasToken;
  /** Tokens of all sign-ins of this person that have not ended, the newest first: one may work where another is refused. */
  tokensOf(login: string): Promise<CanvasToken[]>;
  /** Whether a service token is set. */
  readonly hasServiceToken: boolean;
  /** Keeps the tokens of a sign-in. @returns the grant's id */
  create(login: string, canvasUserId: number, tokens: TokenSet): Promise<string>;
  /**
   * Marks a grant as not needed by a session any more, and ends it when nothing else needs it. Waits a moment for the
   * LMS, not longer; what fails is tried again by `sweep`.
   */
  release(grantId: string): Promise<void>;
  /**
   * Ends a grant that has been released by its session, once no job needs it any more: revokes it in the LMS as best
   * it can, and forgets it. Called at sign-out and at the end of a job. Does nothing else otherwise.
   */
  releaseWhenIdle(grantId: string): Promise<void>;
  /** Ends grants that no session can need any more, and tries again where the end failed. */
  sweep(): Promise<void>;
  /** Seals with the key of now what was sealed with the one of before. @returns how many grants */
  resealAll(): Promise<number>;
}

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

/** Why LMS Admin can no longer act for somebody, as people are told. */
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

interface Tokens {
  access: string;
  refresh: string | null;
}

/** The store of grants. */
export function createGrants(parts: GrantParts): Grants {
  const { db, canvas, oauth, secrets, serviceToken, log } = parts;
  /** Decrypted tokens of grants in use; the database is the truth, other processes may renew there. */
  const known = new Map<string, Tokens>();
  /** Grants whose tokens this key does not open. */
  const sealed = new Set<string>();
  const renewals = new Map<string, Promise<string | null>>();
  const service = serviceToken === null ? null : tokenOfService(serviceToken);

  async function read(id: string): Promise<Tokens | null> {
    const [row] = await db.select().from(grants).where(eq(grants.id, id));
    if (!row) {
      known.delete(id);
      return null;
    }
    try {
      const tokens = {
        access: secrets.open(row.accessTokenEnc, purpose(id, 'access')),
        refresh:
          row.refreshTokenEnc === null ? null : secrets.open(row.refreshTokenEnc, purpose(id, 'refresh')),
      };
      known.set(id, tokens);
      return tokens;
    } catch (error) {
      if (!sealed.has(id)) log.error({ err: error, grant: id }, 'a stored token cannot be decrypted');
      sealed.add(id);
      return null;
    }
  }

  async function renew(id: string, refused: string): Promise<string | null> {
    const stored = await read(id);
    // Renewed meanwhile, perhaps by another process.
    if (stored && stored.access !== refused) return stored.access;
    if (!stored || stored.refresh === null) return null;
    const fresh = await oauth.renew(stored.refresh);
    if (fresh === null) return null;
    await db
      .update(grants)
      .set({
        accessTokenEnc: secrets.seal(fresh.accessToken, purpose(id, 'access')),
        expiresAt: fresh.expiresAt,
        ...(fresh.refreshToken === null
          ? {}
          : { refreshTokenEnc: secrets.seal(fresh.refreshToken, purpose(id, 'refresh')) }),
      })
      .where(eq(grants.id, id));
    known.set(id, { access: fresh.accessToken, refresh: fresh.refreshToken ?? stored.refresh });
    return fresh.accessToken;
  }

  function ownToken(id: string): CanvasToken {
    return {
      bucket: `grant ${id}`,
      owner: 'admin',
      async value() {
        const tokens = known.get(id) ?? (await read(id));
        if (tokens) return tokens.access;
        throw new CanvasError('signed-out', {
          sent: 'no',
          detail: sealed.has(id) ? KEY_CHANGED : GRANT_GONE,
        });
      },
      latest: () => known.get(id)?.access,
      refresh(refused) {
        const running = renewals.get(id);
        if (running) return running;
        const renewal = renew(id, refused).finally(() => renewals.delete(id));
        renewals.set(id, renewal);
        return renewal;
      },
    };
  }

  /** @returns whether the LMS has forgotten the token, as far as it can be known */
  async function revoke(id: string): Promise<boolean> {
    try {
      await canvas.call({
        token: ownToken(id),
        method: 'DELETE',
        path: '/login/oauth2/token',
        answer: z.unknown(),
      });
      return true;
    } catch (error) {
      if (!(error instanceof CanvasError)) throw error;
      log.info({ grant: id, kind: error.kind }, 'the LMS did not confirm the end of a token');
      return error.sent === 'answered' || error.kind === 'signed-out';
    }
  }

  async function releaseWhenIdle(id: string): Promise<void> {
    const [row] = await db
      .select({ releasedAt: grants.releasedAt })
      .from(grants)
      .where(and(eq(grants.id, id), isNotNull(grants.releasedAt)));
    if (!row?.releasedAt) return;
    if (await parts.isNeeded(id)) return;
    const old = Date.now() - row.releasedAt.getTime() > GIVE_UP_MS;
    if (!(await revoke(id)) && !old) return;
    await db.delete(grants).where(eq(grants.id, id));
    known.delete(id);
  }

  /** @returns whether it was sealed with the key of before; one that was renewed meanwhile is left alone */
  async function reseal(row: typeof grants.$inferSelect): Promise<boolean> {
    const values = [row.accessTokenEnc, ...(row.refreshTokenEnc === null ? [] : [row.refreshTokenEnc])];
    if (values.every((sealed) => secrets.isCurrent(sealed))) return false;
    const tokens = await read(row.id);
    if (!tokens) return false;
    const changed = await db
      .update(grants)
      .set({
        accessTokenEnc: secrets.seal(tokens.access, purpose(row.id, 'access')),
        refreshTokenEnc:
          tokens.refresh === null ? null : secrets.seal(tokens.refresh, purpose(row.id, 'refresh')),
      })
      .where(and(eq(grants.id, row.id), eq(grants.accessTokenEnc, row.accessTokenEnc)))
      .returning({ id: grants.id });
    return changed.length > 0;
  }

  return {
    hasServiceToken: service !== null,
    async resealAll() {
      let count = 0;
      for (const row of await db.select().from(grants)) if (await reseal(row)) count++;
      return count;
    },
    ownToken,
    rootToken(id) {
      if (service) return service;
      return id === null ? NO_TOKEN : ownToken(id);
    },
    async tokensOf(login) {
      const rows = await db
        .select({ id: grants.id })
        .from(grants)
        .where(and(eq(grants.login, login), isNull(grants.releasedAt)))
        .orderBy(desc(grants.createdAt))
        .limit(MOST_TOKENS);
      return rows.map(({ id }) => ownToken(id));
    },
    async create(login, canvasUserId, tokens) {
      const id = randomUUID();
      await db.insert(grants).values({
        id,
        login,
        canvasUserId,
        accessTokenEnc: secrets.seal(tokens.accessToken, purpose(id, 'access')),
        refreshTokenEnc:
          tokens.refreshToken === null ? null : secrets.seal(tokens.refreshToken, purpose(id, 'refresh')),
        expiresAt: tokens.expiresAt,
      });
      return id;
    },
    async release(id) {
      await db.update(grants).set({ releasedAt: new Date() }).where(eq(grants.id, id));
      const ended = releaseWhenIdle(id).catch((error: unknown) => {
        log.warn({ err: error, grant: id }, 'a grant could not be ended yet');
      });
      const patience = new AbortController();
      await Promise.race([ended, sleep(PATIENCE_MS, undefined, { signal: patience.signal }).catch(() => {})]);
      patience.abort();
    },
    releaseWhenIdle,
    async sweep() {
      // No session lives longer; a process that died between the two writes of a sign-in left a grant without one.
      const ended = new Date(Date.now() - SESSION_MS - 60_000);
      await db
        .update(grants)
        .set({ releasedAt: new Date() })
        .where(and(isNull(grants.releasedAt), lt(grants.createdAt, ended)));
      const rows = await db
        .select({ id: grants.id })
        .from(grants)
        .where(isNotNull(grants.releasedAt))
        .limit(100);
      for (const { id } of rows) await releaseWhenIdle(id);
    },
  };
}

function purpose(id: string, kind: 'access' | 'refresh'): string {
  return `grant ${id} ${kind}`;
}
