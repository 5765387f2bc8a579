/** The lists of the step 'Programme and Term', as the server streams them. Each is read completely (OP-26). */
import type { Account, Course, Term } from '@lms-admin/contract/canvas-objects';
import { parentName } from '@lms-admin/domain/courses';
import { sortByFirstLetter } from '@lms-admin/domain/terms';
import {
  queryOptions,
  experimental_streamedQuery as streamedQuery,
  type UseQueryResult,
  useQueries,
  useQuery,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import { invokePages } from '../../api/client.ts';
import { addChunk, type CourseChunk, type CoursePages, coursesRead, NO_PAGES } from './course-pages.ts';

/** A programme or sub-account as an option: PICK-09, PICK-10. */
export interface AccountOption {
  id: number;
  name: string;
  parent_name: string;
  firstLetter: string;
}

export interface TermOption {
  id: number;
  name: string;
  firstLetter: string;
}

const FIVE_MINUTES = 300_000;

const programmesQuery = queryOptions({
  queryKey: ['lms', 'programmes'],
  staleTime: FIVE_MINUTES,
  queryFn: async ({ signal }) => {
    const all: Account[] = [];
    for await (const { data } of invokePages('programmes', {}, undefined, { signal })) all.push(...data);
    return all;
  },
});

const termsQuery = queryOptions({
  queryKey: ['lms', 'terms'],
  staleTime: FIVE_MINUTES,
  queryFn: async ({ signal }) => {
    const all: Term[] = [];
    for await (const { data } of invokePages('terms', {}, undefined, { signal })) {
      all.push(...data.enrollment_terms);
    }
    return all;
  },
});

function subAccountsQuery(account: number) {
  return queryOptions({
    queryKey: ['lms', 'sub-accounts', account],
    staleTime: FIVE_MINUTES,
    queryFn: async ({ signal }) => {
      const all: Account[] = [];
      const query: [string, string][] = [
        ['recursive', 'true'],
        ['per_page', '100'],
      ];
      for await (const { data } of invokePages('sub-accounts', { account }, query, { signal })) {
        all.push(...data);
      }
      return all;
    },
  });
}

function coursesQuery(account: number) {
  return queryOptions<CoursePages>({
    queryKey: ['lms', 'courses', account],
    // A complete list stays as it is while the tool is open; an interrupted one resumes where it stopped.
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    queryFn: streamedQuery<CourseChunk, CoursePages>({
      streamFn: ({ signal }) => courseChunks(account, signal),
      reducer: addChunk,
      initialValue: NO_PAGES,
      refetchMode: 'append',
    }),
  });
}

async function* courseChunks(account: number, signal: AbortSignal): AsyncGenerator<CourseChunk> {
  const query: [string, string][] = [
    ['per_page', '100'],
    ['include[]', 'term'],
  ];
  for await (const { page, data } of invokePages('courses', { account }, query, { signal })) {
    yield { page, courses: data satisfies Course[] };
  }
  yield { done: true };
}

/** Loads the programmes that the administrator can use, sorted by first letter. */
export function useProgrammes() {
  const query = useQuery(programmesQuery);
  const options = useMemo(() => accountOptions(query.data ?? []), [query.data]);
  return { ...state(query), options };
}

/** Loads all accounts below a programme; no request for null. */
export function useSubAccounts(programme: { id: number; name: string } | null) {
  const query = useQuery({ ...subAccountsQuery(programme?.id ?? 0), enabled: programme !== null });
  const options = useMemo(() => accountOptions(query.data ?? [], programme), [query.data, programme]);
  return { ...state(query), options };
}

/** Loads every term, sorted by first letter. */
export function useTerms() {
  const query = useQuery(termsQuery);
  const options = useMemo<TermOption[]>(
    () => sortByFirstLetter((query.data ?? []).map(({ id, name }) => ({ id, name }))),
    [query.data],
  );
  return { ...state(query), options };
}

export interface CoursesLoad {
  accounts: readonly CoursePages[];
  /** Accounts whose list was interrupted, with a function to resume. */
  failures: readonly BrokenLoad[];
  /** Whether anything is still loading. */
  loading: boolean;
  /** Whether every account's list is complete. */
  complete: boolean;
}

interface BrokenLoad {
  /** Index of the account among the requested ones. */
  index: number;
  error: unknown;
  /** Courses that arrived before the list was interrupted. */
  read: number;
  retry: () => unknown;
}

/** Loads the courses of the chosen accounts, page by page. Requests for deselected accounts are cancelled. */
export function useCourses(accounts: readonly { id: number }[]): CoursesLoad {
  return useQueries({ queries: accounts.map((account) => coursesQuery(account.id)), combine });
}

// Outside the hook: a function with a stable identity lets the query library keep its result while nothing changes.
function combine(queries: UseQueryResult<CoursePages>[]): CoursesLoad {
  const accounts = queries.map((query) => query.data ?? NO_PAGES);
  return {
    accounts,
    failures: queries.flatMap((query, index) =>
      query.isError && !query.isFetching
        ? [{ index, error: query.error, read: coursesRead([query.data ?? NO_PAGES]), retry: query.refetch }]
        : [],
    ),
    loading: queries.some((query) => query.isFetching),
    complete: queries.length > 0 && accounts.every((one) => one.done),
  };
}

function accountOptions(
  accounts: readonly Account[],
  above: { id: number; name: string } | null = null,
): AccountOption[] {
  const known = new Map<number, { name: string }>(accounts.map((account) => [account.id, account]));
  if (above) known.set(above.id, above);
  return sortByFirstLetter(
    accounts.map((account) => ({
      id: account.id,
      name: account.name,
      parent_name: parentName(account, known),
    })),
  );
}

function state(
  query: Pick<UseQueryResult, 'isPending' | 'isFetching' | 'isSuccess' | 'error'> & {
    refetch: () => unknown;
  },
) {
  return {
    /** Whether the whole list has been loaded, now or earlier. */
    known: query.isSuccess,
    loading: query.isPending && query.isFetching,
    error: query.isFetching ? null : query.error,
    retry: () => void query.refetch(),
  };
}
