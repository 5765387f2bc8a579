/** Zoom allows each host 100 creations and updates of meetings a UTC day; LMS Admin counts its own (OP-104). */
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { zoomHostDays } from '../platform/schema.ts';

/** Zoom's limit for a host on a UTC day. */
export const HOST_DAY = 100;
const DAY_MS = 24 * 60 * 60_000;
/** Clocks differ: this long after midnight Zoom may still apply the previous day (milliseconds). */
const TURN_MS = 60_000;

export interface HostDays {
  /** Uses one of the host's daily calls; false if none is left. */
  take(host: string): Promise<boolean>;
  /** Records that Zoom reports the limit as reached; just after midnight, LMS Admin soon asks Zoom again. */
  full(host: string): Promise<void>;
  /** Returns the calls left today for each of these hosts. */
  left(hosts: readonly string[]): Promise<Map<string, number>>;
  /** When changes are possible again, by the clock of other systems. */
  nextDay(): Date;
  /** The same moment by the server's own clock, for waiting. */
  waitUntil(): Date;
}

/** @param now clock of other systems */
export function createHostDays(db: Db, now: () => Date): HostDays {
  const today = () => now().toISOString().slice(0, 10);
  const isTurning = () => now().getTime() % DAY_MS < TURN_MS;
  let isReported = false;
  const nextDay = () => {
    const midnight = Math.floor(now().getTime() / DAY_MS) * DAY_MS;
    return new Date(midnight + (isReported && isTurning() ? TURN_MS : DAY_MS));
  };
  return {
    async take(host) {
      const rows = await db
        .insert(zoomHostDays)
        .values({ host: host.toLowerCase(), day: today(), used: 1 })
        .onConflictDoUpdate({
          target: [zoomHostDays.host, zoomHostDays.day],
          set: { used: sql`${zoomHostDays.used} + 1` },
          setWhere: sql`${zoomHostDays.used} < ${HOST_DAY}`,
        })
        .returning();
      return rows.length > 0;
    },
    async full(host) {
      // If the report were counted for the new day, all waiting changes would wait for another day.
      isReported = isTurning();
      if (isReported) return;
      await db
        .insert(zoomHostDays)
        .values({ host: host.toLowerCase(), day: today(), used: HOST_DAY })
        .onConflictDoUpdate({ target: [zoomHostDays.host, zoomHostDays.day], set: { used: HOST_DAY } });
    },
    async left(hosts) {
      const emails = [...new Set(hosts.map((host) => host.toLowerCase()))];
      if (emails.length === 0) return new Map();
      const rows = await db
        .select()
        .from(zoomHostDays)
        .where(and(eq(zoomHostDays.day, today()), inArray(zoomHostDays.host, emails)));
      const used = new Map(rows.map((row) => [row.host, row.used]));
      return new Map(emails.map((email) => [email, Math.max(0, HOST_DAY - (used.get(email) ?? 0))]));
    },
    nextDay,
    waitUntil: () => new Date(Date.now() + nextDay().getTime() - now().getTime()),
  };
}
