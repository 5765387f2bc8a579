/** Effects of rows of courses, including abstract ones (LMS reference §9.4). */
import { shown } from '../sis-rows.ts';
import { courseLimited, endBeforeStart, limitField, withLimit } from './date-limits.ts';
import {
  begins,
  type Cells,
  changed,
  changedDate,
  changeOf,
  type FieldChange,
  fails,
  isTrue,
  keptFields,
  notFound,
  type SisEffect,
} from './effect.ts';
import type { Known } from './known.ts';
import { datesByTerm } from './terms.ts';

export interface HeldCourse {
  id: number;
  name: string;
  code: string;
  /** `unpublished`, `available`, `completed`, `deleted`. */
  state: string;
  /** SIS IDs; null if there is none, or none known. */
  account: string | null;
  term: string | null;
  start: string | null;
  end: string | null;
  integrationId: string | null;
  format: string | null;
  passback: string | null;
  homeroom: boolean;
  friendlyName: string | null;
  /** Whether people only have access between the dates; null or undefined if unknown. */
  limited?: boolean | null;
}

/** @param held null if the LMS has no such course */
export function courseEffect(cell: Cells, held: HeldCourse | null, known: Known): SisEffect {
  return withTerm(withLimit(courseRow(cell, held, known), held?.end ?? null), cell, held, known);
}

/** Returns the effect with the dates of a term that now decide about access: the course's own dates take precedence. */
function withTerm(effect: SisEffect, cell: Cells, held: HeldCourse | null, known: Known): SisEffect {
  const limited = held?.limited ?? false;
  const opens = !(courseLimited(cell) ?? limited);
  const given = effect.fields?.find(([field]) => field === 'term_id');
  const term = given ? given[2] : (held?.term ?? null);
  if (!opens || term === null || !(given || limited)) return effect;
  const after = known.termDates?.(term, 'after') ?? null;
  if (after === null) return effect;
  const byDates = held !== null && limited ? { start: held.start, end: held.end } : null;
  const was = byDates ?? known.termDates?.(held?.term ?? '', 'before') ?? { start: null, end: null };
  const isNew = held === null || held.state === 'deleted';
  return { ...effect, byTerm: { moved: given !== undefined, ...datesByTerm(isNew ? null : was, after) } };
}

function courseRow(cell: Cells, held: HeldCourse | null, known: Known): SisEffect {
  const id = cell('course_id') ?? '';
  const status = (cell('status') ?? '').toLowerCase();
  const missing = courseProblem(cell, id, status);
  if (missing !== null) return { does: 'fails', why: missing };
  const account = cell('account_id');
  const reserve = cell('fallback_account_id');
  const early = endBeforeStart(cell, held);
  if (early !== null) return early;
  if (account && known.account(account) === false && !(reserve && known.account(reserve))) {
    const message = `The LMS has no account ${shown(account)}.`;
    if (held === null) return fails('account_id', message);
    const { why, ...rest } = existingOrNew(cell, held, known, id, status);
    // The rest of the row has an effect: only the LMS knows whether the account was deleted.
    return {
      ...rest,
      ...(rest.does === 'deletes' ? { unseen: true } : {}),
      ...notFound(
        'account_id',
        message,
        [message, PERHAPS_REFUSED, rest.does === 'nothing' ? [] : (why ?? [])].flat().join(' '),
      ),
    };
  }
  return existingOrNew(cell, held, known, id, status);
}

