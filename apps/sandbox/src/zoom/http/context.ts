import type { ZoomStore } from '../store/store.ts';
import type { Limits } from './limits.ts';

/** A change is refused because another of the same meeting or user is said to be under way. */
export const CALL_FAULTS = ['concurrent'] as const;
export type CallFault = (typeof CALL_FAULTS)[number];

/** What can be set about the practice Zoom while it runs; as at the start after a reset. */
export type Switches = {
  /** For so long a new meeting is missing from lists (milliseconds), as Zoom's may lag. */
  listLagMs: number;
  /** Whether the calendar file of a number asks for the host to be signed in. */
  icsNeedsHost: boolean;
};

export type ZoomContext = {
  store: ZoomStore;
  limits: Limits;
  switches: Switches;
  /** Milliseconds since 1970. */
  now: () => number;
};
