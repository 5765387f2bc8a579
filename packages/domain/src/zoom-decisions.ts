/** What has to be done to the meeting of an event so that it is as wished (OP-102, OP-104). Nothing is done here. */
import { emailKey } from './emails.ts';
import { shown } from './timetable-feed.ts';

/** A meeting as Zoom has it. */
export interface MeetingFacts {
  /** Email of the host; null where Zoom does not say. */
  readonly host: string | null;
  readonly topic: string;
  /** ISO. */
  readonly start: string | null;
  /** Minutes. */
  readonly minutes: number | null;
  readonly coHosts: readonly string[];
}

/** What is wished for; null: as it is. */
export interface MeetingWish {
  readonly host: string | null;
  readonly coHosts: readonly string[] | null;
}

/** When and of what the event is. */
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
  /** `host`: the current meeting cannot be handed to the new host; it is to be removed afterwards. */
  | {
      readonly step: 'make';
      readonly why: 'none' | 'gone' | 'host';
      readonly host: string;
      readonly coHosts: readonly string[];
    }
  | {
      readonly step: 'keep';
      /** Whom to hand it to. */
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
  /** The meeting that was there once, as it was last known. */
  readonly before: Pick<MeetingFacts, 'host' | 'coHosts'> | null;
  readonly wish: MeetingWish;
  readonly details: MeetingDetails;
  /** What a meeting gets for which nothing is wished, and that never was. */
  readonly otherwise: Pick<MeetingFacts, 'coHosts'> & { readonly host: string };
  /** Milliseconds since 1970. */
  readonly now: number;
  mayHandOver(from: string, to: string): boolean;
}

/** Most characters of a topic (reference of Zoom §7). */
const TOPIC = 200;
const MINUTE = 60_000;
const DAY_MINUTES = 24 * 60;
/** An event without a length gets as long as Zoom gives by itself. */
const DEFAULT_MINUTES = 60;

/** What a meeting of an event is to be like. */
export function meetingDetails({ title, start, end }: EventTimes): MeetingDetails {
  const from = Date.parse(start);
  // Never half of a character.
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

/** How long an event lasts. Its meeting ends after a day. */
export function minutesOf({ start, end }: Pick<EventTimes, 'start' | 'end'>): number {
  const length = Math.round((Date.parse(end) - Date.parse(start)) / MINUTE);
  return length > 0 ? length : DEFAULT_MINUTES;
}

export function decideMeeting(deciding: Deciding): MeetingStep {
  const { meeting, before, wish, details, otherwise, now } = deciding;
  if (meeting === null) {
    const host = emailKey(wish.host ?? before?.host ?? otherwise.host);
    const coHosts = others(wish.coHosts ?? before?.coHosts ?? otherwise.coHosts, host);
    return { step: 'make', why: before === null ? 'none' : 'gone', host, coHosts };
  }
  const from = meeting.host === null ? null : emailKey(meeting.host);
  const to = wish.host === null ? from : emailKey(wish.host);
  if (to !== null && to !== from && !(from !== null && deciding.mayHandOver(from, to))) {
    return { step: 'make', why: 'host', host: to, coHosts: others(wish.coHosts ?? meeting.coHosts, to) };
  }
  const host = to ?? '';
  const coHosts = wish.coHosts === null ? null : others(wish.coHosts, host);
  // A meeting without a time keeps none, whatever it is told. A time that is past would become now.
  const moved =
    meeting.start !== null && Date.parse(details.start) > now && !sameSecond(meeting.start, details.start);
  return {
    step: 'keep',
    handOver: to === from ? null : to,
    change: {
      ...(shown(meeting.topic) === details.topic ? {} : { topic: details.topic }),
      ...(moved ? { start: details.start } : {}),
      ...(meeting.minutes === details.minutes ? {} : { minutes: details.minutes }),
      // The new host is taken off the list by Zoom itself.
      ...(coHosts === null || same(coHosts, others(meeting.coHosts, host)) ? {} : { coHosts }),
    },
  };
}

/** Alternative hosts without the host, each once, in order. */
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
