/** Long work over HTTP: start, look, cancel, and what the top bar needs to know of it. */
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import {
  type Job,
  type JobDetail,
  type JobSummary,
  job,
  jobDetail,
  jobSummary,
} from '@lms-admin/contract/jobs';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { getJson, postJson } from './client.ts';
import { ApiError } from './errors.ts';
import { queryClient } from './queries.ts';
import { useSession } from './session.ts';
import { untilVisible } from './visible.ts';

const path = (endpoint: string, id: string) => endpoint.replace(':job', encodeURIComponent(id));

/** A job with all that came of it, once someone can see it: the server takes one that has ended as seen. */
export async function getJob(id: string, signal?: AbortSignal): Promise<JobDetail> {
  await untilVisible(signal);
  return getJson(path(ENDPOINTS.job, id), jobDetail, { signal });
}

/** Starts work of a kind; the same key again answers with the first job. */
export async function startJob(
  kind: string,
  body: { key: string; input: unknown },
  signal?: AbortSignal,
): Promise<Job> {
  const started = await postJson(jobStartPath(kind), body, job, {
    signal,
  });
  jobsChanged();
  return started;
}

/** Starts it once for each key, however often a page that wants it is opened. */
export function jobStartQuery(kind: string, key: string, input: unknown) {
  return queryOptions({
    queryKey: ['job-start', kind, key],
    queryFn: ({ signal }) => startJob(kind, { key, input }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Asks for the end of a job; it ends at its next step. */
export async function cancelJob(id: string): Promise<Job> {
  const asked = await postJson(path(ENDPOINTS.jobCancel, id), undefined, job);
  jobsChanged();
  return asked;
}

/** Where a file that a job made is fetched. */
export function jobFilePath(job: string, file: string): string {
  return path(ENDPOINTS.jobFile, job).replace(':file', encodeURIComponent(file));
}

/** Notes that the person has seen how a job ended; the screen that says so does not depend on it. */
export function noteSeen(id: string): void {
  getJob(id).then(jobsChanged, jobsChanged);
}

/** The other tabs of this browser; null where there is no browser. */
const tabs = 'document' in globalThis ? new BroadcastChannel('lms-admin-jobs') : null;
tabs?.addEventListener('message', lookUpJobs);

/** Something of ours has begun, ended or been seen: what the screens say of it is looked up again, in other tabs as well. */
export function jobsChanged(): void {
  lookUpJobs();
  // A channel reaches this origin only, and takes no other.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  tabs?.postMessage(null);
}

/** What the screens of this tab say of work is looked up again. */
export function lookUpJobs(): void {
  void queryClient.invalidateQueries({ queryKey: ['jobs'] });
}

/** Milliseconds between two polls of the summary: while something runs and someone watches, runs unwatched, and else. */
const BUSY_MS = 5_000;
const UNWATCHED_MS = 15_000;
const QUIET_MS = 60_000;

const summaryQuery = queryOptions({
  queryKey: ['jobs', 'summary'],
  queryFn: ({ signal }) => getJson(ENDPOINTS.jobSummary, jobSummary, { signal }),
  refetchInterval: ({ state }) =>
    (state.data?.running ?? 0) === 0
      ? QUIET_MS
      : document.visibilityState === 'visible'
        ? BUSY_MS
        : UNWATCHED_MS,
  // A hidden tab is where a notice helps.
  refetchIntervalInBackground: true,
  refetchOnWindowFocus: 'always',
  staleTime: BUSY_MS,
  retry: false,
});

/** How much of the person's own work goes on and what has ended lately; null until it is known. */
export function useJobSummary(): JobSummary | null {
  const { profile, loginExpired } = useSession();
  return useQuery({ ...summaryQuery, enabled: profile !== null && !loginExpired }).data ?? null;
}

/** Why a job failed, as a failure to show; null for one that did not. */
export function problemOf({ problem }: Pick<Job, 'problem'>): ApiError | null {
  return problem === null ? null : new ApiError(200, { ...problem, code: 'internal', requestId: null });
}
