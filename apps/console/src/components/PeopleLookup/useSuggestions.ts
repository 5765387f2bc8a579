import type { FoundUser } from '@lms-admin/contract/canvas-objects';
import { ENTRY_KINDS, type EntryKindId, entryKey } from '@lms-admin/domain/chips';
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import { nameTerm } from '@lms-admin/domain/person-search';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { invoke } from '../../api/client.ts';
import { useSettled } from '../useSettled.ts';

/** A person as a field offers them. */
export interface Suggestion {
  name: string;
  /** What becomes of it in the field. */
  entry: string;
}

/** Milliseconds for which an answer is good enough to be offered: a person who is chosen is looked up in any case. */
const FRESH_MS = 60_000;
const NO_ONE: readonly Suggestion[] = [];

/** People whose name, login or SIS ID contains the text, once the typing pauses; none while they are on their way, or where that failed. */
export function useSuggestions(
  kind: EntryKindId,
  text: string,
  chips: readonly string[],
): readonly Suggestion[] {
  const term = nameTerm(text.trim());
  const settled = useSettled(term);
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
    enabled: settled,
    staleTime: FRESH_MS,
    // A help that does not come is none: what is typed can be entered without it.
    retry: false,
  });
  return useMemo(() => (data ? suggestionsOf(kind, data.data, chips) : NO_ONE), [kind, data, chips]);
}

/** Those of the people who can be entered and are not in the list yet. */
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
