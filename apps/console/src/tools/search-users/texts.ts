/** Texts on the screen of Search Users. */
import { MIN_SEARCH_LENGTH } from '@lms-admin/domain/constants';

export const texts = {
  purpose: 'Find anyone in the school by name, login or SIS ID.',
  field: `Type at least ${MIN_SEARCH_LENGTH} letters, then press Enter.`,
  tooShort: `Type at least ${MIN_SEARCH_LENGTH} letters.`,
  spreadsheet: (term: string, converted: string) =>
    `'${term}' looks like ${converted}. If you copied it from a spreadsheet, format the cell as text and copy it again.`,
  /** Shown while the LMS is searched and people from the copy are listed. */
  searching: 'LMS Admin is searching the LMS for current data …',
  button: 'Search',
  results: 'People found',
  open: (name: string) => `${name}, opens in the LMS in a new tab`,
  failed: 'The search failed.',
  noneNext: 'Try part of the name, login or SIS ID.',
  more: (shown: number) =>
    `The first ${shown} people are shown, and there may be more. Type more letters to narrow the search.`,
  found: (count: number) => `${count} ${count === 1 ? 'person' : 'people'} found`,
  start: 'Search for a person by name, login or SIS ID.',
};
