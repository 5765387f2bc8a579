/** What rows of courses do, abstract ones as well (LMS reference §9.4). */
import { shown } from '../sis-rows.ts';
import { courseLimited, limitField, withLimit } from './date-limits.ts';
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
  /** SIS IDs; null where it has none, or none that is known. */
  account: string | null;
  term: string | null;
  start: string | null;
  end: string | null;
  integrationId: string | null;
  format: string | null;
  passback: string | null;
  homeroom: boolean;
  friendlyName: string | null;
  /** Whether people have access between the dates only; null or undefined where that is not known. */
  limited?: boolean | null;
}

/** @param held null where the LMS has no such course */
export function courseEffect(cell: Cells, held: HeldCourse | null, known: Known): SisEffect {
  return withTerm(withLimit(courseRow(cell, held, known), held?.end ?? null), cell, held, known);
}

/** The effect with the dates of a term that decide from now on who has access: own dates of the course come before them. */
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
  if (account && known.account(account) === false && !(reserve && known.account(reserve))) {
    const why = `The LMS has no account ${shown(account)}`;
    if (held === null) return fails('account_id', `${why}.`);
    const ends = status.startsWith('deleted') || status.startsWith('completed');
    // Where the rest of the row ends the course, that counts.
    return ends
      ? { does: 'unknown', why: `${why}, so it refuses the row.${REST_IS_DONE}` }
      : fails('account_id', `${why}.${REST_IS_DONE}`);
  }
  const deletes = status.startsWith('deleted');
  if (held === null) {
    if (deletes) return { does: 'nothing', why: `The LMS has no course ${shown(id)}: nothing is deleted.` };
    const state = courseState(status, null);
    // It is unpublished where the row says nothing else.
    const opened = state === 'unpublished' ? [] : changed('status', null, state);
    const term = unknownTerm(cell, known);
    const toDefault =
      term === null ? [] : [`The LMS has no term ${shown(term)}: the course goes to the default term.`];
    const fields = [...opened, ...courseFields(cell, null, known)];
    return because({ does: 'creates', fields }, [...toDefault, ...courseNotes(cell, null, known)]);
  }
  if (deletes) {
    if (held.state === 'deleted') return { does: 'nothing', why: 'The course is already deleted.' };
    // What the row writes is there where the course lives on: a cross-listing of the same upload restores it.
    const fields: FieldChange[] = [['status', held.state, 'deleted'], ...courseFields(cell, held, known)];
    return { does: 'deletes', fields: fields.filter(([field]) => field !== 'blueprint_course_id') };
  }
  const state = courseState(status, held.state);
  const fields = [...changed('status', held.state, state), ...courseFields(cell, held, known)];
  const notes = courseNotes(cell, held, known);
  if (held.state === 'deleted') return because({ does: 'restores', fields }, [RESTORED, ...notes]);
  if (state === 'completed' && held.state !== 'completed') {
    const why = `The course is concluded: everyone in it can only read. ${OBSERVERS_BACK}`;
    return because({ does: 'concludes', fields }, [why, ...notes]);
  }
  if (held.state === 'completed' && state === 'available') {
    return because({ does: 'restores', fields }, [REOPENED, ...notes]);
  }
  const term = unknownTerm(cell, known);
  const keeps = term === null ? [] : [`The LMS has no term ${shown(term)}: the course keeps its term.`];
  const effect = changeOf(fields, 'No change: the course already has these values.');
  // What it follows the LMS does not show: that it ends is a change, though not a field.
  const leaves = cell('blueprint_course_id') === DISSOCIATE && effect.does === 'nothing';
  return because(leaves ? { does: 'changes' } : effect, [...keeps, ...notes]);
}

/** The same effect with further sentences; where there are none its own stays. */
function because(effect: SisEffect, notes: readonly string[]): SisEffect {
  return notes.length === 0 ? effect : { ...effect, why: notes.join(' ') };
}

const OBSERVERS_BACK =
  'So can linked observers of its students who were taken out of it before: the LMS does not show what was deleted.';
const REOPENED =
  'The course was concluded and is open again. Enrolments that ended with it stay completed: to let people work in it again, send rows of enrollments that make them active.';

/** The word that takes a course from its blueprint course. */
export const DISSOCIATE = 'dissociate';

const ACCOUNT_HIDDEN =
  ' If such an account was deleted, the course stays where it is. The LMS does not show deleted accounts.';

const REST_IS_DONE =
  ' If one was deleted, the course stays where it is and the rest of the row is carried out: the LMS does not show what was deleted.';

