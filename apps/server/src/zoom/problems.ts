/** Why an event cannot reach the desired state, as text for its item. */

import { OutsideError } from '../outbound/errors.ts';
import { THE_LMS } from '../platform/outside.ts';
import { ZoomError } from '../zoom-api/types.ts';
import { zoomWords } from '../zoom-api/words.ts';
import type { CalendarEvent } from './calendar-event.ts';

/** A problem of this event alone: the others continue. */
export class EventProblem extends Error {
  override name = 'EventProblem';
  /** Next step if a repeat does not help. */
  readonly next: string | null;
  constructor(message: string, next: string | null = null) {
    super(message);
    this.next = next;
  }
}

/** Nothing is wrong with the event: it is left for another turn of the job. */
export abstract class EventLeft extends Error {}

/** The work was cancelled before the next meeting, or before the result was shown to students. */
export class Stopped extends EventLeft {
  override name = 'Stopped';
}

/** The host's daily limit is reached: the event waits for the next day. */
export class HostDayOver extends EventLeft {
  override name = 'HostDayOver';
  readonly host: string;
  constructor(host: string) {
    super(`${host} has no Zoom changes left today.`);
    this.host = host;
  }
}

/** The placeholder account cannot own anything that students see (ZC-26); this also applies to runs. */
export const NO_OWNER = 'It is published, but its meeting has no host. Publish it with a host.';
/** The event's former sections have hosts, and only a person can decide whose meeting becomes the shared one. */
export const OF_SECTIONS =
  'It is no longer held separately for each section, but students still see the links of its sections, whose meetings may be at other times. Publish it with a host to give it one meeting.';
export const OVER = 'This event is over.';

/** An event that is over keeps its meeting. */
export class EventOver extends EventProblem {
  constructor() {
    super(OVER, 'Choose events that have not ended yet.');
  }
}

/** Returns the problem of an event whose meeting has started: Zoom would refuse any change. */
export function meetingRuns(): EventProblem {
  const { message, next } = zoomWords('running', null);
  return new EventProblem(`${message} ${next}`);
}

/** Returns the problem of an event whose host is not active: a run does not choose another host. */
export function hostInactive(host: string): EventProblem {
  return new EventProblem(`${host} is not active in Zoom. Publish this event with another host.`);
}

/** Returns why an event can have no meeting at all; null if it can. */
export function unfit(event: CalendarEvent): string | null {
  if (isLocked(event))
    return 'This is an appointment slot of the LMS Scheduler, which cannot be changed here.';
  if (event.start_at === null || event.end_at === null)
    return 'This event has no date. Set one in the LMS, and try again.';
  if (event.all_day) return 'This event lasts all day. Set a time in the LMS, and try again.';
  return null;
}

/** Returns whether the event is locked: then only Canvas's Scheduler can change it. */
export function isLocked(event: CalendarEvent): boolean {
  return (event.appointment_group_id ?? null) !== null || event.workflow_state === 'locked';
}

export function isOver({ end_at, start_at }: CalendarEvent, now: Date): boolean {
  const end = end_at ?? start_at;
  return end !== null && Date.parse(end) <= now.getTime();
}

/** Returns whether a failed call certainly had no effect. */
export function isDefinite(error: unknown): boolean {
  if (!(error instanceof OutsideError)) return false;
  if (error.sent === 'no') return true;
  const refusals = ['rejected', 'refused', 'token-refused', 'not-found', 'throttled', 'signed-out'];
  return error.sent === 'answered' && refusals.includes(error.kind);
}

const OF_ALL: readonly ZoomError['reason'][] = ['not-configured', 'host-day'];

/**
 * Converts a Zoom error to a problem of one event; errors that are temporary, or that concern all events, are
 * rethrown.
 * @throws the given error
 */
export function zoomProblem(error: unknown): EventProblem {
  if (!(error instanceof ZoomError) || OF_ALL.includes(error.reason)) throw error;
  if (error.reason === null && error.kind !== 'rejected') throw error;
  const { message, next } = error.toAppError();
  return new EventProblem(`${message} ${next}`);
}

/**
 * Converts a Canvas error to a problem of one event; errors that are temporary, or that concern all events, are
 * rethrown.
 * @throws the given error
 */
export function canvasProblem(error: unknown): EventProblem {
  if (!(error instanceof OutsideError) || error.system !== THE_LMS || error.ofToken) throw error;
  if (error.kind === 'not-found') return new EventProblem('This event is no longer in the LMS.');
  if (error.kind === 'refused')
    return new EventProblem(
      'The LMS does not allow this event to be changed. Ask IT Support to check the permissions.',
    );
  if (error.kind === 'rejected') return new EventProblem(`The LMS rejected this: ${error.detail}`);
  throw error;
}
