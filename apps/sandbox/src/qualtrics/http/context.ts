import type { Faults } from '../../faults/faults.ts';
import type { Language } from '../store/model.ts';
import type { QualtricsStore } from '../store/store.ts';
import type { Limits } from './limits.ts';

/** An export that comes to nothing. */
export const EXPORT_FAULTS = ['export-fail'] as const;

/** What can be set about the practice Qualtrics while it runs; as at the start after a reset. */
export type Switches = {
  /** How long an export takes (milliseconds). */
  exportMs: number;
  /** For so long a new response is missing from exports (milliseconds). */
  lagMs: number;
  language: Language;
  /** Whether it is the wrong data center for the account. */
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
