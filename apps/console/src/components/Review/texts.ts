/** Texts shared by the reviews of the enrolment tools. */

import type { AddedWith, RemovedWith, SectionPerson } from '@lms-admin/contract/enrollments';
import type { GroupLeaders } from '@lms-admin/contract/groups';
import { stateWords } from '@lms-admin/domain/enrollment-states';
import { counted, grouped } from '@lms-admin/domain/numbers';

export const texts = {
  failedTitle: (count: string) => `${count} could not be looked up`,
  repeatLookup: 'Look up again',
  copiedTitle: (people: string, count: number, asOf: string) =>
    `${people} ${count === 1 ? 'is' : 'are'} shown as of ${asOf}`,
  copiedText:
    'LMS Admin looks these people up in the LMS before it sends anything. People who have changed since then are skipped, and the result names them.',
  unreadTitle: (count: string) => `${count} could not be compared`,
  recompare: 'Compare again',
  repeatReview: 'Review again',
  leftOutTitle: (count: string) => `${count} skipped`,
  leftOut: (what: string, reason: string) => `${what}: ${reason}`,
  sectionsTitle: (count: string) => `${count} will get an SIS ID`,
  sectionsText: (button: string) =>
    `Imports need an SIS ID for each section, and these sections do not have one yet. LMS Admin sets their SIS IDs when you select “${button}”.`,
  concludedTitle: (count: number) =>
    count === 1
      ? 'People are added to a concluded course'
      : `People are added to ${grouped(count)} concluded courses`,
  concludedText:
    'People in a concluded course can only view it. If they need to work in it, first make the course active in the LMS, or change the end date of the course or its term, and then review again.',
  concluded: (course: string, added: number) =>
    `${course}: adds ${counted(added, 'enrolment', 'enrolments')}`,
  unrestorableTitle: (count: number) =>
    count === 1
      ? 'Undo will not be able to restore 1 of these enrolments'
      : `Undo will not be able to restore ${grouped(count)} of these enrolments`,
  unrestorableText:
    'An import cannot restore the current state of these people. After this change, you can invite them again only in the LMS itself.',
  unrestorable: (person: string, state: string, where: string) => `${person} – ${state} – ${where}`,
  /** Describes the change for a person with an inactive enrolment; null for everyone else. */
  changeOfState: ({ change, state }: Pick<SectionPerson, 'change' | 'state'>) => {
    if (state === undefined) return null;
    return change === 'remove'
      ? `To remove (now ${stateWords(state)})`
      : `Becomes active (now ${stateWords(state)})`;
  },
  /** Lists everything else that ends when enrolments are removed. */
  alsoEnds: (members: number, observers: number) =>
    [
      ...(members > 0 ? [counted(members, 'group membership', 'group memberships')] : []),
      ...(observers > 0
        ? [counted(observers, 'enrolment of a linked observer', 'enrolments of linked observers')]
        : []),
    ].join(' and ') + (members + observers === 1 ? ' also ends' : ' also end'),
  alsoEndsText:
    'People who leave a course also leave its groups. Observers who are linked to a student leave together with the student. Undo does not restore group memberships.',
  alsoEndsLine: ({ person, course, groups, observer, students }: RemovedWith['who'][number]) =>
    [
      person,
      course,
      ...(observer
        ? [`leaves together with ${students.length === 0 ? 'the student' : students.join(', ')}`]
        : []),
      ...(groups > 0 ? [`leaves ${counted(groups, 'group', 'groups')}`] : []),
    ].join(' – '),
  alsoUnreadTitle: 'Group memberships could not be checked',
  alsoUnreadText:
    'The LMS did not return the members of these courses. People who leave a course also leave its groups, and linked observers leave together with their students.',
  /** Counts the enrolments with their own dates. */
  datesEndTitle: (count: number) =>
    count === 1
      ? '1 enrolment loses its own start or end date'
      : `${grouped(count)} enrolments lose their own start or end dates`,
  datesEndText:
    'The LMS clears these dates when the enrolment becomes active again. After that, only the dates of the course and section apply. Undo restores the dates.',
  datesSetTitle: (count: number) =>
    count === 1
      ? '1 enrolment gets its own dates again'
      : `${grouped(count)} enrolments get their own dates again`,
  datesSetText: 'They had these dates before the import.',
  datesLine: (person: string, where: string, start: string | null, end: string | null) => {
    const dates = [...(start ? [`from ${start}`] : []), ...(end ? [`until ${end}`] : [])].join(' ');
    return `${person} – ${where} – ${dates}`;
  },
  /** Counts the observers who are enrolled together with students. */
  comeAlong: (count: number) =>
    count === 1
      ? '1 enrolment of a linked observer is also added or changed'
      : `${grouped(count)} enrolments of linked observers are also added or changed`,
  comeAlongText: 'The LMS enrols observers who are linked to a student together with the student.',
  comeAlongLine: ({ person, student, places }: AddedWith['who'][number]) =>
    `${person} – observes ${student} – ${counted(places, 'section', 'sections')}`,
  comeUnreadTitle: (students: number) =>
    `Observers of ${counted(students, 'student', 'students')} could not be checked`,
  comeUnreadText:
    'The LMS enrols observers who are linked to a student together with the student. LMS Admin could not look up these observers. Check them in the LMS afterwards.',
  endedTitle: (count: number) =>
    count === 1
      ? 'The enrolment of 1 person in the course is concluded or inactive'
      : `The enrolments of ${grouped(count)} people in the course are concluded or inactive`,
  endedText: 'The LMS still accepts them in groups. The notes in the table show who they are.',
  /** Counts the people who lead a group that they are removed from. */
  leadersTitle: (count: number) =>
    count === 1
      ? '1 person will leave a group that they lead'
      : `${grouped(count)} people will leave a group that they lead`,
  leadersText:
    'People who leave a group no longer lead it, and an import cannot name new leaders. If the groups need leaders, choose them in the LMS afterwards.',
  restoredLeadersTitle: (count: number) =>
    count === 1 ? '1 person will lead a group again' : `${grouped(count)} people will lead a group again`,
  restoredLeadersText:
    'They led the group before they left it. The LMS restores their first membership in the group. If they were a leader then, they will lead the group again, even if it now has other leaders. Check the leaders of these groups in the LMS afterwards.',
  leaderLine: ({ person, group }: GroupLeaders['who'][number]) => `${person} – ${group}`,
  leadersUnreadTitle: (groups: number) =>
    `The leaders of ${counted(groups, 'group', 'groups')} could not be checked`,
  leadersUnreadText:
    'The LMS did not return their members. People who leave a group no longer lead it. Check the leaders in the LMS afterwards.',
  linkedTitle: (count: number) =>
    count === 1
      ? '1 enrolment of a linked observer is not removed'
      : `${grouped(count)} enrolments of linked observers are not removed`,
  linkedText: (canImport: boolean) =>
    `These people are linked to a student they observe. To remove them, end the link in the LMS${canImport ? ', or use SIS Import with the column associated_user_id' : ''}.`,
  linked: (person: string, where: string) => `${person} – ${where}`,
  sentTitle: 'This review has already been submitted',
  sentText: 'It was submitted from another tab or window, and will not be sent again.',
  sentFollow: 'Follow the import',
  more: (count: number) => `and ${grouped(count)} more`,
  total: 'Total',
} as const;
