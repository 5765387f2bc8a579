/** What rows of accounts, terms, courses and sections do, with what hangs on them (LMS reference §9.3 and §9.4). */
import { shown } from '../sis-rows.ts';
import {
  begins,
  type Cells,
  changed,
  changedDate,
  changeOf,
  type FieldChange,
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
}

/** What other rows and the LMS say of what a row names; null where nobody can say. */
export interface Known {
  account: (sisId: string) => boolean | null;
  term: (sisId: string) => boolean | null;
  course: (sisId: string) => boolean | null;
}

/** @param held null where the LMS has no such course */
export function courseEffect(cell: Cells, held: HeldCourse | null, known: Known): SisEffect {
  const id = cell('course_id') ?? '';
  const status = (cell('status') ?? '').toLowerCase();
  const missing = courseProblem(cell, id, status);
  if (missing !== null) return { does: 'fails', why: missing };
  const account = cell('account_id');
  const reserve = cell('fallback_account_id');
  if (account && known.account(account) === false && !(reserve && known.account(reserve))) {
    return { does: 'fails', why: `The LMS has no account ${shown(account)}.` };
  }
  const deletes = status.startsWith('deleted');
  if (held === null) {
    if (deletes) return { does: 'nothing', why: `The LMS has no course ${shown(id)}: nothing is deleted.` };
    return { does: 'creates', fields: courseFields(cell, null, known) };
  }
  if (deletes) {
    if (held.state === 'deleted') return { does: 'nothing', why: 'The course is deleted already.' };
    return { does: 'deletes', fields: [['status', held.state, 'deleted']] };
  }
  const state = courseState(status, held.state);
  const fields = [...changed('status', held.state, state), ...courseFields(cell, held, known)];
  if (held.state === 'deleted') return { does: 'restores', why: RESTORED, fields };
  if (state === 'completed' && held.state !== 'completed') {
    return { does: 'concludes', why: 'The course is concluded: everybody in it can only read.', fields };
  }
  if (held.state === 'completed' && state === 'available') {
    return { does: 'restores', why: 'The course was concluded and is open again.', fields };
  }
  return changeOf(fields, 'The course is like this already.');
}

const RESTORED = 'It comes back without the enrolments that it had.';

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
function courseState(status: string, before: string): string {
  if (status.startsWith('completed')) return 'completed';
  if (status.startsWith('published')) return 'available';
  return before === 'completed' || before === 'available' ? 'available' : 'unpublished';
}

function courseFields(cell: Cells, held: HeldCourse | null, known: Known): FieldChange[] {
  const term = cell('term_id');
  // A term that the LMS does not have is passed over.
  const takes = term && known.term(term) !== false ? term : null;
  const account = cell('account_id');
  return [
    ...keptFields(cell, [
      ['long_name', held?.name ?? null],
      ['short_name', held?.code ?? null],
    ]),
    ...(account && known.account(account) !== false
      ? changed('account_id', held?.account ?? null, account)
      : []),
    ...(takes === null ? [] : changed('term_id', held?.term ?? null, takes)),
    ...dateField(cell, 'start_date', held?.start ?? null),
    ...dateField(cell, 'end_date', held?.end ?? null),
    // Without a cell it is cleared, also where the column is missing.
    ...changed('integration_id', held?.integrationId ?? null, cell('integration_id') ?? null),
    ...(cell('course_format') === undefined
      ? []
      : changed('course_format', held?.format ?? null, setting(cell))),
  ];
}

function setting(cell: Cells): string | null {
  const given = (cell('course_format') ?? '').toLowerCase();
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
  if (name === null && (!deletes || held === null)) return { does: 'fails', why: 'The name is missing.' };
  const there = known.course(course);
  if (there === false) return { does: 'fails', why: `The LMS has no course ${shown(course)}.` };
  if (there === null) return { does: 'unknown', why: 'The LMS did not tell about the course.' };
  if (held === null) {
    if (deletes) return { does: 'nothing', why: `The LMS has no section ${shown(id)}: nothing is deleted.` };
    return {
      does: 'creates',
      fields: [
        ['name', null, name],
        ['course_id', null, course],
      ],
    };
  }
  if (deletes) return { does: 'deletes', fields: [['status', 'active', 'deleted']] };
  const fields: FieldChange[] = [
    ...keptFields(cell, [['name', held.name]]),
    ...(held.crossListed ? [] : changed('course_id', held.course, course)),
    ...changedDate('start_date', held.start, cell('start_date') ?? null),
    ...changedDate('end_date', held.end, cell('end_date') ?? null),
    ...changed('integration_id', held.integrationId, cell('integration_id') ?? null),
  ];
  const moves = fields.some(([field]) => field === 'course_id');
  const why = 'The section moves to another course, with everybody in it.';
  return { ...changeOf(fields, 'The section is like this already.'), ...(moves ? { why } : {}) };
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
    return { does: 'fails', why: `The LMS has no account ${shown(parent)}.` };
  }
  const deletes = (status ?? '').toLowerCase().includes('deleted');
  if (held === null) {
    if (deletes) return { does: 'nothing', why: `The LMS has no account ${shown(id)}: nothing is deleted.` };
    if (name === null) return { does: 'fails', why: 'The name is missing.' };
    return {
      does: 'creates',
      fields: [
        ['name', null, name],
        ['parent_account_id', null, parent],
      ],
    };
  }
  if (deletes) {
    return { does: 'deletes', why: 'The LMS refuses it while there are courses or accounts in it.' };
  }
  const fields = [
    ...keptFields(cell, [['name', held.name]]),
    ...changed('parent_account_id', held.parent, parent),
    ...changed('integration_id', held.integrationId, cell('integration_id') ?? null),
  ];
  return changeOf(fields, 'The account is like this already.');
}

export interface HeldTerm {
  id: number;
  name: string;
  start: string | null;
  end: string | null;
}

/** @param held null where the LMS has no such term */
export function termEffect(cell: Cells, held: HeldTerm | null): SisEffect {
  const [id, name] = [cell('term_id') ?? '', cell('name') ?? null];
  const status = cell('status');
  if (id === '') return { does: 'fails', why: 'The SIS id of the term is missing.' };
  if (cell('date_override_enrollment_type')) {
    if (held === null) return { does: 'fails', why: `The LMS has no term ${shown(id)} to set dates of.` };
    return { does: 'changes', why: 'The dates for one kind of enrolment are set; they were not compared.' };
  }
  const deletes = begins(status, 'deleted');
  if (!deletes && !begins(status, 'active')) {
    return { does: 'fails', why: `The status should be active or deleted, not ${shown(status ?? '')}.` };
  }
  if (name === null) return { does: 'fails', why: 'The name is missing.' };
  if (held === null) {
    if (deletes) return { does: 'nothing', why: `The LMS has no term ${shown(id)}: nothing is deleted.` };
    return { does: 'creates', fields: [['name', null, name]] };
  }
  if (deletes) return { does: 'deletes', fields: [['status', 'active', 'deleted']] };
  const fields = [
    ...keptFields(cell, [['name', held.name]]),
    ...changedDate('start_date', held.start, cell('start_date') ?? null),
    ...changedDate('end_date', held.end, cell('end_date') ?? null),
  ];
  return changeOf(fields, 'The term is like this already.');
}
