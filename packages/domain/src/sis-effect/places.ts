/** What rows of accounts, terms, courses and sections do, with what hangs on them (LMS reference §9.3 and §9.4). */
import { shown } from '../sis-rows.ts';
import { courseLimited, limitField, sectionLimited, withLimit } from './date-limits.ts';
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

/** What a course or section that goes takes with it; null where it could not be counted. */
export interface Hanging {
  enrolments: number | null;
  sections: number;
}

export interface HeldCourse {
  id: number;
  name: string;
  code: string;
  /** `unpublished`, `available`, `completed`, `deleted`. */
  state: string;
  /** SIS ids; null where it has none, or none that is known. */
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

/** What other rows and the LMS say of what a row names; null where nobody can say. */
export interface Known {
  account: (sisId: string) => boolean | null;
  term: (sisId: string) => boolean | null;
  course: (sisId: string) => boolean | null;
}

/** @param held null where the LMS has no such course */
export function courseEffect(cell: Cells, held: HeldCourse | null, known: Known): SisEffect {
  return withLimit(courseRow(cell, held, known), held?.end ?? null);
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
    if (held.state === 'deleted') return { does: 'nothing', why: 'The course is deleted already.' };
    // What the row writes is there where the course lives on: a cross-listing of the same upload restores it.
    const fields: FieldChange[] = [['status', held.state, 'deleted'], ...courseFields(cell, held, known)];
    return { does: 'deletes', fields: fields.filter(([field]) => field !== 'blueprint_course_id') };
  }
  const state = courseState(status, held.state);
  const fields = [...changed('status', held.state, state), ...courseFields(cell, held, known)];
  const notes = courseNotes(cell, held, known);
  if (held.state === 'deleted') return because({ does: 'restores', fields }, [RESTORED, ...notes]);
  if (state === 'completed' && held.state !== 'completed') {
    const why = `The course is concluded: everybody in it can only read. ${OBSERVERS_BACK}`;
    return because({ does: 'concludes', fields }, [why, ...notes]);
  }
  if (held.state === 'completed' && state === 'available') {
    return because({ does: 'restores', fields }, [REOPENED, ...notes]);
  }
  const term = unknownTerm(cell, known);
  const keeps = term === null ? [] : [`The LMS has no term ${shown(term)}: the course keeps its term.`];
  const effect = changeOf(fields, 'The course is like this already.');
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
  ' If one was deleted, the course stays where it is: the LMS does not show what was deleted.';

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
      'The LMS does not show which blueprint course a course follows. If this one follows another, the LMS refuses the blueprint_course_id.',
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

/** The term of a row, where the LMS has none with this SIS id. */
export function unknownTerm(cell: Cells, known: Pick<Known, 'term'>): string | null {
  const term = cell('term_id');
  return term && known.term(term) === false ? term : null;
}

const RESTORED =
  'It comes back without the enrolments that it had. Sections that were not deleted themselves come back with it.';

function courseProblem(cell: Cells, id: string, status: string): string | null {
  if (id === '') return 'The SIS id of the course is missing.';
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

export interface HeldSection {
  id: number;
  name: string;
  /** SIS id of the course that it is in; null where that has none. */
  course: string | null;
  /** Whether it is cross-listed away from the course of its rows: then it stays where it is. */
  crossListed: boolean;
  start: string | null;
  end: string | null;
  integrationId: string | null;
  /** Whether people have access between the dates only; null or undefined where that is not known. */
  limited?: boolean | null;
}

/** @param held null where the LMS has no such section */
export function sectionEffect(cell: Cells, held: HeldSection | null, known: Known): SisEffect {
  const [id, course, name] = [cell('section_id') ?? '', cell('course_id') ?? '', cell('name') ?? null];
  const status = cell('status');
  const deletes = begins(status, 'deleted');
  if (id === '') return { does: 'fails', why: 'The SIS id of the section is missing.' };
  if (course === '') return { does: 'fails', why: 'The course_id is missing.' };
  if (!deletes && !begins(status, 'active')) {
    return { does: 'fails', why: `The status should be active or deleted, not ${shown(status ?? '')}.` };
  }
  if (name === null && (!deletes || held === null))
    return { does: 'fails', why: deletes ? `The name is missing.${STAYS_DELETED}` : 'The name is missing.' };
  const there = known.course(course);
  if (there === false) return fails('course_id', `The LMS has no course ${shown(course)}.`);
  if (there === null) return { does: 'unknown', why: 'The LMS did not tell about the course.' };
  if (held === null) {
    if (deletes) return { does: 'nothing', why: `The LMS has no section ${shown(id)}: nothing is deleted.` };
    return {
      does: 'creates',
      why: SECTION_BACK,
      fields: [['name', null, name], ['course_id', null, course], ...sectionFields(cell, null)],
    };
  }
  const fields: FieldChange[] = [
    ...keptFields(cell, [['name', held.name]]),
    ...(held.crossListed ? [] : changed('course_id', held.course, course)),
    ...sectionFields(cell, held),
  ];
  if (deletes) return { does: 'deletes', fields: [['status', 'active', 'deleted'], ...fields] };
  const moves = fields.some(([field]) => field === 'course_id');
  const why = 'The section moves to another course, with everybody in it.';
  const effect = changeOf(fields, 'The section is like this already.');
  return withLimit({ ...effect, ...(moves ? { why } : {}) }, held.end);
}

const STAYS_DELETED =
  ' If one with this SIS id was deleted, the LMS takes the row and nothing changes: the LMS does not show what was deleted.';

/** A row whose section is new, or one that was deleted: by its name it is the latter. */
export function sectionRestored(cell: Cells, deleted: Pick<HeldSection, 'start' | 'end'>): SisEffect {
  return {
    does: 'restores',
    why: RESTORED_SECTION,
    fields: [['status', 'deleted', 'active'], ...sectionFields(cell, { ...deleted, integrationId: null })],
  };
}

const RESTORED_SECTION =
  'The course has a deleted section of this name. If that one has this SIS id, the LMS restores it, without the enrolments that it had. If not, it creates one: the LMS does not show what was deleted by its SIS id.';

const SECTION_BACK =
  'If one with this SIS id, or its course, was deleted, the LMS restores it. If it was cross-listed from this course to one that is still there, it stays cross-listed. The LMS does not show what was deleted.';
/** The LMS shows no deleted sections, groups and accounts. */
const BACK = 'If one with this SIS id was deleted, the LMS restores it: it does not show what was deleted.';

/** Dates and integration id: an empty cell clears them, and so does a missing column. */
function sectionFields(
  cell: Cells,
  held: Pick<HeldSection, 'start' | 'end' | 'integrationId' | 'limited'> | null,
): FieldChange[] {
  return [
    ...changedDate('start_date', held?.start ?? null, cell('start_date') ?? null),
    ...changedDate('end_date', held?.end ?? null, cell('end_date') ?? null),
    ...limitField(held?.limited, sectionLimited(cell)),
    ...changed('integration_id', held?.integrationId ?? null, cell('integration_id') ?? null),
  ];
}

export interface HeldAccount {
  id: number;
  name: string;
  /** SIS id of the account above; null for the root account, or one without. */
  parent: string | null;
  integrationId: string | null;
}

/** @param held null where the LMS has no such account */
export function accountEffect(cell: Cells, held: HeldAccount | null, known: Known): SisEffect {
  const [id, parent, name] = [
    cell('account_id') ?? '',
    cell('parent_account_id') ?? null,
    cell('name') ?? null,
  ];
  const status = cell('status');
  if (id === '') return { does: 'fails', why: 'The SIS id of the account is missing.' };
  if (parent !== null && known.account(parent) === false) {
    return fails('parent_account_id', `The LMS has no account ${shown(parent)}.`);
  }
  const deletes = (status ?? '').toLowerCase().includes('deleted');
  if (held === null) {
    if (deletes) return { does: 'nothing', why: `The LMS has no account ${shown(id)}: nothing is deleted.` };
    if (name === null) return { does: 'fails', why: 'The name is missing.' };
    if (!begins(status, 'active'))
      return fails('status', 'A new account needs a status: it should be active.');
    return {
      does: 'creates',
      why: BACK,
      fields: [
        ['name', null, name],
        ...changed('parent_account_id', null, parent),
        ...changed('integration_id', null, cell('integration_id') ?? null),
      ],
    };
  }
  const fields = [
    ...keptFields(cell, [['name', held.name]]),
    ...changed('parent_account_id', held.parent, parent),
    ...changed('integration_id', held.integrationId, cell('integration_id') ?? null),
  ];
  if (deletes)
    return { does: 'deletes', why: 'The LMS refuses it while there are courses or accounts in it.', fields };
  return changeOf(fields, 'The account is like this already.');
}

/** An empty cell clears a date, and so does a missing column. */
function termDates(cell: Cells, held: Pick<HeldTerm, 'start' | 'end'> | null): FieldChange[] {
  return [
    ...changedDate('start_date', held?.start ?? null, cell('start_date') ?? null),
    ...changedDate('end_date', held?.end ?? null, cell('end_date') ?? null),
  ];
}

export interface HeldTerm {
  id: number;
  name: string;
  /** `active` or `deleted`. */
  state: string;
  start: string | null;
  end: string | null;
  /** Dates of single kinds of enrolment; undefined where they are not known. */
  overrides?: Readonly<Record<string, { start: string | null; end: string | null }>> | undefined;
}

const STAYS_GONE =
  'The term is deleted and stays so: a row with dates for one kind of enrolment does not restore it.';

/** A row that sets the dates of one kind of enrolment, or removes them, and nothing else of the term. */
function overrideEffect(cell: Cells, type: string, { overrides }: Pick<HeldTerm, 'overrides'>): SisEffect {
  if (overrides === undefined)
    return { does: 'changes', why: 'The dates for one kind of enrolment are set; they were not compared.' };
  const held = overrides[type] ?? null;
  const kind = 'date_override_enrollment_type';
  if (begins(cell('status'), 'deleted')) {
    if (held === null) return { does: 'nothing', why: `The term has no dates of its own for ${type}.` };
    const gone = [
      ...changed(kind, type, null),
      ...changedDate('start_date', held.start, null),
      ...changedDate('end_date', held.end, null),
    ];
    return { does: 'changes', why: `For ${type} the dates of the term apply again.`, fields: gone };
  }
  const fields = [...(held === null ? changed(kind, null, type) : []), ...termDates(cell, held)];
  return changeOf(fields, `The dates for ${type} are like this already.`);
}

/**
 * @param held null where the LMS has no such term
 * @param isNew whether an earlier row creates it
 */
export function termEffect(cell: Cells, held: HeldTerm | null, isNew = false): SisEffect {
  const effect = termRow(cell, held, isNew);
  const own = held !== null && !cell('date_override_enrollment_type');
  if (!own || !['changes', 'nothing', 'restores', 'deletes'].includes(effect.does)) return effect;
  const given = cell('integration_id');
  const told = given
    ? `The integration_id is set to ${shown(given)}. The LMS does not show what was there before, so that was not compared.`
    : 'If the term has an integration_id, the row clears it: the LMS does not show it.';
  const untrue = given && effect.does === 'nothing' && held.state !== 'deleted';
  if (untrue) return { does: 'changes', why: told };
  return { ...effect, why: [effect.why ?? [], told].flat().join(' ') };
}

function termRow(cell: Cells, held: HeldTerm | null, isNew: boolean): SisEffect {
  const [id, name] = [cell('term_id') ?? '', cell('name') ?? null];
  const status = cell('status');
  if (id === '') return { does: 'fails', why: 'The SIS id of the term is missing.' };
  const override = cell('date_override_enrollment_type');
  if (override) {
    if (held === null && !isNew)
      return { does: 'fails', why: `The LMS has no term ${shown(id)} to set dates of.` };
    const effect = overrideEffect(cell, override, held ?? { overrides: {} });
    if (held?.state !== 'deleted' || effect.does !== 'changes') return effect;
    return { ...effect, why: [effect.why ?? [], STAYS_GONE].flat().join(' ') };
  }
  const deletes = begins(status, 'deleted');
  if (!deletes && !begins(status, 'active')) {
    return { does: 'fails', why: `The status should be active or deleted, not ${shown(status ?? '')}.` };
  }
  if (name === null) return { does: 'fails', why: 'The name is missing.' };
  if (held === null) {
    if (deletes) return { does: 'nothing', why: `The LMS has no term ${shown(id)}: nothing is deleted.` };
    return { does: 'creates', fields: [['name', null, name], ...termDates(cell, null)] };
  }
  if (deletes && held.state === 'deleted') return { does: 'nothing', why: 'The term is deleted already.' };
  const fields = [...keptFields(cell, [['name', held.name]]), ...termDates(cell, held)];
  if (deletes) return { does: 'deletes', fields: [['status', 'active', 'deleted'], ...fields] };
  if (held.state === 'deleted')
    return { does: 'restores', fields: [['status', 'deleted', 'active'], ...fields] };
  return changeOf(fields, 'The term is like this already.');
}
