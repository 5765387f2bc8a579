/** Steps to give an event's meeting its desired state (OP-102, OP-104). Only decides: nothing is changed here. */
import { emailKey } from './emails.ts';
import { shown } from './timetable-feed.ts';

/** A meeting as Zoom has it. */
export interface MeetingFacts {
  /** Email of the host; null if Zoom does not return it. */
  readonly host: string | null;
  readonly topic: string;
  /** ISO. */
  readonly start: string | null;
  /** Minutes. */
  readonly minutes: number | null;
  readonly coHosts: readonly string[];
}

/** Desired values; null: unchanged. */
export interface DesiredMeeting {
  readonly host: string | null;
  readonly coHosts: readonly string[] | null;
}

/** Times of the event, and its title. */
export interface EventTimes {
  readonly title: string;
  /** ISO. */
  readonly start: string;
  readonly end: string;
}

export interface MeetingDetails {
  readonly topic: string;
  /** ISO, UTC. */
  readonly start: string;
  readonly minutes: number;
}

export type MeetingStep =
  /** `host`: the current meeting cannot be transferred to the new host; it will be removed afterwards. */
  | {
      readonly step: 'make';
      readonly why: 'none' | 'gone' | 'host';
      readonly host: string;
      readonly coHosts: readonly string[];
    }
  | {
      readonly step: 'keep';
      /** The new host, if the meeting is to be transferred. */
      readonly handOver: string | null;
      readonly change: {
        readonly topic?: string;
        readonly start?: string;
        readonly minutes?: number;
        readonly coHosts?: readonly string[];
      };
    };

export interface Deciding {
  /** Null: Zoom has none. */
  readonly meeting: MeetingFacts | null;
  /** The former meeting, as last known. */
  readonly before: Pick<MeetingFacts, 'host' | 'coHosts'> | null;
  readonly desired: DesiredMeeting;
  readonly details: MeetingDetails;
  /** Defaults for a new meeting without desired values. */
  readonly otherwise: Pick<MeetingFacts, 'coHosts'> & { readonly host: string };
  /** Milliseconds since 1970. */
  readonly now: number;
  mayHandOver(from: string, to: string): boolean;
}

/** Maximum number of characters in a topic (reference of Zoom §7). */
const TOPIC = 200;
const MINUTE = 60_000;
const DAY_MINUTES = 24 * 60;
/** An event without a length gets Zoom's default length. */
const DEFAULT_MINUTES = 60;

/** Returns the details of an event's meeting. */
export function meetingDetails({ title, start, end }: EventTimes): MeetingDetails {
  const from = Date.parse(start);
  // Never cuts a character in half.
  const topic = shown(
    shown(title)
      .slice(0, TOPIC)
      .replace(/[\ud800-\udbff]$/, ''),
  );
  return {
    topic: topic || 'Zoom Meeting',
    start: new Date(Math.floor(from / 1_000) * 1_000).toISOString().replace('.000Z', 'Z'),
    minutes: Math.min(minutesOf({ start, end }), DAY_MINUTES),
  };
}

/** Returns the length of an event. Its meeting ends after a day. */
export function minutesOf({ start, end }: Pick<EventTimes, 'start' | 'end'>): number {
  const length = Math.round((Date.parse(end) - Date.parse(start)) / MINUTE);
  return length > 0 ? length : DEFAULT_MINUTES;
}

export function decideMeeting(deciding: Deciding): MeetingStep {
  const { meeting, before, desired, details, otherwise, now } = deciding;
  if (meeting === null) {
    const host = emailKey(desired.host ?? before?.host ?? otherwise.host);
    const coHosts = others(desired.coHosts ?? before?.coHosts ?? otherwise.coHosts, host);
    return { step: 'make', why: before === null ? 'none' : 'gone', host, coHosts };
  }
  const from = meeting.host === null ? null : emailKey(meeting.host);
  const to = desired.host === null ? from : emailKey(desired.host);
  if (to !== null && to !== from && !(from !== null && deciding.mayHandOver(from, to))) {
    return { step: 'make', why: 'host', host: to, coHosts: others(desired.coHosts ?? meeting.coHosts, to) };
  }
  const host = to ?? '';
  const coHosts = desired.coHosts === null ? null : others(desired.coHosts, host);
  // A meeting without a time stays without one, whatever is sent. Zoom would replace a past time with the current one.
  const moved =
    meeting.start !== null && Date.parse(details.start) > now && !sameSecond(meeting.start, details.start);
  return {
    step: 'keep',
    handOver: to === from ? null : to,
    change: {
      ...(shown(meeting.topic) === details.topic ? {} : { topic: details.topic }),
      ...(moved ? { start: details.start } : {}),
      ...(meeting.minutes === details.minutes ? {} : { minutes: details.minutes }),
      // Zoom itself removes the new host from the list.
      ...(coHosts === null || same(coHosts, others(meeting.coHosts, host)) ? {} : { coHosts }),
    },
  };
}

/** Lists the alternative hosts without the host, each once, in order. */
export function others(coHosts: readonly string[], host: string): string[] {
  return [...new Set(coHosts.map(emailKey))]
    .filter((email) => email !== '' && email !== emailKey(host))
    .sort();
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index]);
}

function sameSecond(a: string, b: string): boolean {
  return Math.floor(Date.parse(a) / 1_000) === Math.floor(Date.parse(b) / 1_000);
}
