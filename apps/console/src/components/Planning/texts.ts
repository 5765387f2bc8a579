/** Texts of ours while a review is worked out. */
export const texts = {
  start: 'Starting the review',
  cancel: 'Cancel',
  cancelled: 'The review was cancelled. Nothing has been sent.',
  again: 'Review again',
  broke: 'The review could not be completed.',
  nothingSent: 'Nothing has been sent.',
} as const;
