/** The initial state of Qualtrics. */

import type { QualtricsStore } from '../store/store.ts';
import { practiceResponses } from './responses.ts';

/** Version of the seed; raised with each change, because a sandbox saves only differences from it. */
export const QUALTRICS_SEED = 1;

/** Fills an empty store. */
export function seedQualtrics(store: QualtricsStore): void {
  for (const response of practiceResponses()) store.seed(response);
}
