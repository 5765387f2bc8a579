/** The Best Teaching Award over HTTP: the requests of its two tools. Every key begins with `award`. */
import {
  type AwardReportAnswer,
  type AwardStats,
  awardReportAnswer,
  awardStats,
  lastUpdated,
  listReplaced,
  listRow,
  openingRecord,
  previousList,
  refreshAnswer,
  type SheetRecord,
} from '@lms-admin/contract/awards';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { AwardView, CourseType } from '@lms-admin/domain/award-campuses';
import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { getJson, postJson } from './client.ts';
import { queryClient } from './queries.ts';

/**
 * Other people can change the data, so each screen fetches it again, even when the administrator only returns to it.
 */
const always = { staleTime: 0, gcTime: 60_000, refetchOnWindowFocus: true } as const;

/** The opening date of the vote: a list of one record, or an empty list before the first date is set (BTA-42). */
export const openingQuery = queryOptions({
  queryKey: ['award', 'opening'],
  queryFn: ({ signal }) => getJson(ENDPOINTS.awardOpening, z.array(openingRecord), { signal }),
  ...always,
});

/** Codes of the campuses that have a report (BTA-44). */
export const campusesQuery = queryOptions({
  queryKey: ['award', 'campuses'],
  queryFn: ({ signal }) => getJson(ENDPOINTS.awardCampuses, z.array(z.string()), { signal }),
  ...always,
});

/** Who last changed the list, and when (BTA-45). */
export const updatedQuery = queryOptions({
  queryKey: ['award', 'updated'],
  queryFn: ({ signal }) => getJson(ENDPOINTS.awardUpdated, z.array(lastUpdated), { signal }),
  ...always,
});

/** The current list (BTA-46). */
export const listQuery = queryOptions({
  queryKey: ['award', 'list'],
  queryFn: ({ signal }) => getJson(ENDPOINTS.awardList, z.array(listRow), { signal }),
  ...always,
});

/** The previous list. */
export const previousQuery = queryOptions({
  queryKey: ['award', 'previous'],
  queryFn: ({ signal }) => getJson(ENDPOINTS.awardPrevious, previousList, { signal }),
  ...always,
});

/** Milliseconds between two polls: for a running refresh, and for figures that expire or that others can change. */
const REFRESH_MS = 2_000;
const FRESH_MS = 60_000;

/** Counts of the responses, and whether the survey is being read (BTA-49). */
export const statsQuery = queryOptions({
  queryKey: ['award', 'stats'],
  queryFn: ({ signal }) => getJson(ENDPOINTS.awardStats, awardStats, { signal }),
  ...always,
  refetchInterval: ({ state }) => pauseOf(state.data),
});

function pauseOf(stats: AwardStats | undefined): number | false {
  if (stats === undefined) return false;
  // Another administrator may refresh outdated figures, and the report must not differ from the card above it.
  return stats.refresh === null ? FRESH_MS : REFRESH_MS;
}

/** The subject of a report, by codes that the server knows. */
export interface AwardChoice {
  view: AwardView;
  campus: string;
  type: CourseType;
}

/**
 * Defines the query for a report (BTA-48).
 * @param asOf when the survey was read; newer figures have another key, and the earlier report is shown until they load
 */
export function reportQuery(choice: AwardChoice, asOf: string | null) {
  return queryOptions({
    queryKey: ['award', 'report', choice, asOf],
    queryFn: ({ signal }): Promise<AwardReportAnswer> => {
      const { path, query } = reportAddress(choice);
      return getJson(path, awardReportAnswer, { query, signal });
    },
    ...always,
    // Another administrator may replace the list.
    refetchInterval: FRESH_MS,
  });
}

function reportAddress({ view, campus, type }: AwardChoice): { path: string; query: [string, string][] } {
  const at = (path: string) => path.replace(':id', encodeURIComponent(campus));
  if (view === 'by-prof') return { path: at(ENDPOINTS.awardByProf), query: [['course_type', type]] };
  return { path: at(type === 'core' ? ENDPOINTS.awardCore : ENDPOINTS.awardElective), query: [] };
}

/** Starts reading the survey again (BTA-50, OP-61). */
export function startRefresh(survey: string) {
  const path = ENDPOINTS.awardRefresh.replace(':survey', encodeURIComponent(survey));
  return postJson(path, undefined, refreshAnswer);
}

/** Saves the opening date of the vote (BTA-43). */
export function saveOpening(date: string) {
  return postJson(ENDPOINTS.awardOpening, { opening_date: date }, z.array(openingRecord));
}

/** Makes a checked list the current one. @param version of the list that it was compared with */
export function replaceList(rows: readonly SheetRecord[], version: number) {
  return postJson(`${ENDPOINTS.awardList}?version=${version}`, rows, listReplaced);
}

/** Makes the previous list current again. @param version its number */
export function restoreList(version: number) {
  return postJson(ENDPOINTS.awardRestore, { version }, listReplaced);
}

/** Fetches all award data on the screen again after a change. */
export function awardChanged(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['award'] });
}
