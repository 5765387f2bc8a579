/** The refresh as it is asked for, and the summary of the responses (BTA-49, BTA-50, OP-90). */
import { setTimeout as sleep } from 'node:timers/promises';
import { AWARD_REFRESH, type AwardStats, type RefreshAnswer } from '@lms-admin/contract/awards';
import { awardReportMessages } from '@lms-admin/contract/messages/awards';
import { isUpToDate } from '@lms-admin/domain/award-opening';
import { LEFT_OUT, type LeftOut } from '@lms-admin/domain/award-votes';
import type { Admin } from '../auth/admin.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { AppError } from '../platform/errors.ts';
import { NOT_CONFIGURED, type QualtricsClient } from '../qualtrics/client.ts';
import type { Opening } from './opening.ts';
import type { Surveyed, Surveys } from './surveys.ts';

export interface Refresh {
  stats(admin: Admin): Promise<AwardStats>;
  /** Begins a refresh, joins the one that goes on, or says that none is needed. @throws AppError not-found, outside-refused */
  begin(admin: Admin, survey: string, requestId: string): Promise<RefreshAnswer>;
  /** The same, and waits for its end for some seconds. @throws like `begin`; outside-odd when it has failed */
  beginAndWait(admin: Admin, survey: string, requestId: string, gone: AbortSignal): Promise<RefreshAnswer>;
}

export interface RefreshStart {
  jobs: Jobs;
  surveys: Surveys;
  opening: Opening;
  qualtrics: Pick<QualtricsClient, 'survey'>;
  now: () => number;
}

/** How long, and how often, a GET looks for the end. */
const WAIT_MS = 10_000;
const LOOK_MS = 250;
/** Tries to be the one that begins, when others begin at the same moment. */
const MOST_TRIES = 5;
const words = awardReportMessages;

/** Another one was first. */
class Joined extends Error {
  override name = 'Joined';
}

export function createRefresh({ jobs, surveys, opening, qualtrics, now }: RefreshStart): Refresh {
  const isFresh = async ({ readAt, countedFrom }: Surveyed) =>
    isUpToDate(readAt?.getTime() ?? null, now()) &&
    countedFrom === ((await opening.read())?.opening_date ?? null);

  function requireSurvey(asked: string): string {
    if (qualtrics.survey === null) throw new AppError('outside-refused', NOT_CONFIGURED);
    if (asked === qualtrics.survey) return asked;
    throw new AppError('not-found', {
      message: 'This is not the survey of the award.',
      next: 'Reload the page, and refresh again.',
    });
  }

  async function begin(admin: Admin, asked: string, requestId: string): Promise<RefreshAnswer> {
    const survey = requireSurvey(asked);
    const running = (job: { id: string; login: string }): RefreshAnswer => ({
      status: 'running',
      job: job.id,
      own: job.login === admin.login,
      message: words.refreshing,
    });
    for (let tries = 1; ; tries++) {
      const found = await surveys.read(survey);
      if (found.job !== null && found.job.endedAt === null) return running(found.job);
      if (await isFresh(found)) return { status: 'up-to-date', job: null, own: false, message: words.fresh };
      const after = found.job?.id ?? null;
      const what = {
        kind: AWARD_REFRESH,
        tool: 'award-reports' as const,
        label: 'Refresh the votes of the Best Teaching Award',
        key: `${survey} after ${after ?? 'none'}`,
        input: { survey },
        // It has nothing to do with the LMS.
        lms: '',
        requestId,
      };
      try {
        const claim = async (tx: Parameters<Surveys['claim']>[0], id: string) => {
          if (!(await surveys.claim(tx, survey, after, id))) throw new Joined();
        };
        return running(await jobs.start(admin, what, claim));
      } catch (error) {
        if (!(error instanceof Joined) || tries >= MOST_TRIES) throw error;
      }
    }
  }

  return {
    begin,
    async beginAndWait(admin, asked, requestId, gone) {
      const begun = await begin(admin, asked, requestId);
      for (const until = Date.now() + WAIT_MS; begun.status === 'running' && Date.now() < until; ) {
        await sleep(LOOK_MS, undefined, { signal: gone });
        const { job } = await surveys.read(asked);
        if (job?.id !== begun.job || job.endedAt === null) continue;
        if (job.outcome === 'done') return { ...begun, status: 'success', message: words.upToDate };
        throw new AppError('outside-odd', failureOf(job));
      }
      return begun;
    },
    async stats(admin) {
      const { survey } = qualtrics;
      const found: Surveyed =
        survey === null
          ? { job: null, readAt: null, countedFrom: null, counted: null }
          : await surveys.read(survey);
      const { job, readAt, counted, countedFrom } = found;
      const open = job !== null && job.endedAt === null;
      return {
        responsecount: counted?.responses ?? 0,
        createdAt: readAt?.toISOString() ?? null,
        survey_id: survey,
        not_configured:
          survey === null ? { message: NOT_CONFIGURED.message, next: NOT_CONFIGURED.next } : null,
        up_to_date: survey !== null && (await isFresh(found)),
        counted_from: countedFrom,
        total: counted?.total ?? 0,
        left_out: counted?.leftOut ?? NONE,
        anonymous: counted?.anonymous ?? 0,
        blank: counted?.blank ?? 0,
        refresh: open
          ? {
              job: job.id,
              own: job.login === admin.login,
              by: job.name,
              stage: job.state === 'waiting' ? job.waitWhy : job.stage,
              started_at: job.createdAt.toISOString(),
            }
          : null,
        failed:
          job?.outcome === 'failed' && job.endedAt !== null
            ? { ...failureOf(job), at: job.endedAt.toISOString() }
            : null,
      };
    },
  };
}

const NONE = Object.fromEntries(LEFT_OUT.map((reason) => [reason, 0])) as Record<LeftOut, number>;

function failureOf({ outcome, problem }: Pick<NonNullable<Surveyed['job']>, 'outcome' | 'problem'>) {
  if (problem !== null) return problem;
  const message = outcome === 'cancelled' ? 'The refresh was cancelled.' : 'The refresh has failed.';
  return { message, next: 'Refresh again.' };
}
