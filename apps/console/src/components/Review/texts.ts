/** Texts of ours that the reviews of the enrolment tools share. */
import type { SectionPerson } from '@lms-admin/contract/enrollments';
import { stateWords } from '@lms-admin/domain/enrollment-states';

export const texts = {
  failedTitle: (count: string) => `${count} could not be looked up`,
  lookUpAgain: 'Look up again',
  unreadTitle: (count: string) => `${count} could not be compared`,
  compareAgain: 'Compare again',
  reviewAgain: 'Review again',
  leftOutTitle: (count: string) => `${count} left out`,
  leftOut: (what: string, reason: string) => `${what}: ${reason}`,
  sectionsTitle: (count: string) => `${count} will get an SIS ID`,
  sectionsText: (button: string) =>
    `The LMS can only reach these sections by an SIS ID, which they do not have yet. It is set when you select “${button}”.`,
  unrestorableTitle: (count: number) =>
    count === 1
      ? 'Undo could not restore 1 of these enrolments'
      : `Undo could not restore ${count.toLocaleString('en-GB')} of these enrolments`,
  unrestorableText:
    'An import cannot set the state that these people have now. After this change, only the LMS itself can invite them again.',
  unrestorable: (person: string, state: string, where: string) => `${person} – ${state} – ${where}`,
  /** What happens to somebody whose enrolment is there without being active; null for everybody else. */
  changeOfState: ({ change, state }: Pick<SectionPerson, 'change' | 'state'>) => {
    if (state === undefined) return null;
    return change === 'remove'
      ? `To remove (now ${stateWords(state)})`
      : `Becomes active (now ${stateWords(state)})`;
  },
  sentTitle: 'This review has been submitted already',
  sentText: 'It was submitted from another tab or window. It is not sent again.',
  sentFollow: 'Follow the import',
  more: (count: number) => `and ${count.toLocaleString('en-GB')} more`,
  total: 'Total',
} as const;
