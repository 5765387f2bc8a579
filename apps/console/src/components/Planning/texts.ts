/** Texts of ours while a review is worked out. */
export const texts = {
  people: 'Looking up people',
  courses: 'Comparing with the courses',
  start: 'Starting the review',
  of: (done: number, total: number) => `${done.toLocaleString('en-GB')} of ${total.toLocaleString('en-GB')}`,
  left: (seconds: number) =>
    seconds < 60 ? `about ${seconds} s left` : `about ${Math.round(seconds / 60)} min left`,
  notFound: (count: string) => `${count} not found so far`,
  failed: (count: string) => `${count} could not be looked up so far`,
  cancel: 'Cancel',
  cancelled: 'The review was cancelled. Nothing has been sent.',
  again: 'Review again',
  broke: 'The review could not be completed.',
  nothingSent: 'Nothing has been sent.',
  loss: 'The connection ended before the review was complete.',
  lossNext: 'Nothing has been sent.',
} as const;
