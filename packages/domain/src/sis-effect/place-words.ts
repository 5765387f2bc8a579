/** Sentences about rows of enrolments, and the effects with them. */
import { shown } from '../sis-rows.ts';
import type { SisEffect } from './effect.ts';
import type { EnrolmentEffect } from './held-place.ts';

/** A row about a person whom the same upload deletes. Its effect depends on earlier deletions, which are hidden. */
export const PERSON_GONE = 'This upload deletes the person.';
export const MAY_REFUSE =
  'The LMS rejects the row if it has a deleted enrolment for this person, role and section. LMS Admin cannot check this, because the LMS does not show deleted items.';

/** Describes a row that removes a person from a deleted course by an SIS ID that may belong to a deleted login. */
export const formerInGone = (user: string): string =>
  `The course is deleted, together with every enrolment in it. The LMS accepts the row only if the SIS ID ${shown(user)} belongs to a deleted login whose owner never had this role in the section. Otherwise it rejects the row. LMS Admin cannot check this, because the LMS does not show deleted items.`;

/** Returns the effect on a student whose observers are also enrolled. */
export function joinedBy(effect: SisEffect, joining: readonly number[]): EnrolmentEffect {
  const who = joining.length === 1 ? 'One linked observer is' : `${joining.length} linked observers are`;
  return { ...effect, joining, why: [effect.why ?? [], `${who} enrolled too.`].flat().join(' ') };
}

export const deletedLogin = (user: string): string =>
  `The login with the SIS ID ${shown(user)} is deleted, and the person has another login. The LMS enrols the person and reports a message, or rejects the row. Use the SIS ID of the active login.`;

/** Returns the effect on a student with a linked observer outside the course. */
export function withReturning(effect: SisEffect): SisEffect {
  return { ...effect, why: [effect.why ?? [], MAY_RETURN].flat().join(' ') };
}

export const MAY_RETURN =
  'If a linked observer was removed from this course before, the LMS gives the observer the same state. LMS Admin cannot check this, because the LMS does not show deleted items.';

/** Returns the effect on a person whom the same upload deletes: the LMS enrols them, but not as active. */
export function withGonePerson(effect: SisEffect): SisEffect {
  return { ...effect, why: [effect.why ?? [], PERSON_GONE, MAY_REFUSE].flat().join(' ') };
}

export const ENDED_WITH_PERSON =
  'This upload deletes the person together with this enrolment. The LMS rejects further rows about this enrolment.';
export const NOT_ENROLLED =
  'This upload deletes the person. The LMS does not make any of their enrolments active.';
export const WITH_SECTION = 'The enrolment ends with its section, which is deleted by this upload.';
export const NOTHING_LEFT =
  ' If this section was deleted, there is nothing left to remove from it. LMS Admin cannot check this, because the LMS does not show deleted items.';
/** A row without a matching enrolment, for a person still in groups of the course: their section left the course. */
export const LEAVES_GROUPS =
  'The person is not enrolled in the course, but is still in its groups. The LMS removes the person from these groups.';
export const MAY_LEAVE_GROUPS =
  'The person is not enrolled in the course, and LMS Admin could not check whether they are still in its groups. If so, the LMS removes the person from these groups, so the row counts as a removal.';
/**
 * Describes the place of rows without a section if the course shows no default one: for single rows, and for the note
 * on all.
 */
export function withoutDefault(course: string, rows: string, mayHaveOne: boolean): string {
  const own = mayHaveOne
    ? 'If one of its sections is the default section under another name, the LMS uses that one. '
    : '';
  return `LMS Admin cannot tell in which section ${rows}, because the ${course} shows no default section. ${own}If a section was cross-listed from this course to another course, the LMS uses that section, in the other course. Otherwise the LMS creates a new section, named after the course. To choose the section, fill in the column section_id.`;
}
const THIS_ROW = 'this row is applied';
export const IN_DEFAULT = withoutDefault('course', THIS_ROW, true);
export const NEW_DEFAULT = withoutDefault('course', THIS_ROW, false);
export const RESTORED_DEFAULT =
  'The row is applied in the default section, if the course is restored with one. Otherwise the LMS creates a new section, named after the course. LMS Admin cannot check this, because the LMS does not show the sections of a deleted course.';
export const restoredSection = (section: string): string =>
  `The course was deleted and is restored by this upload, and the LMS does not show the sections of a deleted course. If ${shown(section)} is one of them, the LMS applies the row. Otherwise the LMS rejects the row.`;
export const RESTORED_EMPTY =
  'The course was deleted and is restored without its former enrolments, so no one is removed.';
export const PERHAPS_AWAY =
  'The row gives no section_id, and LMS Admin cannot tell whether the default section is cross-listed to another course. If it is, the row is applied there. Fill in the section_id to have the row compared.';
export const WHICH_LAST =
  'An earlier row about this person and role could not be compared, so LMS Admin cannot tell whether this is their last enrolment with the role.';
export const WHICH_DEFAULT =
  'The row gives no section_id, and LMS Admin cannot tell which section is the default section. Fill in the section_id to have the row compared.';
