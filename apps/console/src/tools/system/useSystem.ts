/** The parts of the system page, each loaded separately. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type SystemCheck, systemClocks, systemFindings, systemOverview } from '@lms-admin/contract/system';
import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { getJson } from '../../api/client.ts';
import { clocksAt } from './browser-view.ts';

/** Milliseconds between two requests for running work. */
const LIVE_MS = 15_000;
/** Data is kept only while the page is shown: each opening loads it again. */
const FRESH = { staleTime: 0, gcTime: 0 } as const;

/** Opens the page, which the server records; the parts are loaded after that. */
export function useOverview() {
  return useQuery({
    queryKey: ['system', 'overview'],
    queryFn: ({ signal }) => getJson(ENDPOINTS.system, systemOverview, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** @param live whether the part is refreshed automatically */
export function usePart<S extends z.ZodType>(path: string, schema: S, { live }: { live: boolean }) {
  return useQuery<z.output<S>>({
    queryKey: ['system', path],
    queryFn: ({ signal }) => getJson(path, schema, { signal }),
    refetchInterval: live ? LIVE_MS : false,
    ...FRESH,
  });
}

/** Reads the result of a check, which is repeated only on request, because checks call outside systems. */
export function useCheck(check: SystemCheck) {
  return usePart(ENDPOINTS.systemCheck.replace(':check', check), systemFindings, { live: false });
}

export function useClocks() {
  return useQuery({
    queryKey: ['system', 'clocks'],
    queryFn: async ({ signal }) => {
      const sentAt = Date.now();
      const clocks = await getJson(ENDPOINTS.systemClocks, systemClocks, { signal });
      return clocksAt(sentAt, Date.now(), clocks);
    },
    refetchInterval: LIVE_MS,
    ...FRESH,
  });
}
