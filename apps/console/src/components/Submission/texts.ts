/** Texts of ours when a submission did not get through. */
export const texts = {
  failed: 'The request could not be sent.',
  again: 'Send again',
  review: 'Back to the review',
  nothingSent: 'Nothing has been sent.',
  safe: 'Sending again is safe: the same review is never sent twice.',
} as const;
