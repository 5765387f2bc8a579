/** Access changes on the page: reviewed, then saved as reviewed or sent to a second person for approval. */
import { randomUUID } from 'node:crypto';
import type {
  AccessChange,
  AccessChanges,
  AccessRequest,
  AccessReview,
  ReviewedChange,
} from '@lms-admin/contract/access';
import { adminKeys, loginKey, needsSecond, rightsChange } from '@lms-admin/domain/access-records';
import { and, asc, eq, gt, isNull } from 'drizzle-orm';
import type { Admin } from '../auth/admin.ts';
import type { Audit } from '../platform/audit.ts';
import type { Db } from '../platform/database.ts';
import { AppError, fieldDetail } from '../platform/errors.ts';
import { accessRequests } from '../platform/schema.ts';
import { refusalOf, type Stored, withinLock, writeChange } from './change.ts';
import { notesOf, problemOf } from './judgement.ts';
import { type KnownInLms, type KnownParts, knownInLms } from './known-in-lms.ts';
import { MOST_LOOKED_UP } from './lms-logins.ts';
import type { AccessRecords } from './records.ts';
import { refusalError, refusalWords } from './refusals.ts';
import type { Replay } from './replay.ts';
import { lastSignIns } from './sign-ins.ts';
import { isSame, kindOfChange, plain, readEntries, type StoredRecord } from './table.ts';

export interface AdministrationParts extends KnownParts {
  db: Db;
  audit: Audit;
  access: AccessRecords;
  fourEyes: boolean;
  replay: Replay;
  now: () => number;
}

/** Milliseconds after which an unanswered request ends. */
const REQUEST_MS = 7 * 86_400_000;
/** Maximum number of people in one review whose earlier runs are checked. */
const MOST_REPLAYED = 50;

/** A reviewed change without its problem and notes. */
type Rights = Omit<ReviewedChange, 'problem' | 'notes'>;

export class Administration {
  readonly #parts: AdministrationParts;

  constructor(parts: AdministrationParts) {
    this.#parts = parts;
  }

  /** Reviews changes: the access they grant and remove, the runs they would have stopped, and any problems. */
  async review(by: Admin, { changes }: AccessChanges, signal?: AbortSignal): Promise<AccessReview> {
    this.#requireDatabase();
    const { db } = this.#parts;
    const before = await readEntries(db);
    const known = await this.#known(by, before, changes, signal);
    return this.#replayed(by, await this.#judge(db, before, changes, by.login, known), signal);
  }