/** What the LMS takes of columns that it does not show. */
function courseNotes(cell: Cells, held: HeldCourse | null, known: Known): string[] {
  const [named, account] = [cell('account_id'), courseAccount(cell, known)];
  const [blueprint, abstract] = [cell('blueprint_course_id'), cell('abstract_course_id')];
  const notes: string[] = [];
  if (named && account !== null && account !== named)
    notes.push(
      `The LMS has no account ${shown(named)}: the course goes to ${shown(account)}.${held ? ACCOUNT_HIDDEN : ''}`,
    );
  if (blueprint === DISSOCIATE) {
    if (held) notes.push('The course no longer follows a blueprint course, if it does so now.');
  } else if (blueprint)
    notes.push(
      'The LMS does not show which blueprint course a course follows. If this one follows another, the LMS rejects the blueprint_course_id.',
    );
  if (abstract)
    notes.push(
      'The LMS does not show abstract courses. If it has this one, empty cells of names, account and term are filled from it. If not, it ignores the abstract_course_id.',
    );
  if (cell('friendly_name') && !takesFriendlyName(cell, held, known))
    notes.push('The LMS keeps a friendly_name in accounts of elementary schools only, if the row names one.');
  return notes;
}

/** A course that has a friendly name lies in an account that has them; the row must name its account. */
function takesFriendlyName(cell: Cells, held: HeldCourse | null, known: Known): boolean {
  return held !== null && held.friendlyName !== null && courseAccount(cell, known) !== null;
}

/** The account that the LMS takes of a row: the fallback where it does not have the other one. */
export function courseAccount(cell: Cells, known: Pick<Known, 'account'>): string | null {
  const [named, reserve] = [cell('account_id'), cell('fallback_account_id')];
  if (named && known.account(named) !== false) return named;
  return reserve && known.account(reserve) !== false ? reserve : null;
}

/** The term of a row, where the LMS has none with this SIS ID. */
export function unknownTerm(cell: Cells, known: Pick<Known, 'term'>): string | null {
  const term = cell('term_id');
  return term && known.term(term) === false ? term : null;
}

const RESTORED =
  'It comes back without the enrolments that it had when it was deleted. Sections that were not deleted themselves come back with it.';

function courseProblem(cell: Cells, id: string, status: string): string | null {
  if (id === '') return 'The SIS ID of the course is missing.';
  const named = cell('abstract_course_id');
  if (!cell('short_name') && !named) return 'The short_name is missing.';
  if (!cell('long_name') && !named) return 'The long_name is missing.';
  if (['active', 'deleted', 'completed', 'unpublished', 'published'].some((word) => status.startsWith(word)))
    return null;
  return `The status should be active, deleted, completed, unpublished or published, not ${shown(status)}.`;
}

/** The state after the row: a published course stays published, and one that was concluded is published. */
function courseState(status: string, before: string | null): string {
  if (status.startsWith('completed')) return 'completed';
  if (status.startsWith('published')) return 'available';
  return before === 'completed' || before === 'available' ? 'available' : 'unpublished';
}

function courseFields(cell: Cells, held: HeldCourse | null, known: Known): FieldChange[] {
  const term = cell('term_id');
  // A term that the LMS does not have is passed over.
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
    // Without a cell it is cleared, also where the column is missing.
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

/** A setting of which `not_set`, or an empty cell, clears what there is. */
function setting(cell: Cells, column: string): string | null {
  const given = (cell(column) ?? '').toLowerCase();
  return given === '' || given === 'not_set' ? null : given;
}

/** An empty cell keeps a date of a course, `<delete>` clears it. */
function dateField(cell: Cells, column: string, before: string | null): FieldChange[] {
  const given = cell(column);
  if (!given) return [];
  return changedDate(column, before, given === '<delete>' ? null : given);
}

/** The LMS shows no abstract courses, so that only what it refuses can be told. */
export function abstractCourseEffect(cell: Cells): SisEffect {
  const status = cell('status');
  for (const column of ['abstract_course_id', 'short_name', 'long_name'])
    if (!cell(column)) return { does: 'fails', why: `The ${column} is missing.` };
  if (!begins(status, 'active') && !begins(status, 'deleted')) {
    return { does: 'fails', why: `The status should be active or deleted, not ${shown(status ?? '')}.` };
  }
  const why = begins(status, 'deleted')
    ? 'The LMS does not show abstract courses: whether there is this one to delete is not known.'
    : 'The LMS does not show abstract courses: whether this one is new or changes is not known. It overwrites what is there.';
  return { does: 'unknown', why };
}
