/** Votes counted from the award's survey, and the job that counts them: one at a time for all admins (OP-90). */
import type { CountedVotes } from '@lms-admin/domain/award-votes';
import { and, eq, sql } from 'drizzle-orm';
import type { JobRow } from '../jobs/kind.ts';
import type { Db } from '../platform/database.ts';
import { awardSurveys, jobs } from '../platform/schema.ts';

export interface Surveyed {
  /** The latest refresh, or null before the first. */
  job: Pick<
    JobRow,
    'id' | 'login' | 'name' | 'state' | 'stage' | 'waitWhy' | 'createdAt' | 'endedAt' | 'outcome' | 'problem'
  > | null;
  /** When the survey was read, or null before the first time. */
  readAt: Date | null;
  countedFrom: string | null;
  counted: CountedVotes | null;
}

export interface Surveys {
  /** Returns the stored state of a survey. */
  read(survey: string): Promise<Surveyed>;
  /** Returns when the survey was read, without loading the votes; null before the first time. */
  readAt(survey: string): Promise<Date | null>;
  /**
   * Records this job as the one that counts the votes, in the transaction that creates it.
   * @param after the job that was the latest; null for none
   * @returns false if there is a later job
   */
  claim(tx: Db, survey: string, after: string | null, job: string): Promise<boolean>;
  /** Stores the votes that a job has counted, in its transaction. */
  store(tx: Db, survey: string, of: Pick<Surveyed, 'counted' | 'countedFrom' | 'readAt'>): Promise<void>;
}

const NOTHING: Surveyed = { job: null, readAt: null, countedFrom: null, counted: null };

export function createSurveys(db: Db): Surveys {
  return {
    async read(survey) {
      const [row] = await db
        .select({
          job: {
            id: jobs.id,
            login: jobs.login,
            name: jobs.name,
            state: jobs.state,
            stage: jobs.stage,
            waitWhy: jobs.waitWhy,
            createdAt: jobs.createdAt,
            endedAt: jobs.endedAt,
            outcome: jobs.outcome,
            problem: jobs.problem,
          },
          readAt: awardSurveys.readAt,
          countedFrom: awardSurveys.countedFrom,
          counted: awardSurveys.counted,
        })
        .from(awardSurveys)
        .leftJoin(jobs, eq(jobs.id, awardSurveys.jobId))
        .where(eq(awardSurveys.id, survey));
      return row ?? NOTHING;
    },
    async readAt(survey) {
      const [row] = await db
        .select({ readAt: awardSurveys.readAt })
        .from(awardSurveys)
        .where(eq(awardSurveys.id, survey));
      return row?.readAt ?? null;
    },
    async claim(tx, survey, after, job) {
      await tx.insert(awardSurveys).values({ id: survey }).onConflictDoNothing();
      const claimed = await tx
        .update(awardSurveys)
        .set({ jobId: job })
        .where(
          and(eq(awardSurveys.id, survey), sql`${awardSurveys.jobId} is not distinct from ${after}::uuid`),
        )
        .returning({ id: awardSurveys.id });
      return claimed.length > 0;
    },
    async store(tx, survey, set) {
      await tx
        .insert(awardSurveys)
        .values({ id: survey, ...set })
        .onConflictDoUpdate({ target: awardSurveys.id, set });
    },
  };
}
