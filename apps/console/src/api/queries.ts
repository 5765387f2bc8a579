/** The query client, and the queries that more than one screen uses. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type PublicSettings, publicSettings } from '@lms-admin/contract/settings';
import { QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { getJson } from './client.ts';
import { ApiError } from './errors.ts';

/**
 * Allows a failed request to be repeated only if there was no answer, and at most twice. The server already repeats
 * what is safe to repeat, and an error that it reports would be the same again.
 */
export function shouldRetry(failures: number, error: unknown): boolean {
  return failures < 2 && error instanceof ApiError && error.code === 'unreachable';
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: shouldRetry, staleTime: 60_000, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
});

const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => getJson(ENDPOINTS.settings, publicSettings, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Returns the public settings of the installation (OP-15); null until they are known. */
export function useSettings(): PublicSettings | null {
  return useQuery(settingsQuery).data ?? null;
}
