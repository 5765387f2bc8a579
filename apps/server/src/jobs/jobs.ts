/** Jobs as the rest of the back end sees them: started once, listed, read, cancelled. */
import { randomUUID } from 'node:crypto';
import type { Job, JobDetail, JobItem, JobQuery, JobSummary } from '@lms-admin/contract/jobs';
import type { ToolId } from '@lms-admin/contract/tools';
import { and, asc, desc, eq, gt, gte, inArray, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
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
import type { JobKind, JobRow } from './kind.ts';
import { type ListedJob, mayCancel, toJob } from './present.ts';
import type { JobRunner } from './runner.ts';

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
}

export interface Jobs {
  /**
   * Records a job and has somebody work on it; a repeat with the same key finds the first one.
   * @param more what else is written in the same transaction, when the job is new
   */
  start(admin: Admin, what: NewJob, more?: (tx: Db, id: string) => Promise<unknown>): Promise<JobRow>;
  /** The job that a key became, for its owner; null when there is none yet. */
  earlier(admin: Pick<Admin, 'login'>, kind: string, key: string): Promise<JobRow | null>;
  /** Own jobs, or everybody's where `perm` is `ALL` and they are asked for; newest first. @throws AppError not-allowed */
  list(admin: Admin, query: JobQuery): Promise<{ jobs: Job[]; after: string | null }>;
  /** What goes on, and what has ended lately. */
  summary(admin: Admin): Promise<JobSummary>;
  /** A job of the admin's own, or anybody's for `ALL`. Reading an ended one of one's own marks it as seen. @throws AppError not-found */
  get(admin: Admin, id: string): Promise<JobDetail>;
  /** A job as it stands in the list. @throws like `get` */
  read(admin: Admin, id: string): Promise<Job>;
  /** A page of its items. @throws like `get` */
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

const PAGE = 50;
const ITEMS_PER_PAGE = 100;
/** How long an end is news, in milliseconds, and how many are told. */
const NEWS_MS = 600_000;
const MOST_NEWS = 10;

const LISTED = {
  id: jobs.id,
  kind: jobs.kind,
  tool: jobs.tool,
  login: jobs.login,
  name: jobs.name,
  canvasUserId: jobs.canvasUserId,
  grantId: jobs.grantId,
  lms: jobs.lms,
  label: jobs.label,
  key: jobs.key,
  state: jobs.state,
  outcome: jobs.outcome,
  stage: jobs.stage,
  done: jobs.done,
  total: jobs.total,
  unit: jobs.unit,
  waitUntil: jobs.waitUntil,
  waitWhy: jobs.waitWhy,
  figures: jobs.figures,
  note: jobs.note,
  problem: jobs.problem,
  attempts: jobs.attempts,
  troubleSince: jobs.troubleSince,
  cancelAskedAt: jobs.cancelAskedAt,
  createdAt: jobs.createdAt,
  startedAt: jobs.startedAt,
  updatedAt: jobs.updatedAt,
  endedAt: jobs.endedAt,
  seenAt: jobs.seenAt,
  forgottenAt: jobs.forgottenAt,
  leaseOwner: jobs.leaseOwner,
  leaseUntil: jobs.leaseUntil,
};

export function createJobs(parts: JobParts, runner: JobRunner, kinds: readonly JobKind[]): Jobs {
  const { audit, grants, identity, files } = parts;
  const { db } = parts.db;
  const kindOf = new Map(kinds.map((kind) => [kind.id, kind]));
  const unlisted = kinds.filter(({ listed }) => !listed).map(({ id }) => id);

  async function earlier(admin: Pick<Admin, 'login'>, kind: string, key: string): Promise<JobRow | null> {
    const [row] = await db
      .select()
      .from(jobs)
      .where(and(eq(jobs.login, admin.login), eq(jobs.kind, kind), eq(jobs.key, key)));
    return row ?? null;
  }

  async function start(admin: Admin, what: NewJob, more?: (tx: Db, id: string) => Promise<unknown>) {
    const id = what.id ?? randomUUID();
    const input = what.input === undefined ? null : await pack(what.input);
    const row = await db.transaction(async (tx) => {
      const [made] = await tx
        .insert(jobs)
        .values({
          id,
          kind: what.kind,
          tool: what.tool,
          login: admin.login,
          name: admin.name,
          canvasUserId: admin.canvasUserId,
          grantId: grants.hasServiceToken ? null : admin.grantId,
          lms: what.lms,
          label: what.label,
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
      const first = await earlier(admin, what.kind, what.key);
      if (!first) throw new AppError('conflict');
      return first;
    }
    await audit.write({
      login: admin.login,
      tool: row.tool,
      event: 'job-started',
      detail: { job: row.id, kind: row.kind, label: row.label },
      requestId: what.requestId ?? null,
    });
    runner.announce(row.id, row.kind);
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

  async function list(admin: Admin, query: JobQuery) {
    if (query.all && admin.record.perm !== 'ALL') throw new AppError('not-allowed');
    const rows: ListedJob[] = await db
      .select(LISTED)
      .from(jobs)
      .where(
        and(
          query.all ? undefined : eq(jobs.login, admin.login),
          query.kind === undefined ? listedOnly(unlisted) : eq(jobs.kind, query.kind),
          query.tool === undefined ? undefined : eq(jobs.tool, query.tool),
          query.state === undefined ? undefined : ofState(query.state),
          query.text ? contains(query.text) : undefined,
          query.from === undefined ? undefined : gte(jobs.createdAt, new Date(query.from)),
          query.to === undefined ? undefined : lt(jobs.createdAt, endOf(query.to)),
          query.after === undefined ? undefined : olderThan(query.after),
        ),
      )
      .orderBy(desc(jobs.createdAt), desc(jobs.id))
      .limit(PAGE + 1);
    const page = rows.slice(0, PAGE);
    const last = page.at(-1);
    const lms = lmsOfNow();
    return {
      jobs: await Promise.all(page.map((row) => toJob(row, kindOf.get(row.kind), admin, lms))),
      after: rows.length > PAGE && last ? `${last.createdAt.toISOString()}_${last.id}` : null,
    };
  }

  async function summary(admin: Admin): Promise<JobSummary> {
    const own = eq(jobs.login, admin.login);
    const [counts, ended] = await Promise.all([
      db
        .select({
          running: sql<number>`count(*) filter (where ${jobs.endedAt} is null)::int`,
          unseen: sql<number>`count(*) filter (where ${jobs.endedAt} is not null)::int`,
        })
        .from(jobs)
        .where(
          and(
            own,
            or(
              isNull(jobs.endedAt),
              and(
                inArray(jobs.outcome, ['failed', 'partly']),
                isNull(jobs.seenAt),
                gt(jobs.endedAt, sql`now() - interval '30 days'`),
              ),
            ),
          ),
        ),
      db
        .select({
          id: jobs.id,
          tool: jobs.tool,
          kind: jobs.kind,
          label: jobs.label,
          outcome: jobs.outcome,
          endedAt: jobs.endedAt,
        })
        .from(jobs)
        .where(and(own, listedOnly(unlisted), gt(jobs.endedAt, new Date(Date.now() - NEWS_MS))))
        .orderBy(desc(jobs.endedAt))
        .limit(MOST_NEWS),
    ]);
    return {
      running: counts[0]?.running ?? 0,
      unseen: counts[0]?.unseen ?? 0,
      ended: ended.map(({ endedAt, ...one }) => ({ ...one, ended_at: endedAt?.toISOString() ?? null })),
    };
  }

  async function get(admin: Admin, id: string): Promise<JobDetail> {
    const row = await visible(admin, id);
    const kind = kindOf.get(row.kind);
    if (row.login === admin.login && row.endedAt !== null && row.seenAt === null) {
      await db.update(jobs).set({ seenAt: new Date() }).where(eq(jobs.id, id));
    }
    const [job, more, made, counts] = await Promise.all([
      toJob(row, kind, admin, lmsOfNow()),
      kind?.detail?.(admin, row),
      files.ofJob(id),
      countItems(db, id),
    ]);
    const items = Object.values(counts).some((count) => count > 0) ? counts : null;
    return { ...job, result: row.result, import: null, files: made, items, ...more };
  }

  async function items(admin: Admin, id: string, page: number) {
    await visible(admin, id);
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
    if (!mayCancel(row, admin)) throw new AppError('not-allowed');
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
    runner.announce(id, row.kind);
    return toJob(asked ?? (await visible(admin, id)), kind, admin, lmsOfNow());
  }

  return {
    start,
    earlier,
    list,
    summary,
    get,
    read: async (admin, id) => {
      const row = await visible(admin, id);
      return toJob(row, kindOf.get(row.kind), admin, lmsOfNow());
    },
    items,
    cancel,
  };
}

/** A step towards something else stands in the list while it runs, and when it failed. */
function listedOnly(unlisted: readonly string[]): SQL | undefined {
  if (unlisted.length === 0) return undefined;
  return or(sql`${jobs.kind} not in ${[...unlisted]}`, isNull(jobs.endedAt), eq(jobs.outcome, 'failed'));
}

function ofState(state: NonNullable<JobQuery['state']>): SQL | undefined {
  if (state === 'open') return isNull(jobs.endedAt);
  if (state === 'partly') return eq(jobs.outcome, 'partly');
  if (state === 'done') return and(eq(jobs.state, 'done'), ne(jobs.outcome, 'partly'));
  return eq(jobs.state, state);
}

function contains(text: string): SQL | undefined {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return sql`(${jobs.label} ilike ${pattern} or ${jobs.name} ilike ${pattern} or ${jobs.login} ilike ${pattern})`;
}

/** A day ends with the day; a moment is a moment. */
function endOf(text: string): Date {
  const moment = new Date(text);
  return text.length > 10 ? moment : new Date(moment.getTime() + 86_400_000);
}

function olderThan(after: string): SQL | undefined {
  const [at = '', id = ''] = after.split('_');
  if (Number.isNaN(Date.parse(at)) || !/^[0-9a-f-]{36}$/.test(id)) throw new AppError('bad-request');
  const moment = new Date(at);
  return or(lt(jobs.createdAt, moment), and(eq(jobs.createdAt, moment), lt(jobs.id, id)));
}
