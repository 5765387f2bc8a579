/** The parts of the system page, each asked for by itself. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type SystemCheck, systemClocks, systemFindings, systemOverview } from '@lms-admin/contract/system';
import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { getJson } from '../../api/client.ts';
import { clocksAt } from './browser-view.ts';

/** How often what goes on is asked for again (milliseconds). */
const LIVE_MS = 15_000;
/** Kept only while it is shown: another opening is another look. */
const FRESH = { staleTime: 0, gcTime: 0 } as const;

/** Opens the page, which the server records; the parts come after it. */
export function useOverview() {
  return useQuery({
    queryKey: ['system', 'overview'],
    queryFn: ({ signal }) => getJson(ENDPOINTS.system, systemOverview, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** @param live whether it is asked for again by itself */
export function usePart<S extends z.ZodType>(path: string, schema: S, { live }: { live: boolean }) {
  return useQuery<z.output<S>>({
    queryKey: ['system', path],
    queryFn: ({ signal }) => getJson(path, schema, { signal }),
    refetchInterval: live ? LIVE_MS : false,
    ...FRESH,
  });
}

/** The checks ask systems outside: they are made again by a press only. */
export function useCheck(check: SystemCheck) {
  return usePart(ENDPOINTS.systemCheck.replace(':check', check), systemFindings, { live: false });
}

export function useClocks() {
  return useQuery({
    queryKey: ['system', 'clocks'],
    queryFn: async ({ signal }) => {
      const asked = Date.now();
      const told = await getJson(ENDPOINTS.systemClocks, systemClocks, { signal });
      return clocksAt(asked, Date.now(), told);
    },
    refetchInterval: LIVE_MS,
    ...FRESH,
  });
}
