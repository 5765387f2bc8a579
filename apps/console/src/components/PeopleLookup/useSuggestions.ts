import type { FoundUser } from '@lms-admin/contract/canvas-objects';
import { ENTRY_KINDS, type EntryKindId, entryKey } from '@lms-admin/domain/chips';
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import { nameTerm } from '@lms-admin/domain/person-search';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { invoke } from '../../api/client.ts';
import { useSettled } from '../useSettled.ts';
import { useCopiedPeople } from './useCopiedPeople.ts';

/** A person as a suggestion of a field. */
export interface Suggestion {
  name: string;
  /** The text that a chosen suggestion becomes in the field. */
  entry: string;
}

/** Milliseconds for which an answer is fresh enough for suggestions: a chosen person is looked up in any case. */
const FRESH_MS = 60_000;
const NO_ONE: readonly Suggestion[] = [];

/** People for the typed text. */
export interface Suggestions {
  people: readonly Suggestion[];
  /** When the copy was created, in milliseconds since 1970; null if none of them are from it. */
  asOf: number | null;
}

/**
 * Finds people whose name, login or SIS ID contains the text: those of the copy immediately, and those of the LMS after
 * a pause in typing, unless the copy has enough. None while they are loading, or after a failure.
 * @param enough maximum number of people shown
 */
export function useSuggestions(
  kind: EntryKindId,
  text: string,
  chips: readonly string[],
  enough: number,
): Suggestions {
  const term = nameTerm(text.trim());
  const settled = useSettled(term);
  const { copied, loading } = useCopiedPeople(term);
  const known = useMemo(
    () => suggestionsOf(kind, copied?.people ?? [], chips),
    [kind, copied?.people, chips],
  );
  const { data } = useQuery({
    queryKey: ['user-search', 'suggested', term],
    queryFn: ({ signal }) =>
      invoke(
        'user-search',
        {},
        [
          ['search_term', term],
          ['sort', 'username'],
          ['per_page', String(LMS_PAGE_SIZE)],
        ],
        { signal },
      ),
    enabled: settled && !loading && known.length < enough,
    staleTime: FRESH_MS,
    // Suggestions are optional: the text can be entered without them.
    retry: false,
  });
  const asOf = known.length > 0 ? (copied?.as_of ?? null) : null;
  return useMemo(() => {
    const there = known.length === 0 ? chips : [...chips, ...known.map(({ entry }) => entry)];
    const others = data ? suggestionsOf(kind, data.data, there) : NO_ONE;
    return { people: others.length === 0 ? known : [...known, ...others], asOf };
  }, [kind, data, chips, known, asOf]);
}

/** Returns the people who can be entered and are not in the list yet. */
export function suggestionsOf(
  kind: EntryKindId,
  people: readonly Pick<FoundUser, 'name' | 'login_id' | 'sis_user_id'>[],
  chips: readonly string[],
): readonly Suggestion[] {
  const there = new Set(chips.map((chip) => entryKey(kind, chip)));
  const found = people.flatMap(({ name, login_id: login, sis_user_id: sisId }) => {
    const entry = kind === 'sis-id' ? sisId : login;
    if (entry == null || !ENTRY_KINDS[kind].isEntry(entry) || there.has(entryKey(kind, entry))) return [];
    return [{ name, entry }];
  });
  return found.length === 0 ? NO_ONE : found;
}
