/** Texts of Section Enrollment; prescribed ones are in the contract. */

import type { SectionPerson } from '@lms-admin/contract/enrollments';
import { grouped } from '@lms-admin/domain/numbers';
import { texts as shared } from '../../components/Review/texts.ts';

const changes: Readonly<Record<SectionPerson['change'], string>> = {
  add: 'To add',
  already: 'Already enrolled',
  remove: 'To remove',
  'not-enrolled': 'Not enrolled',
  linked: 'Not removed: linked to a student',
};

export const texts = {
  purpose: [
    'Choose courses, and enter the people you want to add to or remove from their sections.',
    'Check what will change in each section. Nothing is sent until you select “Submit Data to LMS”.',
  ],
  progressTitle: 'Progress',
  another: 'Add or remove more people in these courses',
  tooManyRows: (rows: number, most: number) =>
    `This would be ${grouped(rows)} enrolments (people in sections). One submission can have at most ${grouped(most)}. Nothing has been sent. Assign fewer people.`,
  refusedIn: (section: string, why: string) => `${section}: ${why} Correct it or remove it.`,
  assign: 'Assign people',
  assignTo: (what: string, course: string) => `${what}: ${course}`,
  column: 'People',
  chosen: 'Selected courses',
  chosenId: 'section-chosen',
  chosenCourse: 'Course',
  chosenState: 'Assigned',
  chosenEmpty: 'No course is selected yet. Select courses above, or select “Assign people” beside one.',
  nothingYet: 'No one yet',
  edit: 'Edit',
  asideTitle: (count: string) => `${count} with people assigned, no longer selected`,
  asideText: 'Your entries are kept, but they are not submitted unless you select the course again.',
  reselect: 'Select again',
  reselectOf: (course: string) => `Select again: ${course}`,
  reselectAll: (count: string) => `Select all ${count} again`,
  forget: 'Discard',
  forgetOf: (course: string) => `Discard: ${course}`,
  forgotten: (course: string) => `The assignments in ${course} were discarded.`,
  aside: (course: string, what: string) => `${course}: ${what}`,
  dialog: {
    title: (course: string) => `Assign people: ${course}`,
    courseId: 'Course ID',
    sectionId: 'SIS ID of the section',
    save: 'Save',
    cancel: 'Cancel',
    loading: 'Loading the sections',
    failed: 'The sections could not be loaded.',
    rolesFailed: 'The roles could not be loaded.',
    noRoles: 'You do not have permission to use any role here. Contact IT Support.',
    empty: 'This course has no sections',
    emptyNext: 'People can be assigned once the course has a section. Create one in the LMS.',
    search: 'Search sections',
    found: (found: number, all: number) => `${grouped(found)} of ${grouped(all)} sections`,
    noMatch: 'No section has this text in its name or SIS ID.',
    gone: (names: string) =>
      `These sections are no longer in the LMS, so people assigned to them are not saved: ${names}.`,
    nothing: 'No one assigned yet',
    saved: (course: string, what: string) => `Saved for ${course}: ${what}.`,
    savedNothing: (course: string) => `No one is assigned in ${course}.`,
  },
  section: {
    /** Distinguishes a section with the same name as another of the course. */
    oneOfSeveral: (name: string, id: string) => `${name} (${id})`,
    students: (count: string) => `${count} now`,
    willGet: (id: string) => `No SIS ID yet. It will get ${id} when you submit.`,
    ids: 'SIS IDs',
    idsOf: (section: string) => `SIS IDs for ${section}`,
    hint: 'Type SIS IDs separated by commas or spaces, or paste a column from a spreadsheet',
    role: (section: string) => `Role in ${section}`,
    chooseRole: 'Choose role',
    action: (section: string) => `Action in ${section}`,
    forAll: 'Use for all sections',
    forAllOf: (section: string) => `Use role and action of ${section} for all sections`,
    filled: (count: string) => `Role and action set for ${count} more.`,
  },
  review: {
    ready: (rows: string) => `The review is ready: ${rows}.`,
    willDo: (parts: string) => `Submitting ${parts}.`,
    adds: (changes: string, sections: string) => `adds ${changes} in ${sections}`,
    removes: (changes: string, sections: string) => `removes ${changes} from ${sections}`,
    and: ' and ',
    reactivates: (count: number) =>
      count === 1
        ? '1 of them is already enrolled but not active (invited, inactive or completed), and will become active.'
        : `${grouped(count)} of them are already enrolled but not active (invited, inactive or completed), and will become active.`,
    handedIn: 'Work that people have submitted stays in the LMS.',
    already: (count: number) =>
      count === 1
        ? '1 enrolment already exists and will not change.'
        : `${grouped(count)} enrolments already exist and will not change.`,
    notThere: (count: number) =>
      count === 1
        ? '1 enrolment does not exist, because the person does not have this role in the section. Nothing is sent for it.'
        : `${grouped(count)} enrolments do not exist, because these people do not have this role in the section. Nothing is sent for them.`,
    table: 'Changes in each section',
    columns: {
      add: 'To add',
      remove: 'To remove',
      already: 'Already enrolled',
      notEnrolled: 'Not enrolled',
      unchanged: 'No change',
      notFound: 'Not found',
    },
    found: 'People found',
    notFound: 'People not found',
    unreadMark: 'not compared',
    failedText:
      'The LMS did not answer. This does not mean that these people do not exist. They are skipped until they have been looked up.',
    failedAfter:
      'The LMS did not answer, so these people were skipped. This does not mean that they do not exist. Add or remove them separately.',
    unreadText:
      'LMS Admin could not check who is enrolled in these sections, so it sends everyone it found. People who are already enrolled stay enrolled.',
    moreMissing: (count: string) => `Show the IDs not found in ${count} more`,
    sentTitle: 'This review has already been submitted',
    emptyTitle: 'No one is assigned to a section yet',
    emptyText:
      'Go back, select “Assign people” beside a course, and enter the SIS IDs of the people for its sections. Nothing has been sent.',
    backToCourses: 'Back to the courses',
    of: (course: string, section: string) => `${course}, ${section}`,
  },
  nothing: {
    noPeople: 'None of these people were found, so there is nothing to send.',
    noSection: 'None of the sections can be changed, so there is nothing to send.',
    unchanged: 'Everything is already as requested, so there is nothing to send.',
  },
  changeOf: (person: SectionPerson) => shared.changeOfState(person) ?? changes[person.change],
} as const;