  /**
   * Adds to a review the runs that the changes would have stopped.
   * @param by reads the courses
   */
  async #replayed(by: Admin, review: AccessReview, signal?: AbortSignal): Promise<AccessReview> {
    const losing = review.changes.filter(({ loses, problem }) => loses.length > 0 && problem === null);
    for (const one of losing.slice(0, MOST_REPLAYED))
      one.replay = await this.#parts.replay.of(by, one.login, one.after, signal);
    return { ...review, not_replayed: Math.max(0, losing.length - MOST_REPLAYED) };
  }

  /** Saves the changes. @returns the outcome @throws AppError conflict if there is a problem: nothing is saved then */
  async save(by: Admin, { changes, why }: AccessChanges, requestId: string) {
    this.#requireDatabase();
    const { access } = this.#parts;
    const known = await this.#knownOfLeft(by, await readEntries(this.#parts.db), changes);
    const result = await withinLock(this.#parts, async (tx, before) => {
      const review = await this.#judge(tx, before, changes, by.login, known);
      requireClean(review);
      if (review.needs_second) {
        await this.#request(tx, by, { changes, why });
        return { became: 'requested' as const, changed: 0 };
      }
      const written = {
        login: by.login,
        person: by.login,
        why,
        requestId,
        missing: missingOf(known, before),
      };
      return {
        became: 'saved' as const,
        changed: await writeChange(this.#parts, tx, before, changes.map(plain), written),
      };
    });
    await access.reread();
    return result;
  }

  /** Lists open requests, each with an up-to-date review. */
  async requests(by: Admin, signal?: AbortSignal): Promise<AccessRequest[]> {
    const { db, now } = this.#parts;
    const rows = await db
      .select()
      .from(accessRequests)
      .where(and(isNull(accessRequests.decidedAt), gt(accessRequests.expiresAt, new Date(now()))))
      .orderBy(asc(accessRequests.createdAt));
    const before = await readEntries(db);
    return Promise.all(
      rows.map(async (row): Promise<AccessRequest> => {
        const known = await this.#known(by, before, row.changes, signal);
        const review = await this.#judge(db, before, row.changes, row.by, known);
        return {
          id: row.id,
          by: row.by,
          created_at: row.createdAt.toISOString(),
          expires_at: row.expiresAt.toISOString(),
          why: row.why,
          yours: loginKey(row.by) === loginKey(by.login),
          review: await this.#replayed(by, review, signal),
        };
      }),
    );
  }

  /** Approves or rejects a request as a second person, or withdraws it as the person who made it. @throws AppError */
  async decide(by: Admin, id: string, approve: boolean, requestId: string) {
    const { access, now } = this.#parts;
    const known = approve ? await this.#knownOf(by, id) : NOTHING_KNOWN;
    const result = await withinLock(this.#parts, async (tx, before) => {
      const [row] = await tx.select().from(accessRequests).where(eq(accessRequests.id, id));
      if (!row || row.decidedAt !== null || row.expiresAt.getTime() <= now()) throw gone();
      const own = loginKey(row.by) === loginKey(by.login);
      if (own && approve) throw ownRequest();
      const decision = approve ? 'approved' : own ? 'withdrawn' : 'refused';
      await tx
        .update(accessRequests)
        .set({ decidedAt: new Date(now()), decidedBy: by.login, decision })
        .where(eq(accessRequests.id, id));
      const line = { login: by.login, tool: 'access', event: `access-request-${decision}`, requestId };
      await this.#parts.audit.writeAll(tx, [{ ...line, detail: { request: id, by: row.by } }]);
      if (!approve) return { became: 'saved' as const, changed: 0 };
      requireClean(await this.#judge(tx, before, row.changes, row.by, known));
      const missing = missingOf(known, before);
      // The change must not remove the approver's own permission to administer access either.
      const refusal = await refusalOf(tx, before, row.changes, by.login, now(), missing);
      if (refusal !== null) throw refusalError(refusal);
      const written = {
        login: row.by,
        person: row.by,
        why: row.why,
        approvedBy: by.login,
        requestId,
        missing,
      };
      return {
        became: 'saved' as const,
        changed: await writeChange(this.#parts, tx, before, row.changes.map(plain), written),
      };
    });
    await access.reread();
    return result;
  }

  async #request(tx: Db, by: Admin, { changes, why }: AccessChanges): Promise<void> {
    const { now, audit } = this.#parts;
    const id = randomUUID();
    await tx.insert(accessRequests).values({
      id,
      by: by.login,
      changes: [...changes],
      why,
      createdAt: new Date(now()),
      expiresAt: new Date(now() + REQUEST_MS),
    });
    const people = changes.map(({ login }) => login);
    await audit.writeAll(tx, [
      { login: by.login, tool: 'access', event: 'access-requested', detail: { request: id, people, why } },
    ]);
  }

  /**
   * Looks up in the LMS everything that the changes refer to, and the remaining access administrators. Runs outside
   * the lock.
   */
  #known(
    by: Admin,
    before: Stored,
    changes: readonly AccessChange[],
    signal?: AbortSignal,
  ): Promise<KnownInLms> {
    const changed = changes.length > MOST_LOOKED_UP ? [] : changes.map(({ login }) => loginKey(login));
    const added = changes.map(({ login }) => loginKey(login)).filter((key) => !before.has(key));
    return knownInLms(
      this.#parts,
      by,
      changes,
      [...this.#left(by, before, changes), ...added, ...changed],
      signal,
    );
  }

  /** Looks up only the remaining administrators: the people in the changes cannot cause a refusal here. */
  #knownOfLeft(by: Admin, before: Stored, changes: readonly AccessChange[]): Promise<KnownInLms> {
    return knownInLms(this.#parts, by, changes, this.#left(by, before, changes));
  }

  /** Lists access administrators who could be the last one. Empty if the changes do not affect any. */
  #left(by: Admin, before: Stored, changes: readonly AccessChange[]): string[] {
    const admins = adminKeys(before, this.#parts.now());
    const touched = changes.some(({ login }) => admins.includes(loginKey(login)));
    return touched ? admins.filter((key) => key !== loginKey(by.login)) : [];
  }

  async #knownOf(by: Admin, request: string): Promise<KnownInLms> {
    const { db } = this.#parts;
    const [row] = await db.select().from(accessRequests).where(eq(accessRequests.id, request));
    return row ? this.#knownOfLeft(by, await readEntries(db), row.changes) : NOTHING_KNOWN;
  }

  async #judge(
    db: Db,
    before: Stored,
    changes: readonly AccessChange[],
    by: string,
    known: KnownInLms,
  ): Promise<AccessReview> {
    const at = this.#parts.now();
    const signIns = await lastSignIns(
      db,
      changes.map(({ login }) => loginKey(login)),
    );
    const seen = new Set<string>();
    const reviewed = changes.map((change): ReviewedChange => {
      const key = loginKey(change.login);
      const isTwice = seen.has(key);
      seen.add(key);
      const one = this.#judgeOne(before.get(key), change, by, at);
      const problem = isTwice
        ? `${change.login} appears twice.`
        : problemOf(before.get(key), change, known, at);
      return { ...one, problem, notes: notesOf(change, known, signIns.has(key), at) };
    });
    const refusal = await refusalOf(db, before, changes.map(plain), by, at, missingOf(known, before));
    return {
      changes: reviewed,
      problem: refusalWords(refusal),
      needs_second: reviewed.some(({ needs_second }) => needs_second),
      not_replayed: 0,
    };
  }

  #judgeOne(former: StoredRecord | undefined, change: AccessChange, by: string, at: number): Rights {
    const after = plain(change);
    const same = former !== undefined && isSame(former, after);
    return {
      login: change.login,
      kind: same ? 'none' : kindOfReview(former, after),
      before: former ? plain(former) : null,
      after,
      ...rightsChange(former, after, at),
      needs_second: this.#parts.fourEyes && !same && needsSecond(former, after, by, at),
      replay: null,
    };
  }

  #requireDatabase(): void {
    if (this.#parts.access.source === 'database') return;
    throw new AppError('conflict', {
      message: 'Access is kept in a file. You can view and test it on this page, but not change it.',
      next: 'Ask the operator of LMS Admin to change the file.',
    });
  }
}

