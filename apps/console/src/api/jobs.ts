/** Jobs over HTTP: starting, reading, cancelling, and the summary that the top bar shows. */
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

/** Reads a job with its result, but only once the page is visible, because reading a finished job marks it as seen. */
export async function getJob(id: string, signal?: AbortSignal): Promise<JobDetail> {
  await untilVisible(signal);
  return getJson(path(ENDPOINTS.job, id), jobDetail, { signal });
}

/** Starts a job of the given kind. A repeated key returns the job that was started first. */
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

/** Starts a job once for each key, however often a page that needs it is opened. */
export function jobStartQuery(kind: string, key: string, input: unknown) {
  return queryOptions({
    queryKey: ['job-start', kind, key],
    queryFn: ({ signal }) => startJob(kind, { key, input }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Asks the server to cancel a job; the job ends at its next step. */
export async function cancelJob(id: string): Promise<Job> {
  const answer = await postJson(path(ENDPOINTS.jobCancel, id), undefined, job);
  jobsChanged();
  return answer;
}

/** Returns the address of a file that a job created. */
export function jobFilePath(job: string, file: string): string {
  return path(ENDPOINTS.jobFile, job).replace(':file', encodeURIComponent(file));
}

/** Records that the administrator has seen how a job ended; the screen does not wait for the answer. */
export function noteSeen(id: string): void {
  getJob(id).then(jobsChanged, jobsChanged);
}

/** The other tabs of this browser; null outside a browser. */
const tabs = 'document' in globalThis ? new BroadcastChannel('lms-admin-jobs') : null;
tabs?.addEventListener('message', lookUpJobs);

/** Reloads all job data on the screens, also in other tabs, after a job has started, ended or been seen. */
export function jobsChanged(): void {
  lookUpJobs();
  // A channel reaches this origin only, so it needs no target.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  tabs?.postMessage(null);
}

/** Reloads all job data on the screens of this tab. */
export function lookUpJobs(): void {
  void queryClient.invalidateQueries({ queryKey: ['jobs'] });
}

/** Milliseconds between two polls: while a running job is watched, while one runs unwatched, and otherwise. */
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
  // Notices are most useful while the tab is hidden.
  refetchIntervalInBackground: true,
  refetchOnWindowFocus: 'always',
  staleTime: BUSY_MS,
  retry: false,
});

/** Counts the administrator's running jobs, and lists those that have ended recently; null until both are known. */
export function useJobSummary(): JobSummary | null {
  const { profile, loginExpired } = useSession();
  return useQuery({ ...summaryQuery, enabled: profile !== null && !loginExpired }).data ?? null;
}

/** Converts the problem of a failed job to an error to show; null if the job did not fail. */
export function problemOf({ problem }: Pick<Job, 'problem'>): ApiError | null {
  return problem === null ? null : new ApiError(200, { ...problem, code: 'internal', requestId: null });
}
