import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import {
  EFFECT_PAGE,
  type SisEffectRows,
  sisEffectCourses,
  sisEffectRows,
} from '@lms-admin/contract/sis-effects';
import type { SisDoes } from '@lms-admin/domain/sis-effect';
import { type UseQueryResult, useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { getJson } from '../../api/client.ts';
import { type CourseRows, courseLines, foundLines } from './effect-tree.ts';

export interface EffectOf {
  file: string;
  createdAt: string;
  /** The only kind of change to show; null for all. */
  does: SisDoes | null;
}

type Query = [string, string][];
const askFor = ({ does }: EffectOf): Query => (does === null ? [] : [['does', does]]);

function rowsPage({ file }: EffectOf, query: Query, page: number, signal: AbortSignal) {
  return getJson(ENDPOINTS.sisEffectRows.replace(':file', encodeURIComponent(file)), sisEffectRows, {
    query: [['table', 'enrollment'], ...query, ['page', String(page)]],
    signal,
  });
}

const more = (last: { all: number }, pages: readonly unknown[]) =>
  pages.length * EFFECT_PAGE < last.all ? pages.length + 1 : undefined;

/** Groups the loaded rows by the index of their course. @param places of the results, in order */
function rowsByPlace(results: UseQueryResult<SisEffectRows>[], places: readonly number[]) {
  const rowsOf = new Map<number, CourseRows>();
  for (const [at, { data }] of results.entries()) {
    const place = places[at];
    if (data === undefined || place === undefined) continue;
    rowsOf.set(place, { rows: [...(rowsOf.get(place)?.rows ?? []), ...data.rows], all: data.all });
  }
  const failed = results.filter((one) => one.error !== null && !one.isFetching);
  return {
    rowsOf,
    error: failed[0]?.error ?? null,
    retry: () => {
      for (const one of failed) void one.refetch();
    },
  };
}

/** Loads the courses of the enrolment rows, as many as requested, with the rows of opened courses. */
export function useEffectCourses(of: EffectOf) {
  const { file, createdAt, does } = of;
  const [pagesOf, setPagesOf] = useState<ReadonlyMap<number, number>>(new Map());
  const query = useInfiniteQuery({
    queryKey: ['sis-effects', file, createdAt, 'courses', does],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      getJson(ENDPOINTS.sisEffectCourses.replace(':file', encodeURIComponent(file)), sisEffectCourses, {
        query: [...askFor(of), ['page', String(pageParam)]],
        signal,
      }),
    getNextPageParam: more,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const pages = query.data?.pages;
  const courses = useMemo(() => (pages ?? []).flatMap((page) => page.courses), [pages]);
  const first = courses[0]?.place;
  // The first course is initially open.
  const wanted = useMemo(() => {
    const all = new Map(pagesOf);
    if (first !== undefined && !all.has(first)) all.set(first, 1);
    return [...all].flatMap(([place, count]) =>
      Array.from({ length: count }, (_, at) => ({ place, page: at + 1 })),
    );
  }, [pagesOf, first]);
  const combine = useCallback(
    (results: UseQueryResult<SisEffectRows>[]) =>
      rowsByPlace(
        results,
        wanted.map(({ place }) => place),
      ),
    [wanted],
  );
  const { rowsOf, error, retry } = useQueries({
    queries: wanted.map(({ place, page }) => ({
      queryKey: ['sis-effects', file, createdAt, 'rows', 'enrollment', does, place, page],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        rowsPage(of, [...askFor(of), ['place', String(place)]], page, signal),
      staleTime: Number.POSITIVE_INFINITY,
    })),
    combine,
  });
  const lines = useMemo(() => courseLines(courses, does, rowsOf), [courses, does, rowsOf]);
  /** Loads the next rows of a course. */
  const fetchRows = useCallback((place: number, shown: number) => {
    const page = Math.floor(shown / EFFECT_PAGE) + 1;
    setPagesOf((before) => ((before.get(place) ?? 0) >= page ? before : new Map(before).set(place, page)));
  }, []);
  return { query, lines, all: pages?.[0]?.all ?? 0, fetchRows, rowsError: error, retryRows: retry };
}

/** Finds the rows of enrolments that contain a text, below their courses. */
export function useFoundRows(of: EffectOf, text: string) {
  const query = useInfiniteQuery({
    queryKey: ['sis-effects', of.file, of.createdAt, 'rows', 'enrollment', of.does, 'text', text],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) => rowsPage(of, [...askFor(of), ['text', text]], pageParam, signal),
    getNextPageParam: more,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: text !== '',
  });
  const pages = query.data?.pages;
  const rows = useMemo(() => (pages ?? []).flatMap((page) => page.rows), [pages]);
  const lines = useMemo(() => foundLines(rows), [rows]);
  return { query, lines, shown: rows.length, all: pages?.[0]?.all ?? 0 };
}
