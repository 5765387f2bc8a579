/** Words of ours on the screen of Search Users. */
import { MIN_SEARCH_LENGTH } from '@lms-admin/domain/constants';

export const texts = {
  purpose: 'Find people of the whole school by name, login or SIS ID.',
  field: `At least ${MIN_SEARCH_LENGTH} letters, then Enter.`,
  tooShort: `Please type at least ${MIN_SEARCH_LENGTH} letters.`,
  spreadsheet: (term: string, made: string) =>
    `'${term}' means nobody: it is ${made}. Copy the value once more from a cell that is formatted as text.`,
  button: 'Search',
  results: 'People found',
  open: (name: string) => `${name}, opens in the LMS in a new tab`,
  failed: 'The search could not be done.',
  noneNext: 'Try a part of the name, the login or the SIS ID.',
  more: (shown: number) =>
    `More people fit than the first ${shown}, which are shown. Type more letters to narrow the search.`,
  found: (count: number) => `${count} ${count === 1 ? 'person' : 'people'} found`,
  start: 'Nobody has been searched for yet.',
};
