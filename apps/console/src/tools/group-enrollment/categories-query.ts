/** The group categories of a course, each with its groups and their number of members. */
import type { Group, GroupCategory } from '@lms-admin/contract/canvas-objects';
import { queryOptions, type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { invokePages } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';

export function categoriesQuery(course: number) {
  return queryOptions({
    queryKey: ['lms', 'group-categories', course],
    queryFn: async ({ signal }) => {
      const all: GroupCategory[] = [];
      for await (const { data } of invokePages('group-categories', { course }, undefined, { signal }))
        all.push(...data);
      return all;
    },
    // An administrator who opens the dialog again expects the current state.
    staleTime: 0,
  });
}

function groupsQuery(course: number, category: number) {
  return queryOptions({
    queryKey: ['lms', 'category-groups', course, category],
    queryFn: async ({ signal }) => {
      const all: Group[] = [];
      for await (const { data } of invokePages('category-groups', { category }, undefined, { signal }))
        all.push(...data);
      return all.sort(byName);
    },
    staleTime: 0,
  });
}

const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const byName = (a: Group, b: Group) => compare(a.name, b.name) || a.id - b.id;

/** Reads categories, groups and head counts again after a change. */
export async function refreshGroups(course: number): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['lms', 'group-categories', course] }),
    queryClient.invalidateQueries({ queryKey: ['lms', 'category-groups', course] }),
  ]);
}

export interface ListedCategory {
  category: GroupCategory;
  /** Null until the groups are loaded, and if they could not be read. */
  groups: readonly Group[] | null;
  failed: boolean;
}

export interface Categories {
  /** Null until the categories are loaded. */
  list: readonly ListedCategory[] | null;
  error: unknown;
  refreshing: boolean;
  refresh: () => Promise<void>;
}

/** @param open false: a closed dialog loads nothing */
export function useCategories(course: number, open: boolean): Categories {
  const query = useQuery({ ...categoriesQuery(course), enabled: open });
  const categories = query.data ?? null;
  const groups = useQueries({
    queries: (categories ?? []).map(({ id }) => ({ ...groupsQuery(course, id), enabled: open })),
    combine,
  });
  const list = useMemo(
    () =>
      categories?.map((category, index): ListedCategory => {
        const of = groups.lists[index];
        return { category, groups: of?.groups ?? null, failed: of?.failed ?? false };
      }) ?? null,
    [categories, groups.lists],
  );
  const refresh = useCallback(() => refreshGroups(course), [course]);
  return {
    list,
    error: query.isFetching ? null : query.error,
    refreshing: query.isFetching || groups.fetching,
    refresh,
  };
}

// Outside the hook: a function with a stable identity lets the query library keep its result while nothing changes.
function combine(queries: UseQueryResult<Group[]>[]) {
  return {
    lists: queries.map(({ data, isError, isFetching }) => ({
      groups: data ?? null,
      failed: isError && !isFetching,
    })),
    fetching: queries.some(({ isFetching }) => isFetching),
  };
}
