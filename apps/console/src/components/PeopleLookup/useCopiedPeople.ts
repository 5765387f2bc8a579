import { type FoundNames, foundNames } from '@lms-admin/contract/directory';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { MIN_SEARCH_LENGTH } from '@lms-admin/domain/constants';
import { useQuery } from '@tanstack/react-query';
import { getJson } from '../../api/client.ts';
import { useSettings } from '../../api/queries.ts';

/** The copy with its people. */
export type CopiedPeople = FoundNames & { as_of: number };

/** Milliseconds for which an answer is fresh enough: the copy changes once a day. */
const FRESH_MS = 60_000;

/**
 * Finds people in the copy of the LMS whose name, login or SIS ID contains the text. Null while they are loading, after
 * a failure, and without a usable copy: then only the LMS can be searched.
 * @returns `loading` while it is unknown whether there is a copy
 */
export function useCopiedPeople(text: string): { copied: CopiedPeople | null; loading: boolean } {
  const isOn = useSettings()?.directory ?? false;
  const { data, isLoading } = useQuery({
    queryKey: ['directory-people', text],
    queryFn: ({ signal }) =>
      getJson(ENDPOINTS.directoryPeople, foundNames, { query: [['text', text]], signal }),
    enabled: isOn && text.length >= MIN_SEARCH_LENGTH,
    staleTime: FRESH_MS,
    // Optional: the LMS can be searched without it.
    retry: false,
  });
  const { as_of: asOf = null } = data ?? {};
  return { copied: data && asOf !== null ? { ...data, as_of: asOf } : null, loading: isLoading };
}
