/** The list of jobs, which is their history, and what of it is news. */
import type { Job, JobQuery, JobSummary } from '@lms-admin/contract/jobs';
import { and, desc, eq, gt, gte, inArray, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Admin } from '../auth/admin.ts';
import type { LmsIdentity } from '../canvas/identity.ts';
import type { Db } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { jobs } from '../platform/schema.ts';
import type { ListedKind } from './kind.ts';
import { type ListedJob, toJob } from './present.ts';

export interface JobList {
  /** Own jobs, or everybody's where `perm` is `ALL` and they are asked for; newest first. @throws AppError not-allowed */
  list(admin: Admin, query: JobQuery): Promise<{ jobs: Job[]; after: string | null }>;
  /** What goes on, and what has ended lately. */
  summary(admin: Admin): Promise<JobSummary>;
}

const PAGE = 50;
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

/** @param lmsOfNow which LMS answers at the moment, as far as it is known */
export function createJobList(
  db: Db,
  kinds: readonly ListedKind[],
  lmsOfNow: () => ReturnType<LmsIdentity['known']>,
): JobList {
  const kindOf = new Map(kinds.map((kind) => [kind.id, kind]));
  const unlisted = kinds.filter(({ listed }) => !listed).map(({ id }) => id);

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

  return { list, summary };
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
