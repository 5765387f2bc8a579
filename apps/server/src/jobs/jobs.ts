/** Jobs as the rest of the back end sees them: started once, listed, read, cancelled. */
import { randomUUID } from 'node:crypto';
import type { Job, JobAbout, JobDetail, JobItem, JobQuery, JobSummary } from '@lms-admin/contract/jobs';
import type { ToolId } from '@lms-admin/contract/tools';
import { and, asc, desc, eq, isNotNull, isNull } from 'drizzle-orm';
import type { Admin } from '../auth/admin.ts';
import type { Grants } from '../auth/grants.ts';
import type { LmsIdentity } from '../canvas/identity.ts';
import type { Files } from '../files/files.ts';
import type { Audit } from '../platform/audit.ts';
import type { Database, Db } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { isHeld } from '../platform/installation.ts';
import { pack } from '../platform/packed.ts';
import { jobItems, jobs } from '../platform/schema.ts';
import { countItems } from './items.ts';
import { JobList, type ListedJobs } from './job-list.ts';
import type { JobRow, ListedKind } from './kind.ts';
import { cancelOf, mayOpen, toJob } from './present.ts';
import type { JobRunner } from './runner.ts';
import { readUndoMarks } from './undo-marks.ts';

/** What is to be done. */
export interface NewJob {
  kind: string;
  tool: ToolId;
  label: string;
  /** By what a repeat is known, for the admin and the kind. */
  key: string;
  /** Only where the id is known elsewhere already. */
  id?: string;
  input?: unknown;
  /** Which LMS it is made for. */
  lms: string;
  requestId?: string | null;
  /** What it is about. */
  about?: JobAbout | null;
  /** The job that it undoes. */
  undoes?: string | null;
  /** Whether it leaves something of that as it is. */
  undoesPart?: boolean;
}

/** For whom a job is: an admin who is signed in, or one for whom work is begun without them. */
export type Starter = Pick<Admin, 'login' | 'name' | 'canvasUserId'> & { grantId: string | null };

/** A job as operators see it: nothing of what it is about. */
export type OperatorJob = Pick<
  JobRow,
  | 'id'
  | 'kind'
  | 'label'
  | 'login'
  | 'state'
  | 'outcome'
  | 'stage'
  | 'waitWhy'
  | 'waitUntil'
  | 'createdAt'
  | 'endedAt'
>;

export interface JobParts {
  db: Database;
  audit: Audit;
  grants: Grants;
  identity: LmsIdentity;
  files: Files;
}

const ITEMS_PER_PAGE = 100;

export class Jobs {
  readonly #parts: JobParts;
  readonly #db: Db;
  readonly #runner: JobRunner;
  readonly #kinds: ReadonlyMap<string, ListedKind>;
  readonly #list: JobList;

  constructor(parts: JobParts, runner: JobRunner, kinds: readonly ListedKind[]) {
    this.#parts = parts;
    this.#db = parts.db.db;
    this.#runner = runner;
    this.#kinds = new Map(kinds.map((kind) => [kind.id, kind]));
    this.#list = new JobList(this.#db, kinds, () => parts.identity.known());
  }

  /**
   * Records a job and has it worked on; a repeat with the same key finds the first one.
   * @param more what else is written in the same transaction, when the job is new
   */
  async start(who: Starter, what: NewJob, more?: (tx: Db, id: string) => Promise<unknown>): Promise<JobRow> {
    const row = await this.#record(who, what, more);
    if (!row) {
      const first = await this.earlier(who, what.kind, what.key);
      if (!first) throw new AppError('conflict');
      return first;
    }
    await this.#note(who, row, 'job-started', what.requestId ?? null);
    this.#runner.announce(row);
    return row;
  }

  /** The job that a key became, for its owner; null when there is none yet. */
  async earlier(admin: Pick<Admin, 'login'>, kind: string, key: string): Promise<JobRow | null> {
    const [row] = await this.#db
      .select()
      .from(jobs)
      .where(and(eq(jobs.login, admin.login), eq(jobs.kind, kind), eq(jobs.key, key)));
    return row ?? null;
  }