function existingOrNew(
  cell: Cells,
  held: HeldCourse | null,
  known: Known,
  id: string,
  status: string,
): SisEffect {
  const deletes = status.startsWith('deleted');
  if (held === null) {
    if (deletes)
      return { does: 'nothing', why: `The LMS has no course ${shown(id)}, so nothing is deleted.` };
    const state = courseState(status, null);
    // A new course is unpublished unless the row says otherwise.
    const opened = state === 'unpublished' ? [] : changed('status', null, state);
    const term = unknownTerm(cell, known);
    const toDefault =
      term === null
        ? []
        : [`The LMS has no term ${shown(term)}, so the course is placed in the default term.`];
    const fields = [...opened, ...courseFields(cell, null, known)];
    return because({ does: 'creates', fields }, [...toDefault, ...courseNotes(cell, null, known)]);
  }
  if (deletes) {
    // Fields that the row writes matter if the course survives: a cross-listing in the same upload restores it.
    const fields = courseFields(cell, held, known).filter(([field]) => field !== 'blueprint_course_id');
    if (held.state === 'deleted')
      return { ...changeOf(fields, ''), why: 'The course is already deleted.', unseen: true };
    return { does: 'deletes', fields: [['status', held.state, 'deleted'], ...fields] };
  }
  const state = courseState(status, held.state);
  const fields = [...changed('status', held.state, state), ...courseFields(cell, held, known)];
  const notes = courseNotes(cell, held, known);
  if (held.state === 'deleted') return because({ does: 'restores', fields }, [RESTORED, ...notes]);
  if (state === 'completed' && held.state !== 'completed') {
    const why = `The course is concluded: everyone in it can still read it, but can no longer work in it. ${OBSERVERS_BACK}`;
    return because({ does: 'concludes', fields }, [why, ...notes]);
  }
  if (held.state === 'completed' && state === 'available') {
    return because({ does: 'restores', fields }, [REOPENED, ...notes]);
  }
  const term = unknownTerm(cell, known);
  const keeps = term === null ? [] : [`The LMS has no term ${shown(term)}, so the course keeps its term.`];
  const effect = changeOf(fields, 'No change: the course already has these values.');
  // The LMS does not show a course's blueprint: leaving it is a change, but not of a field.
  const leaves = cell('blueprint_course_id') === DISSOCIATE && effect.does === 'nothing';
  return because(leaves ? { does: 'changes' } : effect, [...keeps, ...notes]);
}

/** Returns the effect with other sentences as its reason; without any, it keeps its own. */
function because(effect: SisEffect, notes: readonly string[]): SisEffect {
  return notes.length === 0 ? effect : { ...effect, why: notes.join(' ') };
}

const OBSERVERS_BACK =
  'The same applies to observers who were removed from the course earlier, but are linked to a student in the course. LMS Admin cannot check this, because the LMS does not show deleted items.';
const REOPENED =
  'The course was concluded and is open again. Enrolments that ended with the course stay completed. To let people work in the course again, make these enrolments active with an enrollments file.';

/** The word that removes a course from its blueprint course. */
export const DISSOCIATE = 'dissociate';

const ACCOUNT_HIDDEN =
  ' If the account was deleted, the course stays where it is. LMS Admin cannot check this, because the LMS does not show deleted accounts.';

const PERHAPS_REFUSED =
  'If this account never existed, the LMS rejects the row. If the account was deleted, the course stays where it is and the rest of the row is applied. LMS Admin cannot check this, because the LMS does not show deleted items.';

/** Returns notes on how the LMS uses columns that it does not show. */
function courseNotes(cell: Cells, held: HeldCourse | null, known: Known): string[] {
  const [named, account] = [cell('account_id'), courseAccount(cell, known)];
  const [blueprint, abstract] = [cell('blueprint_course_id'), cell('abstract_course_id')];
  const notes: string[] = [];
  if (named && account !== null && account !== named)
    notes.push(
      `The LMS has no account ${shown(named)}, so the course is placed in ${shown(account)}.${held ? ACCOUNT_HIDDEN : ''}`,
    );
  if (blueprint === DISSOCIATE) {
    if (held) notes.push('If the course is linked to a blueprint course, this link ends.');
  } else if (blueprint)
    notes.push(
      'The LMS does not show which blueprint course a course follows. If this course already follows a different one, the LMS rejects the blueprint_course_id.',
    );
  if (abstract)
    notes.push(
      'The LMS does not show abstract courses. If it has this one, it uses its names, account and term for empty cells. If not, it ignores the abstract_course_id.',
    );
  if (cell('friendly_name') && !takesFriendlyName(cell, held, known))
    notes.push('The LMS keeps a friendly_name only if the row names an account of an elementary school.');
  return notes;
}

/** Tells whether a course takes a friendly name: its account must allow them, and the row must name its account. */
function takesFriendlyName(cell: Cells, held: HeldCourse | null, known: Known): boolean {
  return held !== null && held.friendlyName !== null && courseAccount(cell, known) !== null;
}

/** Returns the account that the LMS uses for a row: the fallback if it does not have the named one. */
export function courseAccount(cell: Cells, known: Pick<Known, 'account'>): string | null {
  const [named, reserve] = [cell('account_id'), cell('fallback_account_id')];
  if (named && known.account(named) !== false) return named;
  return reserve && known.account(reserve) !== false ? reserve : null;
}

