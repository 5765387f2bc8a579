/** Sessions: an opaque cookie, stored as a hash, valid for exactly one hour after sign-in (OP-04, OP-08). */

import { createHash, randomBytes } from 'node:crypto';
import type { Profile } from '@lms-admin/contract/session';
import { SESSION_MS } from '@lms-admin/domain/constants';
import { desc, eq, gt, lte, type SQL } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import type { Db } from '../platform/database.ts';
import { mapLimited } from '../platform/limited.ts';
import { loginStates, sessions } from '../platform/schema.ts';
import type { Admin, FindRecord } from './admin.ts';
import type { Grants } from './grants.ts';

export interface NewSession {
  grantId: string;
  login: string;
  profile: Profile;
}

export interface SessionParts {
  db: Db;
  access: FindRecord;
  grants: Grants;
  /** Clock, in milliseconds since 1970. */
  now: () => number;
}

/** Milliseconds for which a session is trusted without a database read. Sign-out on this server is immediate. */
const TRUST_MS = 2_000;
const MOST_TRUSTED = 10_000;
/** Number of grants ended at the same time. */
const AT_ONCE = 8;

export class Sessions {
  readonly #parts: SessionParts;
  readonly #trusted: LRUCache<string, Admin>;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    const clock = { ttlResolution: 0, perf: { now: parts.now } };
    this.#trusted = new LRUCache({ max: MOST_TRUSTED, ttl: TRUST_MS, ...clock });
  }

  /** Returns the admin of a cookie, or null if the session does not exist, has ended or has no access record. */
  async find(cookie: string | undefined): Promise<Admin | null> {
    if (!cookie) return null;
    const id = hash(cookie);
    await this.#parts.access.fresh();
    const kept = this.#trusted.get(id);
    if (kept) return this.#asAccessIs(id, kept);
    const session = await this.#read(id);
    if (!session) return null;
    this.#trusted.set(id, session.admin, { ttl: Math.min(TRUST_MS, session.expiresAt - this.#parts.now()) });
    return session.admin;
  }

  /** Opens a session. @returns the cookie's value, which is not stored */
  async create({ grantId, login, profile }: NewSession): Promise<string> {
    const cookie = randomBytes(32).toString('base64url');
    await this.#parts.db.insert(sessions).values({
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
  }

  /** Ends a session immediately, and its grant as soon as no work needs it. Ignores unknown values. */
  async end(cookie: string): Promise<void> {
    const id = hash(cookie);
    this.#trusted.delete(id);
    const [ended] = await this.#remove(eq(sessions.id, id));
    if (ended) await this.#parts.grants.release(ended.grantId);
  }

  /** Ends the sessions of one person, or all, and their grants as in `end`. @returns how many */
  async endAll(login?: string): Promise<number> {
    const ended = await this.#remove(login === undefined ? undefined : eq(sessions.login, login));
    this.#trusted.clear();
    await mapLimited(ended, AT_ONCE, ({ grantId }) => this.#parts.grants.release(grantId));
    return ended.length;
  }

  /** Lists signed-in people, newest session first. */
  async list(): Promise<{ login: string; name: string; createdAt: Date; expiresAt: Date }[]> {
    const { login, name, createdAt, expiresAt } = sessions;
    return this.#parts.db
      .select({ login, name, createdAt, expiresAt })
      .from(sessions)
      .where(gt(expiresAt, new Date(this.#parts.now())))
      .orderBy(desc(createdAt));
  }

  /** Removes sessions and sign-ins that have ended. */
  async sweep(): Promise<void> {
    const { db, grants, now } = this.#parts;
    const ended = await this.#remove(lte(sessions.expiresAt, new Date(now())));
    await db.delete(loginStates).where(lte(loginStates.expiresAt, new Date(now())));
    for (const { grantId } of ended) await grants.release(grantId);
    await grants.sweep();
  }

  #remove(which: SQL | undefined): Promise<{ grantId: string }[]> {
    return this.#parts.db.delete(sessions).where(which).returning({ grantId: sessions.grantId });
  }

  async #read(id: string): Promise<{ admin: Admin; expiresAt: number } | null> {
    const { db, access, grants, now } = this.#parts;
    const [row] = await db.select().from(sessions).where(eq(sessions.id, id));
    if (!row || row.expiresAt.getTime() <= now()) return null;
    const record = access.find(row.login);
    if (!record) return null;
    const admin: Admin = {
      login: row.login,
      name: row.name,
      canvasUserId: row.canvasUserId,
      record,
      accessUntil: access.until(row.login),
      sessionId: id.slice(0, 12),
      grantId: row.grantId,
      token: grants.rootToken(row.grantId),
    };
    return { admin, expiresAt: row.expiresAt.getTime() };
  }

  /** Adapts a trusted session to the person's current access, which can change or end in the meantime. */
  #asAccessIs(id: string, admin: Admin): Admin | null {
    const { access } = this.#parts;
    const record = access.find(admin.login);
    if (record === null) {
      this.#trusted.delete(id);
      return null;
    }
    const accessUntil = access.until(admin.login);
    return record === admin.record && accessUntil === admin.accessUntil
      ? admin
      : { ...admin, record, accessUntil };
  }
}

function hash(cookie: string): string {
  return createHash('sha256').update(cookie).digest('hex');
}
