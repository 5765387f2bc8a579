/** Texts of ours that the reviews of the enrolment tools share. */
export const texts = {
  failedTitle: (count: string) => `${count} could not be looked up`,
  lookUpAgain: 'Look up again',
  unreadTitle: (count: string) => `${count} could not be compared`,
  compareAgain: 'Compare again',
  reviewAgain: 'Review again',
  leftOutTitle: (count: string) => `${count} left out`,
  leftOut: (what: string, reason: string) => `${what}: ${reason}`,
  sectionsTitle: (count: string) => `${count} will get a SIS id`,
  sectionsText: (button: string) =>
    `The LMS can only reach these sections by a SIS id, which they do not have yet. It is set when you press ${button}.`,
  sentTitle: 'This review has been submitted already',
  sentText: 'It was submitted from another tab or window. It is not sent again.',
  sentFollow: 'Follow the import',
  more: (count: number) => `and ${count.toLocaleString('en-GB')} more`,
  total: 'Total',
} as const;