function kindOfReview(
  former: Parameters<typeof kindOfChange>[0] | undefined,
  after: ReviewedChange['after'],
) {
  const kind = kindOfChange(former ?? null, after);
  return kind === 'add' || kind === 'disable' || kind === 'enable' ? kind : 'change';
}

/** Used when nothing changes, so the LMS does not have to be asked. */
const NOTHING_KNOWN: KnownInLms = { login: () => undefined, programme: () => null, role: () => null };

/** Returns the people with a record whose login the LMS does not have. */
function missingOf(known: KnownInLms, before: Stored): ReadonlySet<string> {
  return new Set([...before.keys()].filter((key) => known.login(key) === 'missing'));
}

/** @throws AppError conflict that lists each problem */
function requireClean({ changes, problem }: AccessReview): void {
  const barred = changes.flatMap((one) =>
    one.problem === null ? [] : [{ login: one.login, words: one.problem }],
  );
  if (problem === null && barred.length === 0) return;
  const [first] = barred;
  throw new AppError('conflict', {
    message:
      problem ?? (barred.length === 1 ? (first?.words ?? '') : `${barred.length} records cannot be saved.`),
    next: 'Nothing was saved. Check the review again.',
    details: barred.map(({ login, words }) =>
      fieldDetail(login, barred.length === 1 ? words : `${login}: ${words}`),
    ),
  });
}

const gone = () =>
  new AppError('not-found', {
    message: 'This request has already been decided, or has expired.',
    next: 'Reload the page.',
  });

const ownRequest = () =>
  new AppError('not-allowed', {
    message: 'You cannot approve your own request.',
    next: 'Ask another access administrator.',
  });
