/** The Best Teaching Award over HTTP: what its two tools ask for. Every key begins with `award`. */
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

/** What others do counts as well, so each screen asks again, also when someone comes back to it. */
const always = { staleTime: 0, gcTime: 60_000, refetchOnWindowFocus: true } as const;

/** When the vote opens: a list of one record, or of none before the first date (BTA-42). */
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

/** Who changed the list last, and when (BTA-45). */
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

/** The former list. */
export const previousQuery = queryOptions({
  queryKey: ['award', 'previous'],
  queryFn: ({ signal }) => getJson(ENDPOINTS.awardPrevious, previousList, { signal }),
  ...always,
});

/** Milliseconds between two looks: at a refresh that goes on, and at figures whose hour passes or that others change. */
const REFRESH_MS = 2_000;
const FRESH_MS = 60_000;

/** What became of the responses, and whether the survey is being read (BTA-49). */
export const statsQuery = queryOptions({
  queryKey: ['award', 'stats'],
  queryFn: ({ signal }) => getJson(ENDPOINTS.awardStats, awardStats, { signal }),
  ...always,
  refetchInterval: ({ state }) => pauseOf(state.data),
});

function pauseOf(stats: AwardStats | undefined): number | false {
  if (stats === undefined) return false;
  if (stats.refresh !== null) return REFRESH_MS;
  return stats.up_to_date ? FRESH_MS : false;
}

/** What a report is about, by codes that the server knows. */
export interface AwardChoice {
  view: AwardView;
  campus: string;
  type: CourseType;
}

/**
 * A report (BTA-48).
 * @param asOf when the survey was read: figures that are newer make another answer, and the former one stays until then
 */
export function reportQuery(choice: AwardChoice, asOf: string | null) {
  return queryOptions({
    queryKey: ['award', 'report', choice, asOf],
    queryFn: ({ signal }): Promise<AwardReportAnswer> => {
      const { path, query } = reportAddress(choice);
      return getJson(path, awardReportAnswer, { query, signal });
    },
    ...always,
    // Someone else may bring another list into force.
    refetchInterval: FRESH_MS,
  });
}

function reportAddress({ view, campus, type }: AwardChoice): { path: string; query: [string, string][] } {
  const at = (path: string) => path.replace(':id', encodeURIComponent(campus));
  if (view === 'by-prof') return { path: at(ENDPOINTS.awardByProf), query: [['course_type', type]] };
  return { path: at(type === 'core' ? ENDPOINTS.awardCore : ENDPOINTS.awardElective), query: [] };
}

/** Asks for the survey to be read again (BTA-50, OP-61). */
export function startRefresh(survey: string) {
  const path = ENDPOINTS.awardRefresh.replace(':survey', encodeURIComponent(survey));
  return postJson(path, undefined, refreshAnswer);
}

/** Saves when the vote opens (BTA-43). */
export function saveOpening(date: string) {
  return postJson(ENDPOINTS.awardOpening, { opening_date: date }, z.array(openingRecord));
}

/** Puts a list that was checked into force. @param version of the list that it was compared with */
export function replaceList(rows: readonly SheetRecord[], version: number) {
  return postJson(`${ENDPOINTS.awardList}?version=${version}`, rows, listReplaced);
}

/** Puts the former list into force again. @param version its number */
export function restoreList(version: number) {
  return postJson(ENDPOINTS.awardRestore, { version }, listReplaced);
}

/** Something of the award has changed: whatever is shown of it is asked for again. */
export function awardChanged(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['award'] });
}
