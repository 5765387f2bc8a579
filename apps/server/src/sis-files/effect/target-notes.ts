/** Sentences for the review about the places that rows of enrolments affect. */
import { counted } from '@lms-admin/domain/numbers';
import type { EnrolmentEffect, EnrolmentRow } from '@lms-admin/domain/sis-effect/held-place';
import { withoutDefault } from '@lms-admin/domain/sis-effect/place-words';
import { shown } from '@lms-admin/domain/sis-rows';
import { listed } from '../../platform/text.ts';
import type { EnrolmentTarget, Place } from './enrolment-targets.ts';
import type { Evaluation } from './evaluation.ts';

/** Returns the SIS ID of the section that the upload moves into the course, so that rows without a section affect it. */
export const broughtIn = (place: Place): string =>
  (typeof place === 'object' && place.holding.broughtIn) || '';

/** Notes rows that apply to a place other than the one that they seem to name. */
export function noteTarget(
  { tally }: Evaluation,
  { place, where, away }: EnrolmentTarget,
  rows: readonly EnrolmentRow[],
  effects: readonly EnrolmentEffect[],
): void {
  if (typeof place !== 'object') return;
  const { sisId, name } = place.course;
  for (const { section, from, rows: count, byDefault } of away)
    tally.notePlace(
      byDefault
        ? `The course ${shown(from)} no longer has a default section, because sections of it are cross-listed. ${counted(count, 'row without section_id is', 'rows without section_id are')} applied in its section ${shown(section)}, which is in ${name} (${shown(sisId)}). To choose the section, fill in the column section_id.`
        : `The section ${shown(section)} has been cross-listed from the course ${shown(from)} to ${name} (${shown(sisId)}): ${counted(count, 'row that names it is', 'rows that name it are')} applied there.`,
    );
  const open = rows.filter(({ section }) => section === '').length;
  const into = broughtIn(place);
  if (into !== '' && open > 0) {
    tally.notePlace(
      `This upload moves the section ${shown(into)} into the course ${shown(sisId)}. The course has no other section at that point, so the section becomes its default section. ${counted(open, 'row without section_id is', 'rows without section_id are')} applied in this section. If the section is moved later, or its cross-listing ends, these people move with it. To choose the section, fill in the column section_id.`,
    );
    return;
  }
  if (place.restored && open > 0) {
    tally.notePlace(
      `The course ${shown(sisId)} was deleted and is restored by this upload, and the LMS does not show whether its default section is restored with it. If it does not, the LMS creates a new section, named after the course, for ${counted(open, 'row', 'rows')} without section_id.`,
    );
    return;
  }
  if (open === 0 || where.by === 'section') return;
  if (place.course.id === null) {
    // If the LMS rejects a row, LMS Admin cannot tell whether the LMS creates the section first.
    const landed = rows.filter(({ section }, at) => section === '' && effects[at]?.does !== 'fails').length;
    if (landed > 0) tally.newDefaults.set(sisId, (tally.newDefaults.get(sisId) ?? 0) + landed);
    return;
  }
  if (place.holding.defaultSection !== null) return;
  tally.notePlace(
    withoutDefault(
      `course ${shown(where.id)}`,
      counted(open, 'row without section_id is applied', 'rows without section_id are applied'),
      place.holding.maybeDefault.size > 0,
    ),
  );
}

/** Notes default sections that the LMS creates in courses of the same upload, without rows of sections. */
export function noteNewDefaults({ tally }: Evaluation): void {
  const all = [...tally.newDefaults];
  if (all.length === 0) return;
  const rows = all.reduce((sum, [, count]) => sum + count, 0);
  const which = listed(all.map(([sisId, count]) => `${shown(sisId)} (${counted(count, 'row')})`));
  const create =
    all.length === 1
      ? 'a default section, named after the course,'
      : 'default sections, named after the courses,';
  tally.notes.push(
    `The LMS creates ${create} in ${counted(all.length, 'new course')} of this upload, for ${counted(rows, 'row')} without section_id: ${which}. To choose the section, fill in the column section_id.`,
  );
}
