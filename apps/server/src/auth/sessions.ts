/** Sessions: an opaque cookie whose hash is stored; one absolute hour from sign-in, used or not (OP-04, OP-08). */

import { createHash, randomBytes } from 'node:crypto';
import type { Profile } from '@lms-admin/contract/session';
import { SESSION_MS } from '@lms-admin/domain/constants';
import { eq, lte } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import type { Db } from '../platform/database.ts';
import { loginStates, sessions } from '../platform/schema.ts';
import type { Admin, FindRecord } from './admin.ts';
import type { Grants } from './grants.ts';

export interface Sessions {
  /** The admin behind a cookie's value; null when there is none, it has ended, or the access record is gone. */
  find(cookie: string | undefined): Promise<Admin | null>;
  /** Opens a session. @returns the cookie's value, which is kept nowhere */
  create(person: NewSession): Promise<string>;
  /** Ends a session at once, then its grant as soon as nothing needs it. Unknown values do nothing. */
  end(cookie: string): Promise<void>;
  /** Removes sessions and sign-ins that have ended. */
  sweep(): Promise<void>;
}

export interface NewSession {
  grantId: string;
  login: string;
  profile: Profile;
}

export interface SessionParts {
  db: Db;
  access: FindRecord;
  grants: Grants;
  /** The clock, in milliseconds since 1970. */
  now: () => number;
}

/** How long a session found in the database is taken as good without asking again. Sign-out here ends it at once. */
const TRUST_MS = 2_000;
const MOST_TRUSTED = 10_000;

/** The store of sessions. */
export function createSessions({ db, access, grants, now }: SessionParts): Sessions {
  const trusted = new LRUCache<string, Admin>({
    max: MOST_TRUSTED,
    ttl: TRUST_MS,
    ttlResolution: 0,
    perf: { now },
  });

  async function read(id: string): Promise<{ admin: Admin; expiresAt: number } | null> {
    const [row] = await db.select().from(sessions).where(eq(sessions.id, id));
    if (!row || row.expiresAt.getTime() <= now()) return null;
    const record = access.find(row.login);
    if (!record) return null;
    const admin: Admin = {
      login: row.login,
      name: row.name,
      canvasUserId: row.canvasUserId,
      record,
      sessionId: id.slice(0, 12),
      grantId: row.grantId,
      token: grants.rootToken(row.grantId),
    };
    return { admin, expiresAt: row.expiresAt.getTime() };
  }

  return {
    async find(cookie) {
      if (!cookie) return null;
      const id = hash(cookie);
      const kept = trusted.get(id);
      if (kept) return kept;
      const session = await read(id);
      if (!session) return null;
      trusted.set(id, session.admin, { ttl: Math.min(TRUST_MS, session.expiresAt - now()) });
      return session.admin;
    },
    async create({ grantId, login, profile }) {
      const cookie = randomBytes(32).toString('base64url');
      await db.insert(sessions).values({
        id: hash(cookie),
        grantId,
        login,
        name: profile.user.name,
        canvasUserId: profile.user.id,
        profile: { ...profile },
        createdAt: new Date(profile.time),
        expiresAt: new Date(profile.time + SESSION_MS),
      });
      return cookie;
    },
    async end(cookie) {
      const id = hash(cookie);
      trusted.delete(id);
      const [ended] = await db
        .delete(sessions)
        .where(eq(sessions.id, id))
        .returning({ grantId: sessions.grantId });
      if (ended) await grants.release(ended.grantId);
    },
    async sweep() {
      const ended = await db
        .delete(sessions)
        .where(lte(sessions.expiresAt, new Date(now())))
        .returning({ grantId: sessions.grantId });
      await db.delete(loginStates).where(lte(loginStates.expiresAt, new Date(now())));
      for (const { grantId } of ended) await grants.release(grantId);
      await grants.sweep();
    },
  };
}

function hash(cookie: string): string {
  return createHash('sha256').update(cookie).digest('hex');
}
