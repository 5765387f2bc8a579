/** Texts for a plan in preparation. */
export interface PlanningWords {
  start: string;
  cancelled: string;
  retry: string;
  broke: string;
}

/** Texts for reviews in preparation, and for their entries in Activity. */
export const texts = {
  start: 'Starting the review',
  cancel: 'Cancel',
  cancelled: 'The review was cancelled. Nothing has been sent.',
  retry: 'Review again',
  broke: 'The review could not be completed.',
  notReady: 'The review is not ready yet.',
  first: (retry: string) => `Select “${retry}” first.`,
  failed: 'The message above says what to do first.',
  nothingSent: 'Nothing has been sent.',
  ready: 'The review is ready. Nothing has been sent.',
  goOn: 'Continue with the review',
  keeps: 'You can continue it in the same browser tab, as long as your selection has not changed.',
  sent: 'This review was submitted.',
  showImport: 'Show the import',
} as const;

/** Why a plan does not exist yet. */
export interface NoPlan {
  /** Why no plan exists, or why it cannot be loaded at the moment. */
  error: unknown;
  /** Whether the administrator has cancelled the work. */
  cancelled: boolean;
}

type NoPlanWords = Pick<PlanningWords, 'retry'> & { notReady: string; first: (retry: string) => string };

/** Explains why the button is disabled until a plan is ready: it is being prepared, was cancelled, or failed. */
export function whyNoPlan({ error, cancelled }: NoPlan, words: NoPlanWords = texts): string {
  // A retry may fail in the same way, as for a file without rows: only the message says what to do.
  if (error !== null) return texts.failed;
  return cancelled ? words.first(words.retry) : words.notReady;
}
