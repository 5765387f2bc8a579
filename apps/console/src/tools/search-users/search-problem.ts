import { MIN_SEARCH_LENGTH } from '@lms-admin/domain/constants';
import { spreadsheetValue } from '@lms-admin/domain/spreadsheet-values';
import { texts } from './texts.ts';

/** Why a trimmed text cannot be searched for; null where it can. */
export function searchProblem(term: string): string | null {
  return term.length < MIN_SEARCH_LENGTH ? texts.tooShort : null;
}

/** What to do where no one was found. */
export function noneNext(term: string): string {
  const made = spreadsheetValue(term);
  return made === null ? texts.noneNext : texts.spreadsheet(term, made);
}
