/** Texts for undoing an import. */
import { counted, grouped } from '@lms-admin/domain/numbers';

const people = (count: number) => counted(count, 'person', 'people');
const enrolments = (count: number) => counted(count, 'enrolment', 'enrolments');
const sections = (count: number) => counted(count, 'section', 'sections');

export const texts = {
  button: 'Undo this import',
  hint: 'You can review what will be undone before anything is sent.',
  title: 'Undo this import',
  start: 'Starting the comparison',
  cancelled: 'The comparison was cancelled. Nothing has been sent.',
  retry: 'Compare again',
  broke: 'LMS Admin could not prepare the undo.',
  leave: 'Keep the import',
  removes: (count: number, places: number) => `Undo removes ${enrolments(count)} from ${sections(places)}.`,
  restores: (count: number, places: number) => `Undo restores ${enrolments(count)} in ${sections(places)}.`,
  inactive: (count: number) => `Undo makes ${enrolments(count)} inactive again, as before the import.`,
  completed: (count: number) => `Undo sets ${enrolments(count)} back to completed, as before the import.`,
  handedIn: 'Work that people have submitted stays in the LMS.',
  groups: 'Group memberships that ended with an enrolment are not restored.',
  nothing: {
    /** Used when every enrolment could be compared. */
    asBefore:
      'There is nothing to undo, because the sections of this import are already as they were before it.',
    /** The remaining differences were made by others, or cannot be set. */
    stays: 'Undo changes nothing. The enrolments below stay as they are.',
    unanswered:
      'LMS Admin could not compare the import with the LMS. This does not mean that there is nothing to undo. Compare again in a few minutes.',
    outOfReach:
      'Undo is not possible, because the courses or sections of this import have been deleted or moved, or are no longer available to you.',
  },
  stays: (count: number) =>
    count === 1
      ? '1 enrolment is already as it was before the import.'
      : `${grouped(count)} enrolments are already as they were before the import.`,
  press: (removed: number, restored: number) =>
    removed > 0 && restored > 0
      ? `Remove ${grouped(removed)} and restore ${grouped(restored)} enrolments`
      : removed > 0
        ? `Remove ${enrolments(removed)}`
        : `Restore ${enrolments(restored)}`,
  members: {
    nothing: {
      asBefore:
        'There is nothing to undo, because all memberships of this import are already as they were before it.',
      /** The remaining differences were made by others, or cannot be restored. */
      stays: 'Undo changes nothing. The memberships below stay as they are.',
    },
    and: ' and ',
    stays: (count: number) =>
      count === 1
        ? '1 membership is already as it was before the import.'
        : `${grouped(count)} memberships are already as they were before the import.`,
    willDo: (parts: string) => `Undo ${parts}.`,
    removes: (count: number) => `removes ${people(count)} from a group`,
    adds: (count: number) => `adds ${people(count)} to a group again`,
    moves: (count: number) => `moves ${people(count)} back to their previous group`,
    press: ({ rows, remove }: { rows: number; remove: number }) => {
      const what = counted(rows, 'membership', 'memberships');
      return remove === rows ? `Remove ${what}` : `Restore ${what}`;
    },
    table: 'Changes for each person',
    list: 'People whose groups change',
    columns: {
      person: 'Person',
      what: 'What happens',
      group: 'Group',
      why: 'Note',
    },
    figures: {
      remove: 'To remove',
      add: 'To restore',
      move: 'To move back',
      already: 'No change',
      refused: 'Not possible',
    },
    fate: {
      add: 'Restored',
      move: 'Moved back',
      already: 'Already in the group',
      remove: 'Removed',
      'not-member': 'No longer in the group',
      refused: 'Not possible',
    },
    from: (group: string) => `from ${group}`,
    keptTitle: (count: string) => `${count} where they are now`,
    asReviewed:
      'This import was made with an earlier version of LMS Admin, which did not record changes made in the LMS between the review and the import. Check the rows below before you submit.',
    kept: {
      'moved-on': (person: string, group: string) =>
        `${person}, ${group}: they or one of their groups have been moved or removed since the import.`,
      'later-import': (person: string, group: string) =>
        `${person}, ${group}: a later import has also added them to this group, so they stay there.`,
      'by-hand': (person: string, group: string) =>
        `${person}, ${group}: they were added to this group again in the LMS since the import, so they stay there.`,
      several: (person: string, group: string) =>
        `${person}, ${group}: they are now in another group of the same category, and restoring the membership would remove them from that group.`,
      regrouped: (person: string, group: string) =>
        `${person}, ${group}: one of the groups has moved to another category since the import. Move the person in the LMS.`,
      full: (person: string, group: string) =>
        `${person}, ${group}: the group that they left is now full, so they stay where they are.`,
      'no-id': (person: string, group: string) =>
        `${person}, ${group}: the group has no SIS ID, so an import cannot change it.`,
      'no-person-id': (person: string, group: string) =>
        `${person}, ${group}: the person no longer has an SIS ID, so an import cannot change their groups.`,
      gone: (person: string, group: string) => `${person}, ${group}: the group is no longer in the course.`,
      left: (person: string, group: string) => `${person}, ${group}: the person is no longer in the course.`,
      another: (person: string, group: string) =>
        `${person}, ${group}: the person is no longer in the course, and their SIS ID belongs to another person.`,
    },
  },
  columns: { add: 'To restore', remove: 'To remove', unchanged: 'No change', stays: 'Not changed' },
  actions: {
    active: 'Restore',
    deleted: 'Remove',
    inactive: 'Make inactive again',
    completed: 'Set to completed again',
  },
  table: 'Changes in each section',
  of: (course: string, section: string) => `${course}, ${section}`,
  failedText: 'The LMS did not answer. These people are skipped until they have been looked up.',
  goneTitle: (count: string) => `${count} no longer in the LMS`,
  goneText: 'The LMS no longer has people with these SIS IDs. Nothing is sent for them.',
  /** Unchanged rows: title, explanation, and a line for each person. */
  kept: {
    changed: {
      title: (count: number) =>
        count === 1
          ? '1 enrolment has since been changed by another import or in the LMS'
          : `${grouped(count)} enrolments have since been changed by other imports or in the LMS`,
      text: 'Undo leaves them as they are now.',
      line: (person: string, state: string, where: string) => `${person} – now ${state} – ${where}`,
    },
    state: {
      title: (count: number) =>
        count === 1 ? '1 enrolment cannot be restored' : `${grouped(count)} enrolments cannot be restored`,
      text: 'An import cannot set the state that they had before. They stay as the import left them. Change them in the LMS if needed.',
      line: (person: string, state: string, where: string) => `${person} – was ${state} – ${where}`,
    },
    unread: {
      title: (count: number) =>
        count === 1
          ? '1 enrolment is not changed, because its state before the import is unknown'
          : `${grouped(count)} enrolments are not changed, because their state before the import is unknown`,
      text: 'LMS Admin could not read these enrolments before the import. Check them with the enrolment tool and correct them there.',
      line: (person: string, _state: string, where: string) => `${person} – ${where}`,
    },
    unanswered: {
      title: (count: number) =>
        count === 1
          ? '1 enrolment could not be compared'
          : `${grouped(count)} enrolments could not be compared`,
      text: 'The LMS did not answer. This does not mean that there is nothing to undo. Nothing is sent for these enrolments until you compare again.',
      line: (person: string, _state: string, where: string) => `${person} – ${where}`,
    },
    'out-of-reach': {
      title: (count: number) =>
        count === 1
          ? '1 enrolment is no longer available'
          : `${grouped(count)} enrolments are no longer available`,
      text: 'Their course or section has been deleted, the section has moved to another course, or it is no longer available to you. Nothing is sent for them.',
      line: (person: string, _state: string, where: string) => `${person} – ${where}`,
    },
    lost: {
      title: (count: number) =>
        count === 1
          ? '1 enrolment is no longer available'
          : `${grouped(count)} enrolments are no longer available`,
      text: 'Their section is no longer in its course. Nothing is sent for them.',
      line: (person: string, _state: string, where: string) => `${person} – ${where}`,
    },
    gone: {
      title: (count: number) =>
        count === 1
          ? '1 enrolment of a person who cannot be found'
          : `${grouped(count)} enrolments of people who cannot be found`,
      text: 'The LMS no longer has the person, or they no longer have an SIS ID. Nothing is sent for them. Search for them in the LMS by name.',
      line: (person: string, _state: string, where: string) => `${person} – ${where}`,
    },
    elsewhere: {
      title: (count: number) =>
        count === 1
          ? '1 enrolment was changed in another section'
          : `${grouped(count)} enrolments were changed in another section`,
      text: 'The LMS applied the rows to a different section from the one in the review. The result of the import names it. Undo does not change these enrolments, so check both sections.',
      line: (person: string, _state: string, where: string) => `${person} – ${where}`,
    },
    'another-person': {
      title: (count: number) =>
        count === 1
          ? '1 enrolment was not changed by the import'
          : `${grouped(count)} enrolments were not changed by the import`,
      text: 'By the time the LMS processed the rows, their SIS ID belonged to another person. The result of the import names the other person. Undo changes neither person, so check both in the LMS.',
      line: (person: string, _state: string, where: string) => `${person} – ${where}`,
    },
    observer: {
      title: (count: number) =>
        count === 1 ? '1 enrolment of an observer stays' : `${grouped(count)} enrolments of observers stay`,
      text: 'The LMS gives linked observers the state of their student. Undo cannot restore the previous state of these students, so their observers also stay as the import left them. Check them in the LMS.',
      line: (person: string, state: string, where: string) => `${person} – ${state} – ${where}`,
    },
    'observers-unread': {
      title: (count: number) => `LMS Admin could not look up the observers of ${counted(count, 'student')}`,
      text: 'Undo cannot restore the previous state of these students. Observers who are linked to them also stay as the import left them. Check them in the LMS.',
      line: (person: string, _state: string, where: string) => `${person} – ${where}`,
    },
    'not-active': {
      title: (count: number) =>
        count === 1 ? '1 enrolment cannot be restored' : `${grouped(count)} enrolments cannot be restored`,
      text: 'They were invited, inactive or completed before the import, and stay as the import left them. Change them in the LMS if needed.',
      line: (person: string, _state: string, where: string) => `${person} – ${where}`,
    },
  },
  countLine: (count: number, where: string) => `${people(count)} – ${where}`,
  observersTitle: 'Observers follow their students',
  observersText:
    'When undo restores the state of a student, the LMS gives the same state to all observers linked to that student. These observers are not listed here, and undo does not restore their own state. Check them in the LMS afterwards.',
  observersNamedText:
    'When undo restores the state of a student, the LMS gives the same state to all observers linked to that student. Undo does not restore their own state. Check them in the LMS afterwards.',
  sectionsTitle: (count: number) =>
    count === 1 ? '1 section is not restored' : `${grouped(count)} sections are not restored`,
  sectionsText: 'Undo does not delete sections or SIS IDs.',
  sections: {
    created: (where: string) => `${where} – created for this import`,
    named: (where: string) => `${where} – was given an SIS ID for this import`,
  },
  reviewedTitle: 'This import was sent by an earlier version of LMS Admin',
  reviewedText:
    'That version recorded who was enrolled at the time of the review, not when the import was sent. Undo does not know about changes made in between. Check the list before you continue.',
  sendFailed: 'The request could not be sent.',
  resend: 'Send again',
  safe: 'Sending again is safe: the same review is never sent twice.',
  nothingSent: 'Nothing has been sent.',
  changeOf: {
    add: {
      active: 'Becomes active again',
      inactive: 'Becomes inactive again',
      completed: 'Becomes completed again',
      deleted: 'Is removed',
    },
    already: 'No change',
    remove: 'Is removed',
    'not-enrolled': 'No change',
    linked: 'No change',
  },
} as const;
