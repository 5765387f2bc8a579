/** What is said of a plan while it is worked out. */
export interface PlanningWords {
  start: string;
  cancelled: string;
  again: string;
  broke: string;
}

/** Texts of ours while a review is worked out, and in Activity afterwards. */
export const texts = {
  start: 'Starting the review',
  cancel: 'Cancel',
  cancelled: 'The review was cancelled. Nothing has been sent.',
  again: 'Review again',
  broke: 'The review could not be completed.',
  nothingSent: 'Nothing has been sent.',
  ready: 'The review is ready. Nothing has been sent by it.',
  goOn: 'Go on with the review',
  keeps: 'The wizard has it as long as your choice is kept in this tab.',
  sent: 'It was submitted.',
  showImport: 'Show its import',
} as const;
