/** Jobs for the rest of the server: started once, listed, read and cancelled. */
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

/** A job to start. */
export interface NewJob {
  kind: string;
  tool: ToolId;
  label: string;
  /** Identifies a repeated request, for this admin and kind. */
  key: string;
  /** Set only if the id is already known elsewhere. */
  id?: string;
  input?: unknown;
  /** The LMS that the job is for. */
  lms: string;
  requestId?: string | null;
  /** Courses, terms and programmes that the job is about. */
  about?: JobAbout | null;
  /** The job that this job undoes. */
  undoes?: string | null;
  /** Whether this job undoes only part of the job in `undoes`. */
  undoesPart?: boolean;
}

/** Owner of a new job: an admin who is signed in, or one for whom work starts automatically. */
export type Starter = Pick<Admin, 'login' | 'name' | 'canvasUserId'> & { grantId: string | null };

/** A job as operators see it, without the people and courses it is about. */
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
   * Records a job and announces it; a repeat with the same key returns the first one.
   * @param more further writes for the same transaction, if the job is new
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

  /** Finds the owner's job that was started with this key; null if there is none yet. */
  async earlier(admin: Pick<Admin, 'login'>, kind: string, key: string): Promise<JobRow | null> {
    const [row] = await this.#db
      .select()
      .from(jobs)
      .where(and(eq(jobs.login, admin.login), eq(jobs.kind, kind), eq(jobs.key, key)));
    return row ?? null;
  }

  /** Lists the admin's own jobs, newest first; all jobs only with `perm` `ALL`. @throws AppError not-allowed */
  list(admin: Admin, query: JobQuery): Promise<ListedJobs> {
    return this.#list.list(admin, query);
  }

  /** Lists work in progress, and work that ended recently. */
  summary(admin: Admin): Promise<JobSummary> {
    return this.#list.summary(admin);
  }

  /**
   * Reads a job: the admin's own, or any with `perm` `ALL`; for others' jobs without the tool, only the outcome.
   * Reading one's own ended job marks it as seen.
   * @throws AppError not-found
   */
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

  /** Reads a job as the list shows it. @throws like `get` */
  async read(admin: Admin, id: string): Promise<Job> {
    return this.#shown(await this.#visible(admin, id), admin);
  }

  /** Reads a page of the job's items. @throws like `get`; not-allowed for others' jobs without the tool */
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
   * Requests cancellation, which happens at the job's next step; for others' jobs the tool is needed.
   * @throws AppError not-found; not-allowed; conflict when it cannot be cancelled
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
    const answer = await this.#askEnd(admin, row, requestId);
    return this.#shown(answer ?? (await this.#visible(admin, id)), admin);
  }

  /** Requests cancellation for an operator, whatever the tool. @returns the outcome; null when no job has this id */
  async cancelAs(operator: Pick<Admin, 'login'>, id: string): Promise<Job['cancel'] | null> {
    const row = await this.#row(id);
    if (!row) return null;
    const may = await cancelOf(row, this.#kinds.get(row.kind));
    if (may !== 'possible') return may;
    await this.#askEnd(operator, row, null);
    return 'asked';
  }

  /** Resumes a resting job now. @returns whether it was resting, or is held since a restore; null for an unknown id */
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

  /** Lists every unfinished job, or the latest of all jobs, for an operator. */
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
    const [answer] = await this.#db
      .update(jobs)
      .set({ cancelRequestedAt: new Date(), waitUntil: null })
      .where(and(eq(jobs.id, row.id), isNull(jobs.endedAt)))
      .returning();
    await this.#note(by, row, 'job-cancel-asked', requestId);
    this.#runner.cancel(row.id);
    this.#runner.announce(row);
    return answer;
  }

  /** @returns null if a job with this key already exists */
  async #record(
    who: Starter,
    what: NewJob,
    more?: (tx: Db, id: string) => Promise<unknown>,
  ): Promise<JobRow | null> {
    const id = what.id ?? randomUUID();
    const input = what.input === undefined ? null : await pack(what.input);
    return this.#db.transaction(async (tx) => {
      const [created] = await tx
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
          // Rounded to milliseconds, like the cursors of the list's pages.
          createdAt: new Date(),
        })
        .onConflictDoNothing()
        .returning();
      if (created) await more?.(tx, id);
      return created ?? null;
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
