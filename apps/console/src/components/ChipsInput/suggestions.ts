/** Communication between a field of entries and the list below it, which offers people for a typed name. */
import type { EntryKindId } from '@lms-admin/domain/chips';
import type { RefObject } from 'react';
import type { Part } from '../later.tsx';

/** Gets each key before the field does. @returns whether the list has handled the key */
export type SuggestionKeys = (key: string) => boolean;

/** The list that is open below a field: its ID, and the ID of the entry that the arrow keys have reached. */
export interface OpenList {
  list: string;
  active: string | null;
}

export interface EntrySuggestionsProps {
  kind: EntryKindId;
  text: string;
  chips: readonly string[];
  field: RefObject<HTMLInputElement | null>;
  /** Sets the handler of the field's keys; null for none. */
  onKeys: (keys: SuggestionKeys | null) => void;
  onOpen: (list: OpenList | null) => void;
  onChoose: (entry: string) => void;
}

/** The suggestions of a field during typing, and for which text. */
export interface Suggests {
  List: Part<EntrySuggestionsProps>;
  offers: (text: string) => boolean;
}
