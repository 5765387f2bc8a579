/** Courses of the directory's copy, shown until the LMS has listed all courses of an account. */
import { type CopiedCourses, copiedCourses } from '@lms-admin/contract/directory';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { postLines } from '../../api/client.ts';
import { useSettings } from '../../api/queries.ts';
import type { CoursePages } from './course-pages.ts';
import type { CoursesLoad } from './lists.ts';

/** Milliseconds for which an answer is fresh enough: the copy changes once a day. */
const FRESH_MS = 60_000;

/** Reads the whole copy of an account; null without one. */
async function copyOf(account: number, signal: AbortSignal): Promise<CopiedCourses | null> {
  let copy: CopiedCourses | null = null;
  for await (const line of postLines(ENDPOINTS.directoryCourses, { account }, copiedCourses, { signal })) {
    copy ??= { as_of: line.as_of, courses: [] };
    copy.courses.push(...line.courses);
  }
  return copy;
}

function copiesQuery(account: number, enabled: boolean) {
  return {
    queryKey: ['directory-courses', account],
    staleTime: FRESH_MS,
    queryFn: ({ signal }: { signal: AbortSignal }) => copyOf(account, signal),
    enabled,
    // Optional: the LMS lists the courses without the copy.
    retry: false,
  };
}

/**
 * Adds courses of the copy to the accounts whose list is not complete, so that a chosen course stays in view.
 * @returns the accounts, and the age of the copy if courses of it are among them
 */
export function useCopies(
  load: CoursesLoad,
  accounts: readonly { id: number }[],
): { accounts: readonly CoursePages[]; asOf: number | null } {
  const isOn = useSettings()?.directory ?? false;
  const isOpen = (index: number) => load.accounts[index]?.done === false;
  const copies = useQueries({
    queries: accounts.map(({ id }, index) => copiesQuery(id, isOn && isOpen(index))),
    combine,
  });
  return useMemo(() => {
    const wanted = load.accounts.map(({ done }, index) => (done ? undefined : copies[index]));
    return {
      accounts: load.accounts.map((pages, index) => ({ ...pages, copied: wanted[index]?.courses ?? [] })),
      asOf: wanted.find((copy) => copy && copy.courses.length > 0)?.as_of ?? null,
    };
  }, [load, copies]);
}

// Outside the hook, as in lists.ts.
const combine = (queries: UseQueryResult<CopiedCourses | null>[]) => queries.map(({ data }) => data);
