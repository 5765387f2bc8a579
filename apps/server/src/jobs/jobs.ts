/** Jobs as the rest of the back end sees them: started once, listed, read, cancelled. */
import { randomUUID } from 'node:crypto';
import type { Job, JobAbout, JobDetail, JobItem } from '@lms-admin/contract/jobs';
import type { ToolId } from '@lms-admin/contract/tools';
import { and, asc, eq, isNull, type SQL } from 'drizzle-orm';
import type { Admin } from '../auth/admin.ts';
import type { Grants } from '../auth/grants.ts';
import type { LmsIdentity } from '../canvas/identity.ts';
import type { Files } from '../files/files.ts';
import type { Audit } from '../platform/audit.ts';
import type { Database, Db } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { pack } from '../platform/packed.ts';
import { jobItems, jobs } from '../platform/schema.ts';
import { countItems } from './items.ts';
import { createJobList, type JobList } from './job-list.ts';
import type { JobRow, ListedKind } from './kind.ts';
import { mayOpen, toJob } from './present.ts';
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

export interface Jobs extends JobList {
  /**
   * Records a job and has somebody work on it; a repeat with the same key finds the first one.
   * @param more what else is written in the same transaction, when the job is new
   */
  start(who: Starter, what: NewJob, more?: (tx: Db, id: string) => Promise<unknown>): Promise<JobRow>;
  /** The job that a key became, for its owner; null when there is none yet. */
  earlier(admin: Pick<Admin, 'login'>, kind: string, key: string): Promise<JobRow | null>;
  /** A job of the admin's own, or any for `ALL`; of others without the tool only how it went. Reading an ended one of one's own marks it as seen. @throws AppError not-found */
  get(admin: Admin, id: string): Promise<JobDetail>;
  /** A job as it stands in the list. @throws like `get` */
  read(admin: Admin, id: string): Promise<Job>;
  /** A page of its items. @throws like `get`; not-allowed for those of others without the tool */
  items(admin: Admin, id: string, page: number): Promise<{ items: JobItem[]; more: boolean }>;
  /**
   * Asks for its end, which comes at its next step; that of others takes the tool.
   * @throws AppError not-found; not-allowed; conflict when it cannot be called back
   */
  cancel(admin: Admin, id: string, requestId: string): Promise<Job>;
}

export interface JobParts {
  db: Database;
  audit: Audit;
  grants: Grants;
  identity: LmsIdentity;
  files: Files;
}

const ITEMS_PER_PAGE = 100;
export function createJobs(parts: JobParts, runner: JobRunner, kinds: readonly ListedKind[]): Jobs {
  const { audit, grants, identity, files } = parts;
  const { db } = parts.db;
  const kindOf = new Map(kinds.map((kind) => [kind.id, kind]));

  async function earlier(admin: Pick<Admin, 'login'>, kind: string, key: string): Promise<JobRow | null> {
    const [row] = await db
      .select()
      .from(jobs)
      .where(and(eq(jobs.login, admin.login), eq(jobs.kind, kind), eq(jobs.key, key)));
    return row ?? null;
  }

  async function start(who: Starter, what: NewJob, more?: (tx: Db, id: string) => Promise<unknown>) {
    const id = what.id ?? randomUUID();
    const input = what.input === undefined ? null : await pack(what.input);
    const row = await db.transaction(async (tx) => {
      const [made] = await tx
        .insert(jobs)
        .values({
          id,
          kind: what.kind,
          tool: what.tool,
          login: who.login,
          name: who.name,
          canvasUserId: who.canvasUserId,
          grantId: grants.hasServiceToken ? null : who.grantId,
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
    if (!row) {
      const first = await earlier(who, what.kind, what.key);
      if (!first) throw new AppError('conflict');
      return first;
    }
    await audit.write({
      login: who.login,
      tool: row.tool,
      event: 'job-started',
      detail: { job: row.id, kind: row.kind, label: row.label },
      requestId: what.requestId ?? null,
    });
    runner.announce(row);
    return row;
  }

  function mine(admin: Admin): SQL | undefined {
    return admin.record.perm === 'ALL' ? undefined : eq(jobs.login, admin.login);
  }

  async function visible(admin: Admin, id: string): Promise<JobRow> {
    const [row] = await db
      .select()
      .from(jobs)
      .where(and(eq(jobs.id, id), mine(admin)));
    if (!row) throw new AppError('not-found', { message: 'There is no such job.' });
    return row;
  }

  const lmsOfNow = () => identity.known();

  async function get(admin: Admin, id: string): Promise<JobDetail> {
    const row = await visible(admin, id);
    const kind = kindOf.get(row.kind);
    if (row.login === admin.login && row.endedAt !== null && row.seenAt === null) {
      await db.update(jobs).set({ seenAt: new Date() }).where(eq(jobs.id, id));
    }
    if (!mayOpen(row, admin)) {
      const job = await toJob(row, kind, admin, lmsOfNow());
      return { ...job, result: null, import: null, files: [], items: null };
    }
    const [job, more, made, counts] = await Promise.all([
      readUndoMarks(db, [id]).then((by) => toJob(row, kind, admin, lmsOfNow(), by.get(id))),
      kind?.detail?.(admin, row),
      files.ofJob(id),
      countItems(db, id),
    ]);
    const items = Object.values(counts).some((count) => count > 0) ? counts : null;
    return { ...job, result: row.result, import: null, files: made, items, ...more };
  }

  async function items(admin: Admin, id: string, page: number) {
    if (!mayOpen(await visible(admin, id), admin)) throw new AppError('not-allowed');
    const rows = await db
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

  async function cancel(admin: Admin, id: string, requestId: string): Promise<Job> {
    const row = await visible(admin, id);
    const kind = kindOf.get(row.kind);
    if (!mayOpen(row, admin)) throw new AppError('not-allowed');
    const now = await toJob(row, kind, admin, lmsOfNow());
    if (now.cancel === 'asked') return now;
    if (now.cancel === 'no') {
      throw new AppError('conflict', {
        message: row.endedAt === null ? 'This cannot be called back any more.' : 'This has ended already.',
        next: 'Look at how it goes on.',
      });
    }
    const [asked] = await db
      .update(jobs)
      .set({ cancelAskedAt: new Date(), waitUntil: null })
      .where(and(eq(jobs.id, id), isNull(jobs.endedAt)))
      .returning();
    await audit.write({
      login: admin.login,
      tool: row.tool,
      event: 'job-cancel-asked',
      detail: { job: id, kind: row.kind, label: row.label },
      requestId,
    });
    runner.cancel(id);
    runner.announce(row);
    return toJob(asked ?? (await visible(admin, id)), kind, admin, lmsOfNow());
  }

  return {
    start,
    earlier,
    ...createJobList(db, kinds, lmsOfNow),
    get,
    read: async (admin, id) => {
      const row = await visible(admin, id);
      return toJob(row, kindOf.get(row.kind), admin, lmsOfNow());
    },
    items,
    cancel,
  };
}
