/** Effects of rows of terms, including those for one kind of enrolment (LMS reference §9.3). */
import { lmsDate } from '../sis-dates.ts';
import { shown } from '../sis-rows.ts';
import {
  begins,
  type Cells,
  changed,
  changedDate,
  changeOf,
  type FieldChange,
  keptFields,
  notThere,
  type SisEffect,
  type TermDecides,
} from './effect.ts';

/** Lists the changes of a term's dates: an empty cell or a missing column clears a date. */
function termDates(cell: Cells, held: Pick<HeldTerm, 'start' | 'end'> | null): FieldChange[] {
  return [
    ...changedDate('start_date', held?.start ?? null, cell('start_date') ?? null),
    ...changedDate('end_date', held?.end ?? null, cell('end_date') ?? null),
  ];
}

export interface TermDates {
  start: string | null;
  end: string | null;
  /** Dates of single kinds of enrolment; undefined if unknown. */
  overrides?: Readonly<Record<string, { start: string | null; end: string | null }>> | undefined;
}

export interface HeldTerm extends TermDates {
  id: number;
  name: string;
  /** `active` or `deleted`. */
  state: string;
}

/** Returns the dates of a term after a row that the LMS applies. @param before its previous dates; null for a new one */
export function datesAfter(cell: Cells, before: TermDates | null): TermDates {
  const read = (column: string) => lmsDate(cell(column) ?? '') ?? null;
  const own = { start: read('start_date'), end: read('end_date') };
  const kind = cell('date_override_enrollment_type');
  if (!kind) return { ...before, ...own };
  const { [kind]: _former, ...others } = before?.overrides ?? {};
  const overrides = begins(cell('status'), 'deleted') ? others : { ...others, [kind]: own };
  return { start: before?.start ?? null, end: before?.end ?? null, overrides };
}

const STUDENTS = 'StudentEnrollment';

/** Lists the moments when a term ends access for each kind of enrolment. */
function endsOf({ end, overrides = {} }: TermDates, kinds: Iterable<string>): (string | null)[] {
  return [...kinds].map((kind) => overrides[kind]?.end ?? end);
}

/**
 * Lists the dates that restricted access before, and those of the term that do so afterwards.
 * @param before null: new course
 */
export function datesByTerm(before: TermDates | null, after: TermDates): Omit<TermDecides, 'moved'> {
  const was = before ?? { start: null, end: null };
  // Kinds without their own dates use the term's.
  const kinds = new Set(['', ...Object.keys(was.overrides ?? {}), ...Object.keys(after.overrides ?? {})]);
  const [old, now] = [endsOf(was, kinds), endsOf(after, kinds)];
  const startOf = ({ start, overrides }: TermDates) => overrides?.[STUDENTS]?.start ?? start;
  return {
    ends: now.map((end, at) => [old[at] ?? null, end]),
    // Staff have access before a term starts.
    starts: before === null ? [] : [[startOf(before), startOf(after)]],
  };
}

const STAYS_GONE =
  'The term is deleted and stays deleted, because a row with dates for one kind of enrolment does not restore it.';

/** Evaluates a row that sets or removes the dates of one kind of enrolment, and changes nothing else of the term. */
function overrideEffect(cell: Cells, type: string, { overrides }: Pick<HeldTerm, 'overrides'>): SisEffect {
  if (overrides === undefined)
    return {
      does: 'changes',
      why: 'The dates for one kind of enrolment are set. LMS Admin did not compare these dates.',
    };
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
  return changeOf(fields, `The dates for ${type} already have these values.`);
}

/**
 * @param held null if the LMS has no such term
 * @param isNew whether an earlier row creates it
 */
export function termEffect(cell: Cells, held: HeldTerm | null, isNew = false): SisEffect {
  const effect = termRow(cell, held, isNew);
  const own = held !== null && !cell('date_override_enrollment_type');
  if (!own || !['changes', 'nothing', 'restores', 'deletes'].includes(effect.does)) return effect;
  const given = cell('integration_id');
  const note = given
    ? `The integration_id is set to ${shown(given)}. The LMS does not show the previous value, so LMS Admin could not compare it.`
    : 'If the term has an integration_id, the row clears it. LMS Admin cannot check this, because the LMS does not show it.';
  const untrue = given && effect.does === 'nothing' && held.state !== 'deleted';
  if (untrue) return { does: 'changes', why: note };
  return { ...effect, why: [effect.why ?? [], note].flat().join(' ') };
}

function termRow(cell: Cells, held: HeldTerm | null, isNew: boolean): SisEffect {
  const [id, name] = [cell('term_id') ?? '', cell('name') ?? null];
  const status = cell('status');
  if (id === '') return { does: 'fails', why: 'The SIS ID of the term is missing.' };
  const override = cell('date_override_enrollment_type');
  if (override) {
    if (held === null && !isNew)
      return { does: 'fails', why: `No dates can be set, because the LMS has no term ${shown(id)}.` };
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
    const missing = `The LMS has no term ${shown(id)}`;
    if (deletes) return notThere('term_id', `${missing}.`, `${missing}, so nothing is deleted.`);
    return { does: 'creates', fields: [['name', null, name], ...termDates(cell, null)] };
  }
  const fields = [...keptFields(cell, [['name', held.name]]), ...termDates(cell, held)];
  if (deletes && held.state === 'deleted')
    return { ...changeOf(fields, ''), why: 'The term is already deleted.', unseen: true };
  if (deletes) return { does: 'deletes', fields: [['status', 'active', 'deleted'], ...fields] };
  if (held.state === 'deleted')
    return { does: 'restores', fields: [['status', 'deleted', 'active'], ...fields] };
  return changeOf(fields, 'No change: the term already has these values.');
}
