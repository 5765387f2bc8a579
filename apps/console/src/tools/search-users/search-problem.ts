import { MIN_SEARCH_LENGTH } from '@lms-admin/domain/constants';
import { spreadsheetValue } from '@lms-admin/domain/spreadsheet-values';
import { texts } from './texts.ts';

/** Explains why a trimmed text cannot be searched for; null if it can. */
export function searchProblem(term: string): string | null {
  return term.length < MIN_SEARCH_LENGTH ? texts.tooShort : null;
}

/** Advises the administrator when no one was found. */
export function noneNext(term: string): string {
  const converted = spreadsheetValue(term);
  return converted === null ? texts.noneNext : texts.spreadsheet(term, converted);
}