/** Returns the term of a row, if the LMS has none with this SIS ID. */
export function unknownTerm(cell: Cells, known: Pick<Known, 'term'>): string | null {
  const term = cell('term_id');
  return term && known.term(term) === false ? term : null;
}

const RESTORED =
  'The course is restored without its former enrolments. Sections that were not deleted separately are restored with it.';

function courseProblem(cell: Cells, id: string, status: string): string | null {
  if (id === '') return 'The SIS ID of the course is missing.';
  const named = cell('abstract_course_id');
  if (!cell('short_name') && !named) return 'The short_name is missing.';
  if (!cell('long_name') && !named) return 'The long_name is missing.';
  if (['active', 'deleted', 'completed', 'unpublished', 'published'].some((word) => status.startsWith(word)))
    return null;
  return `The status should be active, deleted, completed, unpublished or published, not ${shown(status)}.`;
}

/** Returns the state after the row: a published course stays published, and a concluded one is published. */
function courseState(status: string, before: string | null): string {
  if (status.startsWith('completed')) return 'completed';
  if (status.startsWith('published')) return 'available';
  return before === 'completed' || before === 'available' ? 'available' : 'unpublished';
}

function courseFields(cell: Cells, held: HeldCourse | null, known: Known): FieldChange[] {
  const term = cell('term_id');
  // A term that the LMS does not have is ignored.
  const takes = term && known.term(term) !== false ? term : null;
  const account = courseAccount(cell, known);
  const blueprint = cell('blueprint_course_id');
  return [
    ...keptFields(cell, [
      ['long_name', held?.name ?? null],
      ['short_name', held?.code ?? null],
    ]),
    ...(account === null ? [] : changed('account_id', held?.account ?? null, account)),
    ...(takes === null ? [] : changed('term_id', held?.term ?? null, takes)),
    ...dateField(cell, 'start_date', held?.start ?? null),
    ...dateField(cell, 'end_date', held?.end ?? null),
    ...limitField(held?.limited, courseLimited(cell)),
    // Without a cell the integration id is cleared, even if the column is missing.
    ...changed('integration_id', held?.integrationId ?? null, cell('integration_id') ?? null),
    ...(cell('course_format') === undefined
      ? []
      : changed('course_format', held?.format ?? null, setting(cell, 'course_format'))),
    ...(cell('grade_passback_setting') === undefined
      ? []
      : changed('grade_passback_setting', held?.passback ?? null, setting(cell, 'grade_passback_setting'))),
    ...(cell('homeroom_course')
      ? changed('homeroom_course', String(held?.homeroom ?? false), String(isTrue(cell('homeroom_course'))))
      : []),
    ...(takesFriendlyName(cell, held, known)
      ? keptFields(cell, [['friendly_name', held?.friendlyName ?? null]])
      : []),
    ...(blueprint === DISSOCIATE ? [] : keptFields(cell, [['blueprint_course_id', null]])),
    ...keptFields(cell, [['abstract_course_id', null]]),
  ];
}

/** Reads a setting, which `not_set` or an empty cell clears. */
function setting(cell: Cells, column: string): string | null {
  const given = (cell(column) ?? '').toLowerCase();
  return given === '' || given === 'not_set' ? null : given;
}

/** Evaluates a date: an empty cell keeps a course's date, and `<delete>` clears it. */
function dateField(cell: Cells, column: string, before: string | null): FieldChange[] {
  const given = cell(column);
  if (!given) return [];
  return changedDate(column, before, given === '<delete>' ? null : given);
}

/** Evaluates an abstract course: the LMS does not show abstract courses, so only rejections are known. */
export function abstractCourseEffect(cell: Cells): SisEffect {
  const status = cell('status');
  for (const column of ['abstract_course_id', 'short_name', 'long_name'])
    if (!cell(column)) return { does: 'fails', why: `The ${column} is missing.` };
  if (!begins(status, 'active') && !begins(status, 'deleted')) {
    return { does: 'fails', why: `The status should be active or deleted, not ${shown(status ?? '')}.` };
  }
  const why = begins(status, 'deleted')
    ? 'LMS Admin cannot check whether this abstract course exists, because the LMS does not show abstract courses.'
    : 'LMS Admin cannot check whether this abstract course is new, because the LMS does not show abstract courses. If it exists, the row overwrites it.';
  return { does: 'unknown', why };
}
