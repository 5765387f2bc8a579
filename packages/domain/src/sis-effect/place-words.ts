/** Sentences about rows of enrolments, and the effects that carry them. */
import { shown } from '../sis-rows.ts';
import type { SisEffect } from './effect.ts';
import type { EnrolmentEffect } from './held-place.ts';

/** A row about someone whom the same upload deletes. What was deleted before decides what the LMS does then, and it does not show that. */
export const PERSON_GONE = 'This upload deletes the person.';
export const MAY_REFUSE =
  'The LMS refuses the row if it has a deleted enrolment of this person, role and section: the LMS does not show what was deleted.';

/** A row that removes someone from a deleted course by an SIS ID that may be that of a deleted login. */
export const formerInGone = (user: string): string =>
  `The course is deleted, and every enrolment in it. The LMS takes the row if the SIS ID ${shown(user)} is that of a deleted login; otherwise it rejects the row, because no one has this SIS ID.`;

/** The effect on a student whose observers come in too. */
export function joinedBy(effect: SisEffect, joins: number): EnrolmentEffect {
  const who = joins === 1 ? 'One linked observer is' : `${joins} linked observers are`;
  return { ...effect, joins, why: [effect.why ?? [], `${who} enrolled, too.`].flat().join(' ') };
}

export const deletedLogin = (user: string): string =>
  `The login with the SIS ID ${shown(user)} is deleted, and the person has another one. The LMS enrols them with a message, or rejects the row. Use the SIS ID of the login that is in use.`;

/** The effect on a student with a linked observer who is not in the course. */
export function withReturning(effect: SisEffect): SisEffect {
  return { ...effect, why: [effect.why ?? [], MAY_RETURN].flat().join(' ') };
}

export const MAY_RETURN =
  'If a linked observer was taken out of this course before, the LMS gives the observer the same state: it does not show what was deleted.';

/** The effect on someone whom the same upload deletes: the LMS enrols them, though not as active. */
export function withGonePerson(effect: SisEffect): SisEffect {
  return { ...effect, why: [effect.why ?? [], PERSON_GONE, MAY_REFUSE].flat().join(' ') };
}

export const ENDED_WITH_PERSON =
  'This upload deletes the person, and this enrolment with them: the LMS refuses further rows about it.';
export const NOT_ENROLLED =
  'This upload deletes the person: the LMS does not make an enrolment of theirs active.';
export const WITH_SECTION = 'The enrolment ends with its section, which is deleted by this upload.';
export const NOTHING_LEFT =
  ' If it was deleted, nothing is left to remove in it: the LMS does not show what was deleted.';
/** A row that meets no enrolment, of someone who is still in groups of the course: a section of theirs went to another one. */
export const LEAVES_GROUPS =
  'They have no place in the course, but are still in groups of it: the LMS removes them from these.';
export const MAY_LEAVE_GROUPS =
  'They have no place in the course, and LMS Admin could not find out whether they are still in groups of it. If they are, the LMS removes them from these, so the row counts.';
/** Where rows land that name no section of a course without a visible default one: the same for a row and for the note about all of them. */
export function withoutDefault(course: string, rows: string, mayHaveOne: boolean): string {
  const own = mayHaveOne
    ? 'If one of its sections is the default one under another name, the LMS uses that one. '
    : '';
  return `LMS Admin cannot tell in which section ${rows}: the ${course} shows no default section. ${own}If a section was cross-listed from it to another course, the LMS uses that section, in the other course. Otherwise the LMS creates a new section, named after the course. Name a section in the column section_id to decide it.`;
}
const THIS_ROW = 'this row is carried out';
export const IN_DEFAULT = withoutDefault('course', THIS_ROW, true);
export const NEW_DEFAULT = withoutDefault('course', THIS_ROW, false);
export const RESTORED_DEFAULT =
  'In the default section, if the course comes back with one: the LMS does not show the sections of a deleted course. Where there is none the LMS creates a new section, named after the course.';
export const restoredSection = (section: string): string =>
  `The course was deleted and is restored by this upload, and the LMS does not show the sections of a deleted course: if ${shown(section)} is one of them, the LMS carries out the row, else it refuses it.`;
export const RESTORED_EMPTY =
  'The course was deleted and is restored without its former enrolments, so no one is removed.';
export const PERHAPS_AWAY =
  'The row gives no section_id, and LMS Admin cannot tell whether the default section is the one that is cross-listed to another course: then the row is carried out there. Give the section_id to have it compared.';
export const WHICH_LAST =
  'An earlier row about this person and role could not be compared, so LMS Admin cannot tell whether this is their last enrolment with the role.';
export const WHICH_DEFAULT =
  'The row gives no section_id, and LMS Admin cannot tell which section is the default one. Give the section_id to have the row compared.';
