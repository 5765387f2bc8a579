import type { Faults } from '../../faults/faults.ts';
import type { Language } from '../store/model.ts';
import type { QualtricsStore } from '../store/store.ts';
import type { Limits } from './limits.ts';

/** Faults that make an export fail. */
export const EXPORT_FAULTS = ['export-fail'] as const;

/** Settings of the practice Qualtrics that can change while it runs. A reset restores the defaults. */
export type Switches = {
  /** How long an export takes (milliseconds). */
  exportMs: number;
  /** How long a new response is missing from exports (milliseconds). */
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
