/** The list of jobs, which is also their history, and the recently ended ones. */
import { IMPORT, type Job, type JobQuery, type JobSummary } from '@lms-admin/contract/jobs';
import { TOOLS } from '@lms-admin/contract/tools';
import { and, desc, eq, gt, gte, ilike, inArray, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import { mayUse } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import type { Db } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { jobs } from '../platform/schema.ts';
import type { ListedKind } from './kind.ts';
import { type ListedJob, toJob } from './present.ts';
import { isToBeSeen } from './to-be-seen.ts';
import { readUndoMarks } from './undo-marks.ts';

export interface ListedJobs {
  jobs: Job[];
  /** Cursor for the next page; null on the last page. */
  after: string | null;
}

const PAGE = 50;
/** How long an ended job counts as news, in milliseconds, and how many are listed. */
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
  about: jobs.about,
  undoes: jobs.undoes,
  undoesPart: jobs.undoesPart,
  key: jobs.key,
  state: jobs.state,
  outcome: jobs.outcome,
  stage: jobs.stage,
  done: jobs.done,
  total: jobs.total,
  unit: jobs.unit,
  waitUntil: jobs.waitUntil,
  waitWhy: jobs.waitWhy,
  needsSignIn: jobs.needsSignIn,
  figures: jobs.figures,
  note: jobs.note,
  problem: jobs.problem,
  refused: jobs.refused,
  attempts: jobs.attempts,
  troubleSince: jobs.troubleSince,
  cancelRequestedAt: jobs.cancelRequestedAt,
  createdAt: jobs.createdAt,
  startedAt: jobs.startedAt,
  updatedAt: jobs.updatedAt,
  endedAt: jobs.endedAt,
  seenAt: jobs.seenAt,
  forgottenAt: jobs.forgottenAt,
  leaseOwner: jobs.leaseOwner,
  leaseUntil: jobs.leaseUntil,
};

export class JobList {
  readonly #db: Db;
  readonly #kinds: ReadonlyMap<string, ListedKind>;
  readonly #unlisted: readonly string[];
  readonly #lmsOfNow: () => string;

  /** @param lmsOfNow the LMS that LMS Admin currently uses, if known */
  constructor(db: Db, kinds: readonly ListedKind[], lmsOfNow: () => string) {
    this.#db = db;
    this.#kinds = new Map(kinds.map((kind) => [kind.id, kind]));
    this.#unlisted = kinds.filter(({ listed }) => !listed).map(({ id }) => id);
    this.#lmsOfNow = lmsOfNow;
  }