  /** Own jobs, or everybody's where `perm` is `ALL` and they are asked for; newest first. @throws AppError not-allowed */
  list(admin: Admin, query: JobQuery): Promise<ListedJobs> {
    return this.#list.list(admin, query);
  }

  /** What goes on, and what has ended lately. */
  summary(admin: Admin): Promise<JobSummary> {
    return this.#list.summary(admin);
  }

  /** A job of the admin's own, or any for `ALL`; of others without the tool only how it went. Reading an ended one of one's own marks it as seen. @throws AppError not-found */
  async get(admin: Admin, id: string): Promise<JobDetail> {
    const row = await this.#visible(admin, id);
    if (row.login === admin.login && row.endedAt !== null && row.seenAt === null) {
      await this.#db.update(jobs).set({ seenAt: new Date() }).where(eq(jobs.id, id));
    }
    if (!mayOpen(row, admin)) {
      return { ...(await this.#shown(row, admin)), result: null, import: null, files: [], items: null };
    }
    const [job, more, files, counts] = await Promise.all([
      readUndoMarks(this.#db, [id]).then((by) => this.#shown(row, admin, by.get(id))),
      this.#kinds.get(row.kind)?.detail?.(admin, row),
      this.#parts.files.ofJob(id),
      countItems(this.#db, id),
    ]);
    const items = Object.values(counts).some((count) => count > 0) ? counts : null;
    return { ...job, result: row.result, import: null, files, items, ...more };
  }

  /** A job as it is in the list. @throws like `get` */
  async read(admin: Admin, id: string): Promise<Job> {
    return this.#shown(await this.#visible(admin, id), admin);
  }

  /** A page of its items. @throws like `get`; not-allowed for those of others without the tool */
  async items(admin: Admin, id: string, page: number): Promise<{ items: JobItem[]; more: boolean }> {
    if (!mayOpen(await this.#visible(admin, id), admin)) throw new AppError('not-allowed');
    const rows = await this.#db
      .select({
        seq: jobItems.seq,
        label: jobItems.label,
        state: jobItems.state,
        outside_id: jobItems.outsideId,
        message: jobItems.message,
      })
      .from(jobItems)
      .where(eq(jobItems.jobId, id))
      .orderBy(asc(jobItems.seq))
      .limit(ITEMS_PER_PAGE + 1)
      .offset((page - 1) * ITEMS_PER_PAGE);
    return { items: rows.slice(0, ITEMS_PER_PAGE), more: rows.length > ITEMS_PER_PAGE };
  }

  /**
   * Asks for its end, which comes at its next step; that of others takes the tool.
   * @throws AppError not-found; not-allowed; conflict when it cannot be called back
   */
  async cancel(admin: Admin, id: string, requestId: string): Promise<Job> {
    const row = await this.#visible(admin, id);
    if (!mayOpen(row, admin)) throw new AppError('not-allowed');
    const now = await this.#shown(row, admin);
    if (now.cancel === 'asked') return now;
    if (now.cancel === 'no') {
      throw new AppError('conflict', {
        message: row.endedAt === null ? 'This can no longer be cancelled.' : 'This has already ended.',
        next: 'Open it in Activity to follow its progress.',
      });
    }
    const asked = await this.#askEnd(admin, row, requestId);
    return this.#shown(asked ?? (await this.#visible(admin, id)), admin);
  }

  /** The same for an operator, whatever the tool. @returns what became of it; null: no job has this id */
  async cancelAs(operator: Pick<Admin, 'login'>, id: string): Promise<Job['cancel'] | null> {
    const row = await this.#row(id);
    if (!row) return null;
    const may = await cancelOf(row, this.#kinds.get(row.kind));
    if (may !== 'possible') return may;
    await this.#askEnd(operator, row, null);
    return 'asked';
  }

  /** Has a job that rests be taken up now. @returns whether it rested, or is held since a restore; null: no job has this id */
  async wake(operator: Pick<Admin, 'login'>, id: string): Promise<boolean | 'held' | null> {
    const row = await this.#row(id);
    if (!row) return null;
    const isChange = this.#kinds.get(row.kind)?.changes ?? true;
    if (row.endedAt === null && isChange && (await isHeld(this.#db))) return 'held';
    const [woken] = await this.#db
      .update(jobs)
      .set({ waitUntil: null })
      .where(
        and(eq(jobs.id, id), isNull(jobs.endedAt), isNotNull(jobs.waitUntil), eq(jobs.needsSignIn, false)),
      )
      .returning();
    if (!woken) return false;
    await this.#note(operator, row, 'job-woken', null);
    this.#runner.announce(row);
    return true;
  }

  /** Every job that has not ended, or the latest of all, for an operator. */
  async listAs({ all, limit }: { all: boolean; limit: number }): Promise<OperatorJob[]> {
    const { id, kind, label, login, state, outcome, stage, waitWhy, waitUntil, createdAt, endedAt } = jobs;
    return this.#db
      .select({ id, kind, label, login, state, outcome, stage, waitWhy, waitUntil, createdAt, endedAt })
      .from(jobs)
      .where(all ? undefined : isNull(endedAt))
      .orderBy(desc(createdAt), desc(id))
      .limit(limit);
  }

  async #row(id: string): Promise<JobRow | null> {
    const [row] = await this.#db.select().from(jobs).where(eq(jobs.id, id));
    return row ?? null;
  }

  async #askEnd(
    by: Pick<Admin, 'login'>,
    row: JobRow,
    requestId: string | null,
  ): Promise<JobRow | undefined> {
    const [asked] = await this.#db
      .update(jobs)
      .set({ cancelAskedAt: new Date(), waitUntil: null })
      .where(and(eq(jobs.id, row.id), isNull(jobs.endedAt)))
      .returning();
    await this.#note(by, row, 'job-cancel-asked', requestId);
    this.#runner.cancel(row.id);
    this.#runner.announce(row);
    return asked;
  }

  /** @returns null where there is a job with this key already */
  async #record(
    who: Starter,
    what: NewJob,
    more?: (tx: Db, id: string) => Promise<unknown>,
  ): Promise<JobRow | null> {
    const id = what.id ?? randomUUID();
    const input = what.input === undefined ? null : await pack(what.input);
    return this.#db.transaction(async (tx) => {
      const [made] = await tx
        .insert(jobs)
        .values({
          id,
          kind: what.kind,
          tool: what.tool,
          login: who.login,
          name: who.name,
          canvasUserId: who.canvasUserId,
          grantId: this.#parts.grants.hasServiceToken ? null : who.grantId,
          lms: what.lms,
          label: what.label,
          about: what.about ?? null,
          undoes: what.undoes ?? null,
          undoesPart: what.undoesPart ?? false,
          key: what.key,
          state: 'queued',
          input,
          // To the millisecond, as the pages of the list name it.
          createdAt: new Date(),
        })
        .onConflictDoNothing()
        .returning();
      if (made) await more?.(tx, id);
      return made ?? null;
    });
  }

  async #visible(admin: Admin, id: string): Promise<JobRow> {
    const mine = admin.record.perm === 'ALL' ? undefined : eq(jobs.login, admin.login);
    const [row] = await this.#db
      .select()
      .from(jobs)
      .where(and(eq(jobs.id, id), mine));
    if (!row) throw new AppError('not-found', { message: 'The entry was not found.' });
    return row;
  }

  #shown(row: JobRow, admin: Admin, undoneBy?: Job['undone_by']): Promise<Job> {
    return toJob(row, this.#kinds.get(row.kind), admin, this.#parts.identity.known(), undoneBy);
  }

  #note(
    { login }: Pick<Admin, 'login'>,
    { id, tool, kind, label }: JobRow,
    event: string,
    requestId: string | null,
  ): Promise<void> {
    return this.#parts.audit.write({ login, tool, event, detail: { job: id, kind, label }, requestId });
  }
}
