/**
 * Restriction of access by a course's or section's dates: a row with dates enables it, even if the dates do not
 * change.
 */
import { lmsDate } from '../sis-dates.ts';
import { type Cells, changed, type FieldChange, fails, type SisEffect } from './effect.ts';

/** Name of the field for display. */
export const ONLY_BETWEEN_DATES = 'access only between these dates';

/** Returns whether access is restricted after a row of courses; null if the row does not change it. */
export function courseLimited(cell: Cells): boolean | null {
  const [start, end] = [cell('start_date'), cell('end_date')];
  if (!start && !end) return null;
  return !(start === '<delete>' && end === '<delete>');
}

/** Returns whether access is restricted after a row of sections. */
export function sectionLimited(cell: Cells): boolean {
  return Boolean(cell('start_date') || cell('end_date'));
}

/** Returns the change of this field; none if the previous value is unknown. */
export function limitField(before: boolean | null | undefined, after: boolean | null): FieldChange[] {
  if (before == null || after === null) return [];
  return changed(ONLY_BETWEEN_DATES, word(before), word(after));
}

/**
 * Returns the message that the row's course or section would end before it starts, which the LMS rejects; null
 * otherwise.
 * @param held the date that an empty cell keeps; null: it clears the date
 */
export function endBeforeStart(
  cell: Cells,
  held: { start: string | null; end: string | null } | null,
): SisEffect | null {
  const after = (column: string, before: string | null) => {
    const given = cell(column);
    if (!given) return before;
    return given === '<delete>' ? null : lmsDate(given);
  };
  const start = after('start_date', held?.start ?? null);
  const end = after('end_date', held?.end ?? null);
  if (start === null || end === null || end >= start) return null;
  const day = (date: string) => date.slice(0, 10);
  return fails('end_date', `The end date (${day(end)}) is before the start date (${day(start)}).`);
}

const word = (is: boolean) => (is ? 'yes' : 'no');

/** Returns the effect with an end date that now applies, though it is not a new one. */
export function withLimit(effect: SisEffect, end: string | null): SisEffect {
  const limit = effect.fields?.find(([field]) => field === ONLY_BETWEEN_DATES);
  const given = effect.fields?.find(([field]) => field === 'end_date');
  const applies = given ? given[2] : end;
  return limit?.[2] === 'yes' && applies !== null ? { ...effect, appliesEnd: applies } : effect;
}
