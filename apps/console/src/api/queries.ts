/** The query client and the queries that more than one screen asks for. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type PublicSettings, publicSettings } from '@lms-admin/contract/settings';
import { QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { getJson } from './client.ts';
import { ApiError } from './errors.ts';

/**
 * A failure is asked again only when no answer came at all, twice at most: the server already repeats what is safe to
 * repeat, and a refusal stays one.
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

/** What the installation says of itself (OP-15); null until it is known. */
export function useSettings(): PublicSettings | null {
  return useQuery(settingsQuery).data ?? null;
}
