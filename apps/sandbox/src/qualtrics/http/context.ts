import type { Faults } from '../../faults/faults.ts';
import type { Language } from '../store/model.ts';
import type { QualtricsStore } from '../store/store.ts';
import type { Limits } from './limits.ts';

/** Faults in which an export fails. */
export const EXPORT_FAULTS = ['export-fail'] as const;

/** Settings of the practice Qualtrics that can change while it runs; a reset restores them. */
export type Switches = {
  /** Duration of an export (milliseconds). */
  exportMs: number;
  /** Time for which a new response is missing from exports (milliseconds). */
  lagMs: number;
  language: Language;
  /** Whether this is the wrong data center for the account. */
  elsewhere: boolean;
};

export type QualtricsContext = {
  store: QualtricsStore;
  limits: Limits;
  faults: Faults<(typeof EXPORT_FAULTS)[number]>;
  switches: Switches;
  /** Milliseconds since 1970. */
  now: () => number;
};
