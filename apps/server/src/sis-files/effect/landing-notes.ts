/** Sentences about where rows of enrolments land, for the notes of the review. */
import { counted } from '@lms-admin/domain/numbers';
import type { EnrolmentEffect, EnrolmentRow } from '@lms-admin/domain/sis-effect/held-place';
import { withoutDefault } from '@lms-admin/domain/sis-effect/place-words';
import { shown } from '@lms-admin/domain/sis-rows';
import { listed } from '../../platform/text.ts';
import type { Evaluation } from './evaluation.ts';
import type { Landing, Place } from './landings.ts';

/** SIS ID of a section in which rows without one land, since the upload brings it into the course. */
export const broughtIn = (place: Place): string =>
  (typeof place === 'object' && place.holding.broughtIn) || '';

/** Sentences about rows that are carried out somewhere else than they seem. */
export function noteLanding(
  { tally }: Evaluation,
  { place, where, away }: Landing,
  rows: readonly EnrolmentRow[],
  effects: readonly EnrolmentEffect[],
): void {
  if (typeof place !== 'object') return;
  const { sisId, name } = place.course;
  for (const { section, from, rows: count, byDefault } of away)
    tally.notePlace(
      byDefault
        ? `The course ${shown(from)} has no default section any more, since sections of it are cross-listed: ${counted(count, 'row without section_id is', 'rows without section_id are')} carried out in its section ${shown(section)}, which is in ${name} (${shown(sisId)}). Name a section in the column section_id to decide it.`
        : `The section ${shown(section)} has been cross-listed from the course ${shown(from)} to ${name} (${shown(sisId)}): ${counted(count, 'row that names it is', 'rows that name it are')} carried out there.`,
    );
  const open = rows.filter(({ section }) => section === '').length;
  const into = broughtIn(place);
  if (into !== '' && open > 0) {
    tally.notePlace(
      `The section ${shown(into)} comes into the course ${shown(sisId)} by this upload while no other one is in it, so the LMS takes it for the default section: ${counted(open, 'row without section_id is', 'rows without section_id are')} carried out in it. These people go with it if it is moved or its cross-listing ends. Name a section in the column section_id to decide it.`,
    );
    return;
  }
  if (place.restored && open > 0) {
    tally.notePlace(
      `The course ${shown(sisId)} was deleted and is restored by this upload, and the LMS does not show whether its default section comes back with it. If it does not, the LMS creates a new section, named after the course, for ${counted(open, 'row', 'rows')} without section_id.`,
    );
    return;
  }
  if (open === 0 || where.by === 'section') return;
  if (place.course.id === null) {
    // Of rows that the LMS refuses no one can say whether it creates the section before.
    const landing = rows.filter(({ section }, at) => section === '' && effects[at]?.does !== 'fails').length;
    if (landing > 0) tally.newDefaults.set(sisId, (tally.newDefaults.get(sisId) ?? 0) + landing);
    return;
  }
  if (place.holding.defaultSection !== null) return;
  tally.notePlace(
    withoutDefault(
      `course ${shown(where.id)}`,
      counted(open, 'row without section_id is carried out', 'rows without section_id are carried out'),
      place.holding.maybeDefault.size > 0,
    ),
  );
}

/** Default sections that the LMS creates in courses of the same upload: no row of sections names them. */
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
    `The LMS creates ${create} in ${counted(all.length, 'new course')} of this upload, for ${counted(rows, 'row')} without section_id: ${which}. Name a section in the column section_id to decide it.`,
  );
}
