/** Texts of ours that the reviews of the enrolment tools share. */

import type { AddedWith, RemovedWith, SectionPerson } from '@lms-admin/contract/enrollments';
import type { GroupLeaders } from '@lms-admin/contract/groups';
import { stateWords } from '@lms-admin/domain/enrollment-states';
import { counted, grouped } from '@lms-admin/domain/numbers';

export const texts = {
  failedTitle: (count: string) => `${count} could not be looked up`,
  lookUpAgain: 'Look up again',
  unreadTitle: (count: string) => `${count} could not be compared`,
  compareAgain: 'Compare again',
  reviewAgain: 'Review again',
  leftOutTitle: (count: string) => `${count} skipped`,
  leftOut: (what: string, reason: string) => `${what}: ${reason}`,
  sectionsTitle: (count: string) => `${count} will get an SIS ID`,
  sectionsText: (button: string) =>
    `The LMS can only reach these sections by an SIS ID, which they do not have yet. It is set when you select “${button}”.`,
  concludedTitle: (count: number) =>
    count === 1
      ? 'People are added to a concluded course'
      : `People are added to ${grouped(count)} concluded courses`,
  concludedText:
    'They can only read it. If they are to work in it, make the course active in the LMS first and review again.',
  concluded: (course: string, added: number) =>
    `${course}: adds ${counted(added, 'enrolment', 'enrolments')}`,
  unrestorableTitle: (count: number) =>
    count === 1
      ? 'Undo could not restore 1 of these enrolments'
      : `Undo could not restore ${grouped(count)} of these enrolments`,
  unrestorableText:
    'An import cannot set the state that these people have now. After this change, only the LMS itself can invite them again.',
  unrestorable: (person: string, state: string, where: string) => `${person} – ${state} – ${where}`,
  /** What happens to someone whose enrolment is there without being active; null for everybody else. */
  changeOfState: ({ change, state }: Pick<SectionPerson, 'change' | 'state'>) => {
    if (state === undefined) return null;
    return change === 'remove'
      ? `To remove (now ${stateWords(state)})`
      : `Becomes active (now ${stateWords(state)})`;
  },
  /** What ends with enrolments that are removed. */
  alsoEnds: (members: number, observers: number) =>
    [
      ...(members > 0 ? [counted(members, 'group membership', 'group memberships')] : []),
      ...(observers > 0
        ? [counted(observers, 'enrolment of a linked observer', 'enrolments of linked observers')]
        : []),
    ].join(' and ') + (members + observers === 1 ? ' ends as well' : ' end as well'),
  alsoEndsText:
    'People who leave a course also leave its groups. Observers who are linked to a student leave with the student. Undo does not restore group memberships.',
  alsoEndsLine: ({ person, course, groups, observer, students }: RemovedWith['who'][number]) =>
    [
      person,
      course,
      ...(observer ? [`leaves with ${students.length === 0 ? 'the student' : students.join(', ')}`] : []),
      ...(groups > 0 ? [`leaves ${counted(groups, 'group', 'groups')}`] : []),
    ].join(' – '),
  alsoUnreadTitle: 'Group memberships could not be checked',
  alsoUnreadText:
    'The LMS did not answer for these courses. People who leave a course also leave its groups, and linked observers leave with their students.',
  /** Dates of their own that enrolments have. */
  datesEndTitle: (count: number) =>
    count === 1
      ? '1 enrolment loses its own start or end date'
      : `${grouped(count)} enrolments lose their own start or end dates`,
  datesEndText:
    'The LMS clears these dates when the enrolment becomes active again: then only the dates of the course and section apply. Undo restores them.',
  datesSetTitle: (count: number) =>
    count === 1
      ? '1 enrolment gets its own dates again'
      : `${grouped(count)} enrolments get their own dates again`,
  datesSetText: 'They had these dates before the import.',
  datesLine: (person: string, where: string, start: string | null, end: string | null) => {
    const dates = [...(start ? [`from ${start}`] : []), ...(end ? [`until ${end}`] : [])].join(' ');
    return `${person} – ${where} – ${dates}`;
  },
  /** Observers who come along with students. */
  comeAlong: (count: number) =>
    count === 1
      ? '1 enrolment of a linked observer is added or changed as well'
      : `${grouped(count)} enrolments of linked observers are added or changed as well`,
  comeAlongText: 'The LMS enrols observers who are linked to a student together with the student.',
  comeAlongLine: ({ person, student, places }: AddedWith['who'][number]) =>
    `${person} – observes ${student} – ${counted(places, 'section', 'sections')}`,
  comeUnreadTitle: (students: number) =>
    `Observers of ${counted(students, 'student', 'students')} could not be checked`,
  comeUnreadText:
    'The LMS enrols observers who are linked to a student together with the student. Who they are could not be looked up here; check them in the LMS afterwards.',
  /** People who lead a group that they leave. */
  leadersTitle: (count: number) =>
    count === 1
      ? '1 person leads a group that they leave'
      : `${grouped(count)} people lead a group that they leave`,
  leadersText:
    'In the LMS, people who leave a group no longer lead it, and an import cannot name new leaders. If the groups need some, choose them in the LMS afterwards.',
  leadersAgainTitle: (count: number) =>
    count === 1 ? '1 person will lead a group again' : `${grouped(count)} people will lead a group again`,
  leadersAgainText:
    'They led it before they left it. The LMS restores their old membership together with the leadership, even if the group has other leaders now. It restores their first membership in the group. If that one was without leadership, they will not lead. Check the leaders of these groups in the LMS afterwards.',
  leaderLine: ({ person, group }: GroupLeaders['who'][number]) => `${person} – ${group}`,
  leadersUnreadTitle: (groups: number) =>
    `The leaders of ${counted(groups, 'group', 'groups')} could not be checked`,
  leadersUnreadText:
    'The LMS did not return their members. People who leave a group no longer lead it; check the leaders in the LMS afterwards.',
  linkedTitle: (count: number) =>
    count === 1
      ? '1 enrolment of a linked observer is not removed'
      : `${grouped(count)} enrolments of linked observers are not removed`,
  linkedText: (canImport: boolean) =>
    `These people are linked to a student whom they observe. To remove them, end the link in the LMS${canImport ? ', or use SIS Import with the column associated_user_id' : ''}.`,
  linked: (person: string, where: string) => `${person} – ${where}`,
  sentTitle: 'This review has already been submitted',
  sentText: 'It was submitted from another tab or window. It is not sent again.',
  sentFollow: 'Follow the import',
  more: (count: number) => `and ${grouped(count)} more`,
  total: 'Total',
} as const;
