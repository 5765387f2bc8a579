import { MIN_SEARCH_LENGTH } from '@lms-admin/domain/constants';
import { spreadsheetValue } from '@lms-admin/domain/spreadsheet-values';
import { texts } from './texts.ts';

/** Why a trimmed text cannot be searched for; null where it can. */
export function searchProblem(term: string): string | null {
  const made = spreadsheetValue(term);
  if (made !== null) return texts.spreadsheet(term, made);
  return term.length < MIN_SEARCH_LENGTH ? texts.tooShort : null;
}
