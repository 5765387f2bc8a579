/** What rows of enrolments do in a course or section (LMS reference §9.5). Rows are judged by what is left in the end. */
import { shown } from '../sis-rows.ts';
import { begins, fails, notFound, rowName } from './effect.ts';
import {
  byNobody,
  type EnrolmentEffect,
  type EnrolmentRow,
  type GonePlace,
  type HeldPlace,
  mayRemove,
} from './held-place.ts';
import { PlaceNow } from './place-now.ts';
import { formerInGone, MAY_REFUSE, NOTHING_LEFT, PERSON_GONE } from './place-words.ts';

export { mayRemove } from './held-place.ts';

export interface EnrolmentOutcome {
  /** In the order of the rows. */
  effects: EnrolmentEffect[];
  /** States of those enrolments that have another one than before, by their numbers. */
  after: ReadonlyMap<number, string>;
}

/** The effects of the rows on their place: the last row about an enrolment tells what becomes of it. */
export function enrolmentEffects(
  rows: readonly EnrolmentRow[],
  place: HeldPlace | 'missing' | 'unread' | 'perhaps' | GonePlace,
): EnrolmentOutcome {
  const last = new Map<string, { row: EnrolmentRow; effect: EnrolmentEffect }>();
  const now = typeof place === 'object' && !('gone' in place) ? new PlaceNow(place) : null;
  const judged = (one: EnrolmentRow, at: number): EnrolmentEffect => {
    if (now !== null) return now.take(one, at);
    if (place === 'unread') return { does: 'unknown', why: UNREAD };
    if (place === 'perhaps') return { does: 'unknown', why: PERHAPS };
    if (typeof place === 'object' && 'gone' in place) return inGone(one, place);
    if (!mayRemove(one)) return { does: 'fails', why: MISSING };
    return notFound(one.section === '' ? 'course_id' : null, MISSING, MISSING_REMOVES);
  };
  const effects = rows.map((one, at): EnrolmentEffect => {
    const name = JSON.stringify([one.user, one.section, one.roles, one.student]);
    const before = last.get(name);
    if (
      before &&
      before.row.status === one.status &&
      before.row.start === one.start &&
      before.row.end === one.end &&
      before.row.limit === one.limit &&
      !one.more
    ) {
      // What the LMS refuses once, it refuses again; and what is not known of one is not known of the other.
      if (before.effect.does === 'fails') return before.effect;
      if (before.effect.does === 'unknown') return { ...before.effect, repeats: true };
      return { does: 'nothing', why: `${earlier(before.row)} already says the same.` };
    }
    const effect = judged(one, at);
    last.set(name, { row: one, effect });
    return effect;
  });
  now?.settle(rows, effects);
  return { effects, after: now?.changedStates() ?? new Map() };
}

const earlier = ({ row, file = null }: EnrolmentRow): string =>
  file === null ? `Row ${row}` : rowName(row, file);

/** Nothing is left to end there, and the LMS refuses all but that. */
function inGone(row: EnrolmentRow, place: GonePlace): EnrolmentEffect {
  const { gone, elsewhere, exists, hadLogin } = place;
  const personGone = exists(row.user) === false && hadLogin(row.user);
  const [deletes, last] = [begins(row.status, 'deleted'), begins(row.status, 'deleted_last')];
  if (exists(row.user) === false && !personGone) {
    const mayBeFormer = place.mayBeFormer?.(row.user) ?? false;
    const open = elsewhere && row.section === '';
    return mayBeFormer && deletes && !last && !open
      ? { does: 'nothing', why: formerInGone(row.user) }
      : byNobody(row, mayBeFormer && open);
  }
  const byUpload = gone !== 'course in the LMS';
  if (elsewhere && row.section === '') {
    const what = byUpload ? 'The course is deleted by this upload.' : 'The course is deleted.';
    return mayRemove(row)
      ? { does: 'unknown', why: `${what} ${ELSEWHERE} Then it ends an enrolment, so it counts.` }
      : { does: 'fails', why: `${what} ${ELSEWHERE}` };
  }
  if (!deletes || last)
    return {
      does: 'fails',
      why: byUpload
        ? 'The course is deleted by this upload.'
        : 'The course is deleted. Restore it, or remove the row.',
    };
  const astray = sectionAstray(row, place);
  if (astray !== null) return astray;
  const why = byUpload
    ? 'The enrolment ends with its course, which is deleted by this upload.'
    : 'The course is deleted, and every enrolment in it.';
  return { does: 'nothing', why: personGone ? `${why} ${PERSON_GONE} ${MAY_REFUSE}` : why };
}

/** The LMS takes a row only where its section is one of its course; null where that may be so. */
function sectionAstray({ section }: EnrolmentRow, { gone, sectionAt }: GonePlace): EnrolmentEffect | null {
  const at = section === '' ? 'here' : sectionAt?.(section);
  if (at === 'elsewhere')
    return fails('section_id', `The section ${shown(section)} is not one of this course. ${CORRECT_ONE}`);
  if (at === 'unread') return { does: 'unknown', why: 'The LMS did not answer when asked for this section.' };
  // Sections of a course that was deleted before do not show.
  return at === 'missing' && gone === 'course'
    ? fails('section_id', `The course has no section ${shown(section)}.${NOTHING_LEFT}`)
    : null;
}

const CORRECT_ONE = 'Correct one of the two, or leave one empty.';
const ELSEWHERE =
  'If its default section was cross-listed to another course, the LMS carries out the row there; if it has none, the LMS creates one in the deleted course and refuses the row. Name a section in the column section_id.';
const PERHAPS =
  'The LMS does not show this course or section. It is there if this upload cross-lists a deleted section into it, or restores the deleted course that it is in.';
const UNREAD = 'The LMS did not answer when asked for this course.';
const MISSING = 'The LMS does not have this course or section.';
const MISSING_REMOVES =
  'The LMS does not have this course or section. If its answer was wrong, this row removes the enrolment, so it counts.';
