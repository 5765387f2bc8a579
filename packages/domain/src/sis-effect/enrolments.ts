/** Effects of rows of enrolments in a course or section (LMS reference §9.5), decided by the final state. */
import { shown } from '../sis-rows.ts';
import { begins, fails, notFound, rowName } from './effect.ts';
import {
  byNobody,
  type EnrolmentEffect,
  type EnrolmentRow,
  type GonePlace,
  type HeldPlace,
  mayRemove,
  noStudent,
} from './held-place.ts';
import { PlaceNow } from './place-now.ts';
import { formerInGone, MAY_REFUSE, NOTHING_LEFT, PERSON_GONE } from './place-words.ts';

export { mayRemove } from './held-place.ts';

export interface EnrolmentOutcome {
  /** In the order of the rows. */
  effects: EnrolmentEffect[];
  /** New states of the enrolments that have changed, by their numbers. */
  after: ReadonlyMap<number, string>;
}

/** Returns the effects of the rows on their place: the last row about an enrolment decides its result. */
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
      // If the LMS rejects a row, it rejects an identical row again; and if one result is unknown, so is the other.
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

/** Evaluates a row for a deleted place: nothing is left to end, and the LMS rejects everything else. */
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
  if (row.section !== '' && place.mayHaveMoved?.(row.section)) return { does: 'unknown', why: PERHAPS };
  const byUpload = gone !== 'course in the LMS';
  if (elsewhere && row.section === '') {
    const what = byUpload ? 'The course is deleted by this upload.' : 'The course is deleted.';
    return mayRemove(row)
      ? {
          does: 'unknown',
          why: `${what} ${ELSEWHERE} If the row is applied there, it ends an enrolment, so it counts as a removal.`,
        }
      : notFound('course_id', what, `${what} ${ELSEWHERE}`);
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
  const alone = noStudent(row.student, place);
  if (alone !== null) return { does: 'fails', why: alone };
  const why = byUpload
    ? 'The enrolment ends with its course, which is deleted by this upload.'
    : 'The course is deleted, together with every enrolment in it.';
  if (personGone) return { does: 'nothing', why: `${why} ${PERSON_GONE} ${MAY_REFUSE}` };
  // The LMS rejects a row by a deleted login if the enrolment is deleted too.
  const isByDeleted = place.byDeletedLogin?.(row.user) ?? false;
  return { does: 'nothing', why: isByDeleted ? `${why} ${MAY_REFUSE}` : why };
}

/** Evaluates whether the section of a row can belong to its course, as the LMS requires; null if it can. */
function sectionAstray(
  { section }: EnrolmentRow,
  { course, gone, sectionAt }: GonePlace,
): EnrolmentEffect | null {
  const at = section === '' ? 'here' : sectionAt?.(section);
  if (at === 'elsewhere')
    return fails(
      'section_id',
      `The course ${course === undefined ? 'of this row' : shown(course)} does not have the section ${shown(section)}. ${CORRECT_ONE}`,
    );
  if (at === 'unread') return { does: 'unknown', why: 'The LMS did not answer when asked for this section.' };
  // Sections of an already deleted course are not shown.
  return at === 'missing' && gone === 'course'
    ? fails('section_id', `The course has no section ${shown(section)}.${NOTHING_LEFT}`)
    : null;
}

const CORRECT_ONE = 'Correct section_id or course_id, or leave one of them empty.';
const ELSEWHERE =
  'If the default section of the course was cross-listed to another course, the LMS applies the row there. If the course has no default section, the LMS creates a default section and rejects the row. Fill in the column section_id.';
const PERHAPS =
  'The LMS does not show this course or section. It exists only if this upload cross-lists a deleted section into the course, or restores the deleted course of the section.';
const UNREAD = 'The LMS did not answer when asked for this course.';
const MISSING = 'The LMS does not have this course or section.';
const MISSING_REMOVES =
  'The LMS does not have this course or section. If that answer was wrong, this row removes the enrolment, so it counts as a removal.';
