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
  notReady: 'The review is not ready yet.',
  first: (again: string) => `Select “${again}” first.`,
  nothingSent: 'Nothing has been sent.',
  ready: 'The review is ready. Nothing has been sent.',
  goOn: 'Continue with the review',
  keeps: 'You can continue it in the same browser tab, as long as your selection has not changed.',
  sent: 'This review was submitted.',
  showImport: 'Show the import',
} as const;

/** State of a plan that does not exist yet. */
export interface NoPlan {
  /** Why there will be no plan, or none at the moment. */
  error: unknown;
  /** True after the admin has cancelled the work. */
  cancelled: boolean;
}

type NoPlanWords = Pick<PlanningWords, 'again'> & { notReady: string; first: (again: string) => string };

/** Reason why the button is disabled while there is no plan: the plan is still being made, or has to be asked for again. */
export function whyNoPlan({ error, cancelled }: NoPlan, words: NoPlanWords = texts): string {
  return error !== null || cancelled ? words.first(words.again) : words.notReady;
}
