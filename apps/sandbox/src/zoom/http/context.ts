import type { ZoomStore } from '../store/store.ts';
import type { Limits } from './limits.ts';

/** Rejects a change as if another change to the same meeting or user were in progress. */
export const CALL_FAULTS = ['concurrent'] as const;
export type CallFault = (typeof CALL_FAULTS)[number];

/** Settings of the practice Zoom that can change while it runs. A reset restores the defaults. */
export type Switches = {
  /** How long a new meeting is missing from lists (milliseconds), as in Zoom. */
  listLagMs: number;
  /** Whether the host must be signed in to get a meeting's calendar file. */
  icsNeedsHost: boolean;
};

export type ZoomContext = {
  store: ZoomStore;
  limits: Limits;
  switches: Switches;
  /** Milliseconds since 1970. */
  now: () => number;
};
