/** Texts of ours in the review of Course Enrollment, which the first step does not need. */
import type { PlannedPerson } from '@lms-admin/contract/enrollments';
import { texts as shared } from '../../components/Review/texts.ts';

const changes: Readonly<Record<PlannedPerson['change'], string>> = {
  add: 'To add',
  already: 'Already enrolled',
  remove: 'To remove',
  'not-enrolled': 'Not enrolled',
  linked: 'Stays: linked to a student',
};

export const reviewTexts = {
  willAdd: (a: { changes: string; courses: string; people: string; role: string }) =>
    `Next adds ${a.changes}: ${a.people} found, as ${a.role}, in ${a.courses}.`,
  willRemove: (a: { changes: string; courses: string; people: string; role: string }) =>
    `This removes ${a.changes} as ${a.role} of ${a.people}, in ${a.courses}. Work that people have handed in stays in the LMS.`,
  reactivates: (count: string) =>
    `${count} in the course already without being active (invited, inactive or completed), and will be active.`,
  beside: (count: string) =>
    `${count} an enrolment in another section of the course that is not active (invited, inactive or completed): it stays as it is, and a second one is added.`,
  stays: (count: number) =>
    count === 1
      ? '1 enrolment is there already and stays as it is.'
      : `${count.toLocaleString('en-GB')} enrolments are there already and stay as they are.`,
  notThere: (count: string) =>
    `${count} a person does not have the role in a course; nothing is sent for them.`,
  table: 'Changes in each course',
  of: (course: string, section: string) => `${course}, ${section}`,
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
    `The LMS shows no default section here. Without one it could enrol people in another course, where a section has been cross-listed. So a section with the course’s name is created when you select “${button}”, and people are added there.`,
  more: (count: number) => `and ${count.toLocaleString('en-GB')} more`,
  missingList: 'Addresses that were not found',
  missingOf: (missing: number, asked: number) =>
    `${missing.toLocaleString('en-GB')} of ${asked.toLocaleString('en-GB')} addresses`,
  copyAll: 'Copy all',
  copied: (count: number) => `${count.toLocaleString('en-GB')} copied.`,
  found: 'People found',
  notFound: 'People not found',
  there: 'Cannot be enrolled',
  unreadMark: 'not compared',
  changeOf: (person: PlannedPerson) => {
    const change = shared.changeOfState(person) ?? changes[person.change];
    return person.sections.length === 0 ? change : `${change} (${person.sections.join(', ')})`;
  },
} as const;
