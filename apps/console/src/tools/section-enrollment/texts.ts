/** Texts of ours in Section Enrollment, beside the documented ones of the message table. Short, plain, without blame. */
import type { SectionPerson } from '@lms-admin/contract/enrollments';
import { texts as shared } from '../../components/Review/texts.ts';

const n = (count: number) => count.toLocaleString('en-GB');
const changes: Readonly<Record<SectionPerson['change'], string>> = {
  add: 'To add',
  already: 'Already there',
  remove: 'To remove',
  'not-enrolled': 'Not enrolled',
  linked: 'Stays: linked to a student',
};

export const texts = {
  purpose: [
    'Choose courses, and say for each who goes into or out of its sections.',
    'Look at what will change in each section. Nothing is sent before you press Submit Data to LMS.',
  ],
  progressTitle: 'Progress',
  another: 'Do another in the same courses',
  tooManyRows: (rows: number, most: number) =>
    `This would be ${n(rows)} enrolments (people in sections); one submission may have at most ${n(most)}. Nothing has been sent. Please assign fewer people.`,
  refusedIn: (section: string, why: string) => `${section}: ${why} Please correct it or take it out.`,
  assign: 'Assign people',
  assignTo: (what: string, course: string) => `${what}: ${course}`,
  column: 'People',
  chosen: 'Selected courses',
  chosenId: 'section-chosen',
  chosenCourse: 'Course',
  chosenState: 'Assigned',
  chosenEmpty: 'No course is selected yet. Tick courses above, or press Assign people beside one.',
  nothingYet: 'Nothing yet',
  edit: 'Edit',
  asideTitle: (count: string) => `${count} with people assigned, no longer selected`,
  asideText: 'What you assigned is kept, but it is not submitted unless the course is selected again.',
  chooseAgain: 'Select again',
  chooseAgainOf: (course: string) => `Select again: ${course}`,
  chooseAllAgain: (count: string) => `Select all ${count} again`,
  forget: 'Discard',
  forgetOf: (course: string) => `Discard: ${course}`,
  forgotten: (course: string) => `What was assigned in ${course} is discarded.`,
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
    noRoles: 'No role is open to you here. Please contact IT Support.',
    empty: 'This course has no sections',
    emptyNext:
      'There is nobody to assign here. A section is made in the LMS, or comes with the first enrolment.',
    search: 'Search sections',
    found: (found: number, all: number) => `${n(found)} of ${n(all)} sections`,
    noMatch: 'No section has this in its name or SIS id.',
    gone: (names: string) =>
      `These sections are not in the LMS any more; what was assigned to them is not saved: ${names}.`,
    nothing: 'Nobody assigned yet',
    saved: (course: string, what: string) => `Saved for ${course}: ${what}.`,
    savedNothing: (course: string) => `Nobody is assigned in ${course}.`,
  },
  section: {
    /** Where another section of the course has the same name. */
    oneOfSeveral: (name: string, id: string) => `${name} (${id})`,
    students: (count: string) => `${count} now`,
    willGet: (id: string) => `No SIS id yet: will get ${id} on submitting`,
    ids: 'SIS ids',
    idsOf: (section: string) => `SIS ids for ${section}`,
    hint: 'Type SIS ids with commas or blanks between, or paste a spreadsheet column',
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
    reactivates: (count: string) =>
      `${count} there already without being active (invited, inactive or completed), and will be active.`,
    handedIn: 'Work that people have handed in stays in the LMS.',
    already: (count: number) =>
      count === 1
        ? '1 enrolment is there already and stays as it is.'
        : `${count.toLocaleString('en-GB')} enrolments are there already and stay as they are.`,
    notThere: (count: string) =>
      `${count} a person is not in the section with the role; nothing is sent for them.`,
    table: 'What changes in each section',
    columns: {
      add: 'To add',
      remove: 'To remove',
      already: 'Already there',
      notEnrolled: 'Not enrolled',
      unchanged: 'No change',
      notFound: 'Not found',
    },
    found: 'People found',
    notFound: 'People not found',
    unreadMark: 'not compared',
    failedText:
      'The LMS did not answer for these SIS ids. That says nothing about whether the people exist; they are left out until they have been looked up.',
    unreadText:
      'The LMS did not tell who is in these sections. Everybody found is sent for them; people who are there already simply stay.',
    moreMissing: (count: string) => `Show the ids not found in ${count} more`,
    sentTitle: 'This review has been submitted already',
    emptyTitle: 'Nobody is assigned to a section yet',
    emptyText:
      'Go back, press Assign people beside a course, and enter the SIS ids of the people for its sections. Nothing has been sent.',
    backToCourses: 'Back to the courses',
    of: (course: string, section: string) => `${course}, ${section}`,
  },
  nothing: {
    nobody: 'None of the people was found, so there is nothing to send.',
    noSection: 'None of the sections can be changed, so there is nothing to send.',
    unchanged: 'Everything is already as you ask for, so there is nothing to send.',
  },
  changeOf: (person: SectionPerson) => shared.changeOfState(person) ?? changes[person.change],
} as const;
