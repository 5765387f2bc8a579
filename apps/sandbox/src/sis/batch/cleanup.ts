import type { Work } from '../importers/work.ts';
import type { Pace } from './pace.ts';

/** The clean-up would delete more than the sender's threshold allows (§11). */
export class ThresholdExceeded extends Error {}

export async function cleanUp(_work: Work, _pace: Pace): Promise<void> {}