  /** Lists the admin's own jobs, newest first; all jobs only with `perm` `ALL`. @throws AppError not-allowed */
  async list(admin: Admin, query: JobQuery): Promise<ListedJobs> {
    if (query.all && admin.record.perm !== 'ALL') throw new AppError('not-allowed');
    const rows: ListedJob[] = await this.#db
      .select(LISTED)
      .from(jobs)
      .where(this.#filterOf(admin, query))
      .orderBy(desc(jobs.createdAt), desc(jobs.id))
      .limit(PAGE + 1);
    const page = rows.slice(0, PAGE);
    const last = page.at(-1);
    const lms = this.#lmsOfNow();
    const undone = await readUndoMarks(
      this.#db,
      page.map(({ id }) => id),
    );
    const shown = page.map((row) => toJob(row, this.#kinds.get(row.kind), admin, lms, undone.get(row.id)));
    return {
      jobs: await Promise.all(shown),
      after: rows.length > PAGE && last ? `${last.createdAt.toISOString()}_${last.id}` : null,
    };
  }

  /** Lists work in progress, and work that ended recently. */
  async summary(admin: Admin): Promise<JobSummary> {
    const own = eq(jobs.login, admin.login);
    const [counts, ended, imports] = await Promise.all([
      this.#counts(own),
      this.#news(own),
      this.#importTools(own),
    ]);
    return {
      running: counts[0]?.running ?? 0,
      unseen: counts[0]?.unseen ?? 0,
      imports: imports.map(({ tool }) => tool),
      ended: ended.map(({ endedAt, ...one }) => ({ ...one, ended_at: endedAt?.toISOString() ?? null })),
    };
  }

  #filterOf(admin: Admin, query: JobQuery): SQL | undefined {
    return and(
      query.all ? undefined : eq(jobs.login, admin.login),
      query.kind === undefined ? listedOnly(this.#unlisted) : eq(jobs.kind, query.kind),
      query.tool === undefined ? undefined : eq(jobs.tool, query.tool),
      query.state === undefined ? undefined : ofState(query.state),
      ...(query.text ?? '').split(/\s+/).flatMap((word) => (word === '' ? [] : [contains(word, admin)])),
      query.from === undefined ? undefined : gte(jobs.createdAt, new Date(query.from)),
      query.to === undefined ? undefined : lt(jobs.createdAt, endOf(query.to)),
      query.after === undefined ? undefined : olderThan(query.after),
    );
  }

  #counts(own: SQL) {
    return this.#db
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
              eq(jobs.refused, false),
              gt(jobs.endedAt, sql`now() - interval '30 days'`),
            ),
          ),
        ),
      );
  }

  #importTools(own: SQL) {
    return this.#db
      .selectDistinct({ tool: jobs.tool })
      .from(jobs)
      .where(and(own, eq(jobs.kind, IMPORT), isToBeSeen()));
  }

  #news(own: SQL) {
    return this.#db
      .select({
        id: jobs.id,
        tool: jobs.tool,
        kind: jobs.kind,
        label: jobs.label,
        outcome: jobs.outcome,
        endedAt: jobs.endedAt,
      })
      .from(jobs)
      .where(and(own, listedOnly(this.#unlisted), gt(jobs.endedAt, new Date(Date.now() - NEWS_MS))))
      .orderBy(desc(jobs.endedAt))
      .limit(MOST_NEWS);
  }
}

/** Hides work of these kinds, such as a review, unless it is running, or failed for a reason other than its input. */
function listedOnly(unlisted: readonly string[]): SQL | undefined {
  if (unlisted.length === 0) return undefined;
  return or(
    sql`${jobs.kind} not in ${[...unlisted]}`,
    isNull(jobs.endedAt),
    and(eq(jobs.outcome, 'failed'), eq(jobs.refused, false)),
  );
}

function ofState(state: NonNullable<JobQuery['state']>): SQL | undefined {
  if (state === 'open') return isNull(jobs.endedAt);
  if (state === 'to-be-seen') return isToBeSeen();
  if (state === 'partly') return eq(jobs.outcome, 'partly');
  if (state === 'done') return and(eq(jobs.state, 'done'), ne(jobs.outcome, 'partly'));
  return eq(jobs.state, state);
}

/**
 * Selects entries that contain a text, including in the name of the tool. The details of an entry are searched only for
 * people who can see them.
 */
function contains(text: string, admin: Admin): SQL | undefined {
  const word = text.toLowerCase();
  const named = TOOLS.flatMap(({ id, tab }) => (tab?.toLowerCase().includes(word) ? [id] : []));
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const open = TOOLS.filter(({ id }) => mayUse(admin, id)).map(({ id }) => id);
  return or(
    ilike(jobs.label, pattern),
    ilike(jobs.name, pattern),
    ilike(jobs.login, pattern),
    inArray(jobs.tool, named),
    and(
      or(eq(jobs.login, admin.login), inArray(jobs.tool, open)),
      sql`exists (select from jsonb_path_query(${jobs.about}, '$.*[*] ? (@.type() == "string")') as one where one #>> '{}' ilike ${pattern})`,
    ),
  );
}

/** Converts the end of a period to a point in time: a date means the end of that day. */
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
