/** Texts in the review of Course Enrollment, which the first step does not need. */

import type { PlannedPerson } from '@lms-admin/contract/enrollments';
import { grouped } from '@lms-admin/domain/numbers';
import { texts as shared } from '../../components/Review/texts.ts';

const changes: Readonly<Record<PlannedPerson['change'], string>> = {
  add: 'To add',
  already: 'Already enrolled',
  remove: 'To remove',
  'not-enrolled': 'Not enrolled',
  linked: 'Not removed: linked to a student',
};

export const reviewTexts = {
  willAdd: (a: { changes: string; courses: string; people: string; role: string }) =>
    `“Next” adds ${a.changes}: ${a.people} as ${a.role} in ${a.courses}.`,
  willRemove: (a: { changes: string; courses: string; people: string; role: string }) =>
    `You are about to remove ${a.changes}: ${a.people} with the role ${a.role} in ${a.courses}. Work that they have submitted stays in the LMS.`,
  reactivates: (count: number) =>
    count === 1
      ? '1 of them is already enrolled but not active (invited, inactive or completed), and will become active.'
      : `${grouped(count)} of them are already enrolled but not active (invited, inactive or completed), and will become active.`,
  beside: (count: number) =>
    `${grouped(count)} of them ${count === 1 ? 'has' : 'have'} an enrolment in another section of the course that is not active (invited, inactive or completed). That enrolment will not change, and a new one will be added.`,
  stays: (count: number) =>
    count === 1
      ? '1 enrolment already exists and will not change.'
      : `${grouped(count)} enrolments already exist and will not change.`,
  notThere: (count: number) =>
    count === 1
      ? '1 enrolment does not exist, because the person does not have this role in the course. Nothing is sent for it.'
      : `${grouped(count)} enrolments do not exist, because these people do not have this role in the course. Nothing is sent for them.`,
  table: 'Changes in each course',
  of: (course: string, section: string) => `${course}, ${section}`,
  columns: {
    add: 'To add',
    already: 'Already enrolled',
    remove: 'To remove',
    notEnrolled: 'Not enrolled',
  },
  /** Shown for an unknown figure. */
  unknown: '–',
  failedText:
    'The LMS did not answer. This does not mean that these people do not exist. They are skipped until they have been looked up.',
  failedAfter:
    'The LMS did not answer, so these people were skipped. This does not mean that they do not exist. Add or remove them separately.',
  unreadText: {
    active:
      'LMS Admin could not check who is enrolled in these courses, so it sends everyone it found. People who are already enrolled stay enrolled.',
    deleted:
      'LMS Admin could not check who is enrolled in these courses, so it sends everyone it found for the default section. Enrolments in other sections may remain.',
  },
  toMakeTitle: (count: string) => `${count} will get a new section`,
  toMakeText: (button: string) =>
    `The LMS shows no default section here, so it might enrol people in a different, cross-listed course. When you select “${button}”, LMS Admin creates a section named after the course and adds people to it.`,
  more: (count: number) => `and ${grouped(count)} more`,
  checkAddresses: 'No one in the LMS has these addresses. Check them for typing errors.',
  removeTheOthers: 'Continue and remove the other people?',
  missingList: 'Addresses that were not found',
  missingOf: (missing: number, requested: number) => `${grouped(missing)} of ${grouped(requested)} addresses`,
  copyAll: 'Copy all',
  copied: (count: number) => `${grouped(count)} copied.`,
  found: 'People found',
  notFound: 'People not found',
  there: 'Cannot be enrolled',
  unreadMark: 'not compared',
  changeOf: (person: PlannedPerson) => {
    const change = shared.changeOfState(person) ?? changes[person.change];
    return person.sections.length === 0 ? change : `${change} (${person.sections.join(', ')})`;
  },
} as const;
