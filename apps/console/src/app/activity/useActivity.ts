import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { job } from '@lms-admin/contract/jobs';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { z } from 'zod';
import { getAnswer } from '../../api/client.ts';
import { useProfile } from '../../api/session.ts';
import { hasEnded } from '../../components/Job/job-words.ts';
import { knownZone } from '../../components/moments.ts';
import { type Filters, queryOf } from './activity-filters.ts';

const jobs = z.array(job);
/** Milliseconds between two polls while an entry of the list is running. */
const EVERY_MS = 5_000;

/** Loads the jobs that match the filters, newest first, a page of 50 at a time; polled while any of them runs. */
export function useActivity(filters: Filters) {
  const { time_zone } = useProfile().userProfile;
  const search = new URLSearchParams(queryOf(filters, knownZone(time_zone))).toString();
  const first = search === '' ? ENDPOINTS.jobs : `${ENDPOINTS.jobs}?${search}`;
  const query = useInfiniteQuery({
    queryKey: ['jobs', 'list', first],
    initialPageParam: first,
    queryFn: ({ pageParam, signal }) => getAnswer(pageParam, jobs, { signal }),
    getNextPageParam: (last) => last.pagination.nextPage,
    refetchInterval: ({ state }) =>
      (state.data?.pages ?? []).some(({ data }) => data.some((one) => !hasEnded(one))) ? EVERY_MS : false,
    // An administrator who returns to the list expects the current state.
    staleTime: 0,
  });
  const rows = useMemo(() => (query.data?.pages ?? []).flatMap(({ data }) => data), [query.data]);
  return { query, rows };
}
