/** Qualtrics on the first day. */

import type { QualtricsStore } from '../store/store.ts';
import { practiceResponses } from './responses.ts';

/** Which seed this is; raised whenever it changes, as a campus remembers only what differs from it. */
export const QUALTRICS_SEED = 1;

/** Fills an empty store. */
export function seedQualtrics(store: QualtricsStore): void {
  for (const response of practiceResponses()) store.seed(response);
}
