/** Whether the dates of a course or section decide who has access: a row with dates turns that on, also where the dates stay the same. */
import { type Cells, changed, type FieldChange, type SisEffect } from './effect.ts';

/** Field of it, as it is shown. */
export const ONLY_BETWEEN_DATES = 'access only between these dates';

/** Whether it is after a row of courses; null where the row leaves it as it is. */
export function courseLimited(cell: Cells): boolean | null {
  const [start, end] = [cell('start_date'), cell('end_date')];
  if (!start && !end) return null;
  return !(start === '<delete>' && end === '<delete>');
}

/** Whether it is after a row of sections. */
export function sectionLimited(cell: Cells): boolean {
  return Boolean(cell('start_date') || cell('end_date'));
}

/** The change of it; none where no one knows what it was. */
export function limitField(before: boolean | null | undefined, after: boolean | null): FieldChange[] {
  if (before == null || after === null) return [];
  return changed(ONLY_BETWEEN_DATES, word(before), word(after));
}

const word = (is: boolean) => (is ? 'yes' : 'no');

/** The effect with the end date that applies from now on, though it is not a new one. */
export function withLimit(effect: SisEffect, end: string | null): SisEffect {
  const limit = effect.fields?.find(([field]) => field === ONLY_BETWEEN_DATES);
  const given = effect.fields?.find(([field]) => field === 'end_date');
  const applies = given ? given[2] : end;
  return limit?.[2] === 'yes' && applies !== null ? { ...effect, appliesEnd: applies } : effect;
}
