/** The timetable's reservation for a calendar event of the LMS (OP-64, reference timetable.md §7). */
import { idAtEnd, type Reservation, shown } from './timetable-feed.ts';

/** The parts of a calendar event that matter for matching. */
export interface EventFacts {
  readonly id: number;
  readonly title: string;
  /** HTML. */
  readonly description: string | null;
  readonly start_at: string | null;
  readonly end_at: string | null;
  readonly location_name: string | null;
  /** For a section's event: the course's event. */
  readonly parent_event_id: number | null;
  readonly created_at: string;
}

/** A pair found earlier, with the times that the event had at that point. Without a reservation, `reservationId` is null. */
export interface KnownPair {
  readonly eventId: number;
  readonly reservationId: string | null;
  readonly start: string | null;
  readonly end: string | null;
}

export interface Match {
  readonly reservationId: string;
  /** `link`: the event itself names it. `known`: it was found earlier. `time`: both have the same time. */
  readonly by: 'link' | 'known' | 'time';
}

export interface Matches {
  /** Matches by event id. */
  readonly of: ReadonlyMap<number, Match>;
  /** Events that claimed a reservation that another event keeps; for the log. */
  readonly disputes: readonly { reservationId: string; kept: number; lost: number }[];
}

/**
 * Pairs the events of one course, including section events, with its reservations. A more certain claim comes first; of
 * two equal ones, the event created earlier keeps the reservation. A section's event can share its parent's.
 *
 * People copy events in the LMS, and the copy names the same reservation. An event without a reservation while another
 * event had this one never gets it: when the original is deleted, or created again, the copy stays without it.
 */
export function matchReservations(
  events: readonly EventFacts[],
  reservations: readonly Reservation[],
  known: readonly KnownPair[] = [],
): Matches {
  const found = new Map<number, Match>();
  const disputes: { reservationId: string; kept: number; lost: number }[] = [];
  /** The event with a reservation, or the parent of its section events. */
  const owners = new Map<string, number>();
  const inFeed = new Map(reservations.map((each) => [each.reservationId, each]));
  const before = new Map(known.map((pair) => [pair.eventId, pair]));
  const kept = new Set(known.map(({ reservationId }) => reservationId));
  const family = (event: EventFacts) => event.parent_event_id ?? event.id;
  const isFree = (event: EventFacts, reservationId: string) =>
    (owners.get(reservationId) ?? family(event)) === family(event);
  const claim = (event: EventFacts, reservationId: string, by: Match['by']) => {
    const owner = owners.get(reservationId);
    if (owner !== undefined && owner !== family(event))
      disputes.push({ reservationId, kept: owner, lost: event.id });
    else {
      owners.set(reservationId, family(event));
      found.set(event.id, { reservationId, by });
    }
  };

  const facts = [...events]
    .sort(byAge)
    .map((event) => ({ event, linked: reservationInText(event.description) }));
  const linking = facts.flatMap(({ event, linked }) => {
    if (linked === null) return [];
    const pair = before.get(event.id) ?? before.get(family(event));
    if (pair?.reservationId === null && kept.has(linked)) return [];
    const at = inFeed.get(linked);
    const isThen =
      at !== undefined && sameMinute(at.start, event.start_at) && sameMinute(at.end, event.end_at);
    return { event, linked, sure: pair?.reservationId === linked ? 2 : Number(isThen) };
  });
  for (const { event, linked } of linking.sort((a, b) => b.sure - a.sure)) claim(event, linked, 'link');
  const silent = facts.flatMap(({ event, linked }) => (linked === null ? event : []));
  for (const event of silent) {
    const pair = before.get(event.id);
    if (!pair || pair.reservationId === null) continue;
    const unmoved = sameMinute(pair.start, event.start_at) && sameMinute(pair.end, event.end_at);
    if (unmoved || inFeed.has(pair.reservationId)) claim(event, pair.reservationId, 'known');
  }
  for (const event of silent) {
    if (found.has(event.id)) continue;
    const chosen = atSameTime(
      event,
      reservations.filter((each) => isFree(event, each.reservationId)),
    );
    if (chosen) claim(event, chosen.reservationId, 'time');
  }
  return { of: found, disputes };
}

/** Returns the reservation that a description names: by a link to the timetable, or by `ID n` at its end; null: none. */
export function reservationInText(description: string | null): string | null {
  if (description === null) return null;
  for (const match of description.matchAll(/\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)) {
    const address = (match[1] ?? match[2] ?? '').replaceAll('&amp;', '&');
    if (!URL.canParse(address)) continue;
    const { protocol, hostname, searchParams } = new URL(address);
    const id = searchParams.get('id') ?? '';
    if (/^https?:$/.test(protocol) && /(^|\.)timeedit\.net$/.test(hostname) && /^\d+$/.test(id)) return id;
  }
  const text = description.replace(/<[^<>]*>/g, ' ').replaceAll('&nbsp;', ' ');
  return idAtEnd(shown(text));
}

/**
 * Returns the only reservation at the event's time; of several, the one with a matching title, or otherwise a
 * matching room; or none.
 */
function atSameTime(event: EventFacts, reservations: readonly Reservation[]): Reservation | null {
  const candidates = reservations.filter(
    (each) => sameMinute(each.start, event.start_at) && sameMinute(each.end, event.end_at),
  );
  if (candidates.length <= 1) return candidates[0] ?? null;
  const title = shown(event.title).toLowerCase();
  const place = shown(event.location_name ?? '').toLowerCase();
  const byTitle = candidates.filter(({ title: other }) => contains(title, shown(other).toLowerCase()));
  if (byTitle.length === 1) return byTitle[0] ?? null;
  const byRoom = (byTitle.length > 1 ? byTitle : candidates).filter(
    ({ rooms }) => rooms.length > 0 && rooms.every((room) => place.includes(shown(room).toLowerCase())),
  );
  return byRoom.length === 1 ? (byRoom[0] ?? null) : null;
}

/** Returns whether one contains the other; an empty text never matches. */
function contains(a: string, b: string): boolean {
  return a !== '' && b !== '' && (a.includes(b) || b.includes(a));
}

function sameMinute(a: string | null, b: string | null): boolean {
  if (a === null || b === null) return a === b;
  return Math.floor(Date.parse(a) / 60_000) === Math.floor(Date.parse(b) / 60_000);
}

function byAge(a: EventFacts, b: EventFacts): number {
  return Date.parse(a.created_at) - Date.parse(b.created_at) || a.id - b.id;
}
