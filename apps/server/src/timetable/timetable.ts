/** The timetable of the school: the only part that knows its feeds (OP-64). */
import type { Reservation } from '@lms-admin/domain/timetable-feed';
import type { Logger } from 'pino';
import { createCheck } from '../outbound/check.ts';
import { summed } from '../outbound/figures.ts';
import { createOutbound } from '../outbound/outbound.ts';
import type { Outbound } from '../outbound/types.ts';
import type { OutsideSystem, SystemState } from '../platform/outside.ts';
import { feedAddress, type TimetableFeed } from '../platform/timetable-settings.ts';
import { Feed, type FeedState, THE_TIMETABLE } from './feed.ts';

const MOST_BYTES = 10_000_000;
const TIMEOUT_MS = 30_000;
const AT_ONCE = 2;

const NOT_CONFIGURED: SystemState = {
  state: 'not-configured',
  message: 'No timetable is set up, so LMS Admin does not know the reservations.',
  next: 'Ask IT Support to set TIMETABLE_FEEDS.',
};

export interface Timetable extends OutsideSystem {
  /** False if no feed is set up: reservations then stay unknown. */
  readonly configured: boolean;
  /**
   * Reservations of a course that begin in a period, ordered by start; read again if they are old. A feed that does not
   * answer keeps its last data: `states` shows its age.
   */
  reservations(courseSisId: string, from: Date, to: Date): Promise<readonly Reservation[]>;
  /** Reads all feeds now. Never throws. */
  refresh(): Promise<void>;
  states(): readonly FeedState[];
  /** Ends all connections; running readings fail. */
  close(): Promise<void>;
}

export interface TimetableOptions {
  log: Logger;
  /** Milliseconds since 1970. */
  now?: () => number;
}

/** Creates a client of all feeds. Nothing is read before it is needed. */
export function createTimetable(
  settings: readonly TimetableFeed[],
  { log, now = Date.now }: TimetableOptions,
): Timetable {
  const ways = new Map<string, Outbound>();
  const wayTo = (origin: string): Outbound => {
    const known = ways.get(origin);
    if (known) return known;
    const bounds = { atOnce: AT_ONCE, maxBytes: MOST_BYTES, wholeMs: TIMEOUT_MS };
    const outbound = createOutbound({ system: THE_TIMETABLE, origin, ...bounds });
    ways.set(origin, outbound);
    return outbound;
  };
  const feeds = settings.map((one) => {
    const { origin } = feedAddress(one.url, '2026-01-01', '2026-01-02');
    return new Feed(one, wayTo(origin), now, log);
  });
  const check = createCheck(THE_TIMETABLE, async () => {
    await Promise.all(feeds.map((feed) => feed.reservations()));
    const failed = feeds.map(({ state }) => state.failure).find((failure) => failure !== null);
    if (failed) throw failed;
  });

  return {
    system: THE_TIMETABLE,
    configured: feeds.length > 0,
    async reservations(courseSisId, from, to) {
      const known = await Promise.all(feeds.map((feed) => feed.reservations()));
      const [first, last] = [from.getTime(), to.getTime()];
      return known
        .flat()
        .filter(({ courses, start }) => {
          if (!courses.includes(courseSisId)) return false;
          const at = Date.parse(start);
          return at >= first && at <= last;
        })
        .sort((a, b) => Date.parse(a.start) - Date.parse(b.start));
    },
    async refresh() {
      await Promise.all(feeds.map((feed) => feed.refresh()));
    },
    states: () => feeds.map(({ state }) => state),
    stats: () => summed([...ways.values()].map((way) => way.stats())),
    check: async () => (feeds.length === 0 ? NOT_CONFIGURED : check()),
    async close() {
      await Promise.all([...ways.values()].map((way) => way.close()));
    },
  };
}
