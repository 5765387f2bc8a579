/** Starting a refresh, and the summary of the responses (BTA-49, BTA-50, OP-90). */
import { setTimeout as sleep } from 'node:timers/promises';
import { AWARD_REFRESH, type AwardStats, type RefreshAnswer } from '@lms-admin/contract/awards';
import { awardReportMessages } from '@lms-admin/contract/messages/awards';
import { isUpToDate } from '@lms-admin/domain/award-opening';
import { LEFT_OUT, type LeftOut } from '@lms-admin/domain/award-votes';
import type { Admin } from '../auth/admin.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { JobRow } from '../jobs/kind.ts';
import { AppError } from '../platform/errors.ts';
import { NOT_CONFIGURED, type QualtricsClient } from '../qualtrics/client.ts';
import type { Opening } from './opening.ts';
import type { Surveyed, Surveys } from './surveys.ts';

export interface RefreshStart {
  jobs: Jobs;
  surveys: Surveys;
  opening: Opening;
  qualtrics: Pick<QualtricsClient, 'survey'>;
  now: () => number;
}

/** How long a GET waits for the end, and how often it checks. */
const WAIT_MS = 10_000;
const LOOK_MS = 250;
/** Number of attempts to start a refresh when others start one at the same time. */
const MOST_TRIES = 5;
const words = awardReportMessages;

/** Another request started the refresh first. */
class Joined extends Error {
  override name = 'Joined';
}

export class Refresh {
  readonly #parts: RefreshStart;

  constructor(parts: RefreshStart) {
    this.#parts = parts;
  }

  /**
   * Starts a refresh, joins a running one, or reports that none is needed.
   * @throws AppError not-found, outside-refused
   */
  async begin(admin: Admin, surveyId: string, requestId: string): Promise<RefreshAnswer> {
    const survey = this.#requireSurvey(surveyId);
    for (let tries = 1; ; tries++) {
      const found = await this.#parts.surveys.read(survey);
      if (found.job !== null && found.job.endedAt === null) return runningAnswer(found.job, admin);
      if (await this.#isFresh(found))
        return { status: 'up-to-date', job: null, own: false, message: words.fresh };
      try {
        const job = await this.#start(admin, survey, found.job?.id ?? null, requestId);
        return runningAnswer(job, admin);
      } catch (error) {
        if (!(error instanceof Joined) || tries >= MOST_TRIES) throw error;
      }
    }
  }

  /** Starts or joins a refresh and waits a few seconds for its end. @throws like `begin`; outside-odd if it failed */
  async beginAndWait(
    admin: Admin,
    surveyId: string,
    requestId: string,
    gone: AbortSignal,
  ): Promise<RefreshAnswer> {
    const begun = await this.begin(admin, surveyId, requestId);
    for (const until = Date.now() + WAIT_MS; begun.status === 'running' && Date.now() < until; ) {
      await sleep(LOOK_MS, undefined, { signal: gone });
      const { job } = await this.#parts.surveys.read(surveyId);
      if (job?.id !== begun.job || job.endedAt === null) continue;
      if (job.outcome === 'done') return { ...begun, status: 'success', message: words.upToDate };
      throw new AppError('outside-odd', failureOf(job));
    }
    return begun;
  }

  async stats(admin: Admin): Promise<AwardStats> {
    const { survey } = this.#parts.qualtrics;
    const found = survey === null ? NOT_SURVEYED : await this.#parts.surveys.read(survey);
    const { job, readAt, counted, countedFrom } = found;
    return {
      responsecount: counted?.responses ?? 0,
      createdAt: readAt?.toISOString() ?? null,
      survey_id: survey,
      not_configured: survey === null ? { message: NOT_CONFIGURED.message, next: NOT_CONFIGURED.next } : null,
      up_to_date: survey !== null && (await this.#isFresh(found)),
      counted_from: countedFrom,
      total: counted?.total ?? 0,
      left_out: counted?.leftOut ?? NONE,
      anonymous: counted?.anonymous ?? 0,
      blank: counted?.blank ?? 0,
      refresh: runningOf(job, admin),
      failed:
        job?.outcome === 'failed' && job.endedAt !== null
          ? { ...failureOf(job), at: job.endedAt.toISOString() }
          : null,
    };
  }

  #requireSurvey(surveyId: string): string {
    const { survey } = this.#parts.qualtrics;
    if (survey === null) throw new AppError('outside-refused', NOT_CONFIGURED);
    if (surveyId === survey) return surveyId;
    throw new AppError('not-found', {
      message: 'This is not the survey of the award.',
      next: 'Reload the page, and refresh again.',
    });
  }

  async #isFresh({ readAt, countedFrom }: Surveyed): Promise<boolean> {
    const { opening, now } = this.#parts;
    return (
      isUpToDate(readAt?.getTime() ?? null, now()) &&
      countedFrom === ((await opening.read())?.opening_date ?? null)
    );
  }

  /** @throws Joined if another request was first */
  #start(admin: Admin, survey: string, after: string | null, requestId: string): Promise<JobRow> {
    const what = {
      kind: AWARD_REFRESH,
      tool: 'award-reports' as const,
      label: 'Refresh the votes of the Best Teaching Award',
      key: `${survey} after ${after ?? 'none'}`,
      input: { survey },
      // The work does not involve the LMS.
      lms: '',
      requestId,
    };
    return this.#parts.jobs.start(admin, what, async (tx, id) => {
      if (!(await this.#parts.surveys.claim(tx, survey, after, id))) throw new Joined();
    });
  }
}

const NONE = Object.fromEntries(LEFT_OUT.map((reason) => [reason, 0])) as Record<LeftOut, number>;
const NOT_SURVEYED: Surveyed = { job: null, readAt: null, countedFrom: null, counted: null };

function runningAnswer(job: Pick<JobRow, 'id' | 'login'>, admin: Admin): RefreshAnswer {
  return { status: 'running', job: job.id, own: job.login === admin.login, message: words.refreshing };
}

/** Returns the running refresh, or null if there is none. */
function runningOf(job: Surveyed['job'], admin: Admin): AwardStats['refresh'] {
  if (job === null || job.endedAt !== null) return null;
  return {
    job: job.id,
    own: job.login === admin.login,
    by: job.name,
    stage: job.state === 'waiting' ? job.waitWhy : job.stage,
    started_at: job.createdAt.toISOString(),
  };
}

function failureOf({ outcome, problem }: Pick<NonNullable<Surveyed['job']>, 'outcome' | 'problem'>) {
  if (problem !== null) return problem;
  const message = outcome === 'cancelled' ? 'The refresh was cancelled.' : 'The refresh failed.';
  return { message, next: 'Refresh again.' };
}
