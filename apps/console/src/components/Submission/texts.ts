/** Texts for a submission that did not reach the server. */
export const texts = {
  failed: 'The request could not be sent.',
  retry: 'Send again',
  review: 'Back to the review',
  nothingSent: 'Nothing has been sent.',
  safe: 'Sending again is safe: the same review is never sent twice.',
} as const;
