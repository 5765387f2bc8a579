/** What a field of entries and the list below it tell each other, where a name that is typed offers the people of that name. */
import type { EntryKindId } from '@lms-admin/domain/chips';
import type { RefObject } from 'react';
import type { Part } from '../later.tsx';

/** Gets a key of the field first. @returns whether it was for the list */
export type SuggestionKeys = (key: string) => boolean;

/** The list that is open below a field: ids of it and of the entry that the arrow keys have reached. */
export interface OpenList {
  list: string;
  active: string | null;
}

export interface EntrySuggestionsProps {
  kind: EntryKindId;
  text: string;
  chips: readonly string[];
  field: RefObject<HTMLInputElement | null>;
  /** Tells what gets the keys of the field; null for nothing. */
  onKeys: (keys: SuggestionKeys | null) => void;
  onOpen: (list: OpenList | null) => void;
  onChoose: (entry: string) => void;
}

/** What a field offers while someone types, and for which text it does so. */
export interface Suggests {
  List: Part<EntrySuggestionsProps>;
  offers: (text: string) => boolean;
}
