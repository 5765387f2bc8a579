/** Context of a change: other meetings of its host at these times, and the limits of a Basic account (OP-102). */
import type { ZoomPreview } from '@lms-admin/contract/zoom-preview';
import { emailKey } from '@lms-admin/domain/emails';
import type { Slot } from './calendar-event.ts';
import { type Trial, touched } from './change-trial.ts';
import { type BookingParts, doubleBookings, withMerged } from './double-bookings.ts';
import { isOver } from './problems.ts';
import { otherHosts } from './same-reservation.ts';
import { heldBy } from './trial-states.ts';

/** Zoom ends a Basic host's meeting after this time. */
const BASIC_MS = 40 * 60_000;

type AboutHost = Pick<ZoomPreview, 'basic' | 'clashes' | 'unchecked' | 'elsewhere'>;

/** Finds the host's other meetings at these times, events with the same reservations, and a Basic account's limits. */
export async function aboutHost(trial: Trial): Promise<AboutHost> {
  const { parts, zoom, change, calendar, records, admin, signal, came, before, after } = trial;
  const none: AboutHost = { basic: null, clashes: [], unchecked: false, elsewhere: [] };
  const asking = { ...parts, zoom, records, calendar, lms: records.lms, admin, signal };
  if (change.change === 'unmerge') return { ...none, ...(await bookedWhenUnmerged(trial, asking)) };
  if (change.change === 'merge') {
    const merged = came.flatMap(({ family }) => {
      const isNew = family && before.get(family)?.main !== after.get(family)?.main;
      return isNew ? family.parts : [];
    });
    const main = calendar.of.get(change.parent);
    const state = main && after.get(main);
    const host = main && state ? (heldBy(state, main.own)?.host ?? null) : null;
    if (host === null) return none;
    const ahead = merged.filter(({ event }) => !isOver(event, parts.canvas.now()));
    const [booked, elsewhere] = await Promise.all([
      doubleBookings(asking, host, ahead),
      otherHosts(asking, host, merged),
    ]);
    return { ...none, ...booked, elsewhere };
  }
  const able = came.flatMap(({ family, end }) => {
    const isAble =
      family && (end.state === 'done' || family.parts.some((slot) => touched(trial, slot) !== null));
    return isAble ? family.parts : [];
  });
  const isAhead = ({ event }: Slot) => !isOver(event, parts.canvas.now());
  const ahead = able.filter(isAhead);
  const [basic, booked, elsewhere] = await Promise.all([
    basicOf(trial, ahead, change.owner),
    doubleBookings(asking, change.owner, withMerged(calendar, able).filter(isAhead)),
    otherHosts(asking, change.owner, ahead),
  ]);
  return { basic, ...booked, elsewhere };
}

/** Finds the bookings after an unmerge, when an event has the hosts of its own meetings again. */
async function bookedWhenUnmerged(
  { parts, came, after }: Trial,
  asking: BookingParts,
): Promise<Pick<ZoomPreview, 'clashes' | 'unchecked'>> {
  const hosted = came.flatMap(({ family }) => {
    const state = family && after.get(family);
    if (!state) return [];
    const ahead = family.parts.filter(({ event }) => !isOver(event, parts.canvas.now()));
    return ahead.map((slot) => ({ slot, host: heldBy(state, slot)?.host ?? null }));
  });
  const hosts = [...new Set(hosted.flatMap(({ host }) => host ?? []))];
  const booked = await Promise.all(
    hosts.map((one) => {
      const its = hosted.filter(({ host }) => host === one);
      return doubleBookings(
        asking,
        one,
        its.map(({ slot }) => slot),
      );
    }),
  );
  return {
    clashes: booked.flatMap(({ clashes }) => clashes),
    unchecked: booked.some(({ unchecked }) => unchecked),
  };
}

/** Returns the effect of a host without a licence on these events. */
async function basicOf(
  { zoom, signal }: Trial,
  ahead: readonly Slot[],
  owner: string,
): Promise<ZoomPreview['basic']> {
  // The placeholder account does not teach.
  if (ahead.length === 0 || emailKey(owner) === emailKey(zoom.defaultOwner)) return null;
  const user = await zoom.user(owner, signal);
  if (!user || user.licensed) return null;
  const long = ahead.filter(
    ({ event: { start_at, end_at } }) => Date.parse(end_at ?? '') - Date.parse(start_at ?? '') > BASIC_MS,
  );
  return { email: user.email, name: user.name, events: ahead.length, long: long.length };
}
