/** Texts of ours in Course Enrollment, beside the documented ones of the message table. Short, plain, without blame. */
import type { PlannedPerson } from '@lms-admin/contract/enrollments';

const changes: Readonly<Record<PlannedPerson['change'], string>> = {
  add: 'To add',
  already: 'Already enrolled',
  remove: 'To remove',
  'not-enrolled': 'Not enrolled',
};

export const texts = {
  purpose: [
    'Choose the courses that people are added to or removed from.',
    'Say which role, whether people are added or removed, and who they are.',
    'Look at what will change. Nothing is sent before the last press.',
  ],
  progressTitle: 'Progress',
  another: 'Do another in the same courses',
  /** In place of 'Next' where it takes something away. */
  remove: (rows: number) =>
    `Remove ${rows.toLocaleString('en-GB')} ${rows === 1 ? 'enrolment' : 'enrolments'}`,
  role: 'Role',
  rolesEmpty: 'No role is open to you here. Please contact IT Support.',
  rolesNoMatch: 'No role matches what you typed.',
  action: 'Action',
  actionHint: {
    active: 'People who have the role already are left as they are.',
    deleted: 'Each enrolment with this role is removed, in whichever section it is.',
  },
  people: 'E-mail addresses',
  peopleHint:
    'Type an address and press Enter, Tab or a comma, or paste a whole column or a line of your mail program.',
  tooManyRows: (rows: number, most: number) =>
    `This would be ${rows.toLocaleString('en-GB')} enrolments (courses × people); one submission may have at most ${most.toLocaleString('en-GB')}. Nothing has been sent. Please choose fewer courses or fewer people.`,
  loadingRoles: 'Loading the roles',
  rolesFailed: 'The roles could not be loaded.',
  review: {
    ready: (rows: string) => `The review is ready: ${rows}.`,
    willAdd: (a: { changes: string; courses: string; people: string; role: string }) =>
      `Next adds ${a.changes}: ${a.people} found, as ${a.role}, in ${a.courses}.`,
    willRemove: (a: { changes: string; courses: string; people: string; role: string }) =>
      `This removes ${a.changes} as ${a.role} of ${a.people} found, in ${a.courses}. Work that people have handed in stays in the LMS.`,
    reactivates: (count: string) =>
      `${count} in the course already without being active (invited, inactive or completed), and will be active.`,
    stays: (count: number) =>
      count === 1
        ? '1 enrolment is there already and stays as it is.'
        : `${count.toLocaleString('en-GB')} enrolments are there already and stay as they are.`,
    notThere: (count: string) =>
      `${count} a person does not have the role in a course; nothing is sent for them.`,
    table: 'What changes in each course',
    columns: {
      add: 'To add',
      already: 'Already there',
      remove: 'To remove',
      notEnrolled: 'Not enrolled',
    },
    /** In place of a figure that could not be found out. */
    unknown: '–',
    failedText:
      'The LMS did not answer for these addresses. That says nothing about whether the people exist; they are left out until they have been looked up.',
    failedAfter:
      'The LMS did not answer for these addresses, so they were left out. That says nothing about whether the people exist: do another with them.',
    unreadText: {
      active:
        'The LMS did not tell who is in these courses. Everybody found is sent for them; people who are there already simply stay.',
      deleted:
        'The LMS did not tell who is in these courses. Everybody found is sent for their default section; enrolments in other sections may stay.',
    },
    toMakeTitle: (count: string) => `${count} will get a section`,
    toMakeText: (button: string) =>
      `The LMS shows no default section here. Without one it could enrol people in another course, where a section has been cross-listed. So a section with the course’s name is made when you press ${button}, and people are added there.`,
    more: (count: number) => `and ${count.toLocaleString('en-GB')} more`,
    sentTitle: 'This review has been submitted already',
    missingList: 'Addresses that were not found',
    missingOf: (missing: number, asked: number) =>
      `${missing.toLocaleString('en-GB')} of ${asked.toLocaleString('en-GB')} addresses`,
    copyAll: 'Copy all',
    copied: (count: number) => `${count.toLocaleString('en-GB')} copied.`,
    notReady: 'The review is not ready yet.',
    found: 'People found',
    notFound: 'People not found',
    there: 'Cannot be enrolled',
    unreadMark: 'not compared',
  },
  nothing: {
    nobody: 'None of the people was found, so there is nothing to send.',
    noCourse: 'None of the courses can be changed, so there is nothing to send.',
    allThere: 'Everybody has the role in every course already, so there is nothing to send.',
    noneThere: 'Nobody has the role in any of the courses, so there is nothing to remove.',
  },
  changeOf: (change: PlannedPerson['change'], sections: readonly string[]) =>
    sections.length === 0 ? changes[change] : `${changes[change]} (${sections.join(', ')})`,
} as const;
