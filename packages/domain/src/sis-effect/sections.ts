/** Effects of rows of sections (LMS reference §9.4). */
import { shown } from '../sis-rows.ts';
import { endBeforeStart, limitField, sectionLimited, withLimit } from './date-limits.ts';
import {
  begins,
  type Cells,
  changed,
  changedDate,
  changeOf,
  type FieldChange,
  fails,
  keptFields,
  type SisEffect,
} from './effect.ts';
import type { Known } from './known.ts';

export interface HeldSection {
  id: number;
  name: string;
  /** SIS ID of the section's course; null if the course has none. */
  course: string | null;
  /** Whether the section is cross-listed from the course of its rows: it then stays where it is. */
  crossListed: boolean;
  start: string | null;
  end: string | null;
  integrationId: string | null;
  /** Whether people only have access between the dates; null or undefined if unknown. */
  limited?: boolean | null;
}

/** @param held null if the LMS has no such section */
export function sectionEffect(cell: Cells, held: HeldSection | null, known: Known): SisEffect {
  const [id, course, name] = [cell('section_id') ?? '', cell('course_id') ?? '', cell('name') ?? null];
  const status = cell('status');
  const deletes = begins(status, 'deleted');
  if (id === '') return { does: 'fails', why: 'The SIS ID of the section is missing.' };
  if (course === '') return { does: 'fails', why: 'The course_id is missing.' };
  if (!deletes && !begins(status, 'active')) {
    return { does: 'fails', why: `The status should be active or deleted, not ${shown(status ?? '')}.` };
  }
  if (name === null && (!deletes || held === null))
    return { does: 'fails', why: deletes ? `The name is missing.${STAYS_DELETED}` : 'The name is missing.' };
  const there = known.course(course);
  if (there === false) return fails('course_id', `The LMS has no course ${shown(course)}.`);
  if (there === null) return { does: 'unknown', why: 'The LMS did not return the course.' };
  const early = endBeforeStart(cell, null);
  if (early !== null) return early;
  if (held === null) {
    if (deletes)
      return { does: 'nothing', why: `The LMS has no section ${shown(id)}, so nothing is deleted.` };
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
  const why = 'The section moves to another course, with everyone in it.';
  const effect = changeOf(fields, 'No change: the section already has these values.');
  return withLimit({ ...effect, ...(moves ? { why } : {}) }, held.end);
}

const STAYS_DELETED =
  ' If a section with this SIS ID was deleted, the LMS accepts the row and nothing changes. LMS Admin cannot check this, because the LMS does not show deleted items.';

/** Evaluates a row whose section is new, or deleted: its name shows that it is a deleted one. */
export function sectionRestored(cell: Cells, deleted: Pick<HeldSection, 'start' | 'end'>): SisEffect {
  return {
    does: 'restores',
    why: RESTORED_SECTION,
    fields: [['status', 'deleted', 'active'], ...sectionFields(cell, { ...deleted, integrationId: null })],
  };
}

const RESTORED_SECTION =
  'The course has a deleted section of this name. If that section has this SIS ID, the LMS restores the section without its former enrolments. If not, the LMS creates a new section. LMS Admin cannot check this, because the LMS does not show deleted items.';

const SECTION_BACK =
  'If a section with this SIS ID, or its course, was deleted, the LMS restores the section. If the section was cross-listed from this course to a course that still exists, the section stays cross-listed. LMS Admin cannot check this, because the LMS does not show deleted items.';
/** Lists the changes of dates and integration id: an empty cell clears them, and so does a missing column. */
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
