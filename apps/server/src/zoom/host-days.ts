/** Zoom allows a host 100 creations and updates of meetings a UTC day, anyone who asks; ours are counted (OP-104). */
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { zoomHostDays } from '../platform/schema.ts';

/** What Zoom allows a host on a UTC day. */
export const HOST_DAY = 100;
const DAY_MS = 24 * 60 * 60_000;
/** Clocks differ: so long after midnight Zoom may still speak of the day before. */
const TURN_MS = 60_000;

export interface HostDays {
  /** Takes one of the host's day; false: none is left. */
  take(host: string): Promise<boolean>;
  /** Zoom says that the day is used up; just after midnight that is asked again soon. */
  full(host: string): Promise<void>;
  /** How many are left of each of these hosts' day. */
  left(hosts: readonly string[]): Promise<Map<string, number>>;
  /** When changes are possible again, by the clock of what is outside. */
  nextDay(): Date;
  /** The same by our own clock, for what has to be waited for. */
  waitUntil(): Date;
}

/** @param now the clock of what is outside */
export function createHostDays(db: Db, now: () => Date): HostDays {
  const today = () => now().toISOString().slice(0, 10);
  const isTurning = () => now().getTime() % DAY_MS < TURN_MS;
  let saidAtTurn = false;
  const nextDay = () => {
    const midnight = Math.floor(now().getTime() / DAY_MS) * DAY_MS;
    return new Date(midnight + (saidAtTurn && isTurning() ? TURN_MS : DAY_MS));
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
      // Taken for the new day, all that waited for it would wait for another one.
      saidAtTurn = isTurning();
      if (saidAtTurn) return;
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
