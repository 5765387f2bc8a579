/** Reservations and events: which belong together, and how the synchroniser changes them (timetable.md §5, §7). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Json, useSandbox } from '../canvas/http/client.ts';

const client = useSandbox({ now: () => new Date('2026-11-21T09:00:00Z') });
const MARK = '\u200b'.repeat(10);
const LINK = /href="https:\/\/cloud\.timeedit\.net\/[^"]*[?;&]id=(\d+)[&"]/;
const ZONES = { fbl: 'Europe/Paris', sgp: 'Asia/Singapore', abd: 'Asia/Dubai' };

type Occurrence = { start: string; end: string };

/** Reads a course's reservations in a feed, by id, in UTC, from the ICS. */
async function reservationsOf(course: number): Promise<Map<string, Occurrence>> {
  const found = new Map<string, Occurrence>();
  for (const campus of Object.keys(ZONES)) {
    const path = `/timeedit/${campus}/ri.ics?objects=${course}.219&p=20260801.x,20270731.x`;
    const { text } = await client.ask(path, { token: null });
    const moment = (stamp = '') => stamp.replace(/(....)(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z');
    for (const event of text.split('BEGIN:VEVENT').slice(1)) {
      const value = (name: string) => new RegExp(`^${name}:(.*)\r$`, 'm').exec(event)?.[1];
      found.set(value('UID')?.split('-')[0] ?? '', {
        start: moment(value('DTSTART')),
        end: moment(value('DTEND')),
      });
    }
  }
  return found;
}

const eventsOf = async (course: number): Promise<Json[]> =>
  (
    await client.api(`/calendar_events?context_codes[]=course_${course}&all_events=1&per_page=100`)
  ).body.filter((event) => event['parent_event_id'] === null);
const linkOf = (event: Json) => LINK.exec(String(event['description'] ?? ''))?.[1] ?? null;
const isMarked = (event: Json) => String(event['title']).endsWith(MARK);
const synchronise = (course: number | string) =>
  client.send('POST', '/sandbox/timeedit/synchronise', { course });

/** Finds courses with seeded events; with or without section events. */
function courses(bySection: boolean): number[] {
  const { world } = client;
  const all = [...world.calendarEvents.values()];
  const parents = new Set(all.flatMap((event) => event.parent_calendar_event_id ?? []));
  const found = new Set<number>();
  for (const event of all)
    if (event.context_code.startsWith('course_') && parents.has(event.id) === bySection)
      if (world.courses.get(Number(event.context_code.slice(7)))?.sis_source_id)
        found.add(Number(event.context_code.slice(7)));
  return [...found];
}

beforeEach(() => client.ask('/sandbox/reset', { method: 'POST' }));
afterEach(() => client.ask('/sandbox/faults', { method: 'DELETE' }));

test('§8 most events name their reservation, some match one only by time, and some match none; one is moved, and one is cancelled', async () => {
  const seen = { linked: 0, moved: 0, cancelled: 0, byTime: 0, several: 0, nothing: 0 };
  for (const course of courses(false).slice(0, 12)) {
    const reservations = await reservationsOf(course);
    for (const event of await eventsOf(course)) {
      const same = [...reservations.values()].filter(
        ({ start, end }) => `${start} ${end}` === `${event['start_at']} ${event['end_at']}`,
      );
      const id = linkOf(event);
      expect(isMarked(event), String(event['title'])).toBe(id !== null);
      if (id !== null) {
        seen.linked++;
        const reservation = reservations.get(id);
        if (!reservation) seen.cancelled++;
        else if (reservation.start !== String(event['start_at'])) {
          expect(Date.parse(reservation.start) - Date.parse(String(event['start_at']))).toBe(15 * 60_000);
          seen.moved++;
        }
      } else if (same.length === 1) seen.byTime++;
      else if (same.length > 1) seen.several++;
      else seen.nothing++;
    }
  }
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
  expect(seen.linked).toBeGreaterThan(seen.byTime + seen.several + seen.nothing);
});

test('§5 the synchroniser deletes its events of a course and creates them again with other ids; the others stay', async () => {
  const [course = 0, other = 0] = courses(false);
  const before = await eventsOf(course);
  const untouched = await eventsOf(other);
  const { body } = await synchronise(course);
  const after = await eventsOf(course);
  const ids = (events: Json[]) => events.map((event) => Number(event['id'])).sort((a, b) => a - b);
  expect(body).toMatchObject({ course, deleted: before.filter(isMarked).map((event) => event['id']) });
  expect(ids(after.filter(isMarked))).toEqual(body['created']);
  expect(ids(after.filter((event) => !isMarked(event)))).toEqual(
    ids(before.filter((event) => !isMarked(event))),
  );
  // Its events now match the timetable: the moved one has moved, the cancelled one has been deleted.
  const reservations = await reservationsOf(course);
  for (const event of after.filter(isMarked)) {
    const { start, end } = reservations.get(linkOf(event) ?? '') ?? {};
    expect([event['start_at'], event['end_at']]).toEqual([start, end]);
  }
  expect(ids(await eventsOf(other))).toEqual(ids(untouched));
  expect((await synchronise(course)).body['deleted']).toEqual(body['created']);
});

test('§5 the synchroniser replaces section events too, because it only knows courses; a reservation for two courses is in both', async () => {
  const [course = 0] = courses(true);
  await synchronise(course);
  for (const event of (await eventsOf(course)).filter(isMarked)) expect(event['hidden']).toBe(false);
  const shared = new Map<string, Set<string>>();
  for (const event of client.world.calendarEvents.values()) {
    const id = LINK.exec(event.description ?? '')?.[1];
    if (!id || !event.context_code.startsWith('course_') || event.parent_calendar_event_id !== null) continue;
    shared.set(id, (shared.get(id) ?? new Set()).add(event.effective_context_code ?? event.context_code));
  }
  expect([...shared.values()].some((contexts) => contexts.size === 2)).toBe(true);
});

test('§5 the synchroniser runs on demand from the front page, and reports if Canvas rejects something', async () => {
  const [course = 0] = courses(false);
  expect((await client.ask('/')).text).toContain('action="/sandbox/timeedit/synchronise"');
  const body = new URLSearchParams({ course: String(course) });
  const pressed = await client.ask('/sandbox/timeedit/synchronise', { method: 'POST', body });
  expect([pressed.status, pressed.headers.get('location')]).toEqual([303, '/']);
  expect((await synchronise('all')).status).toBe(400);
  expect((await synchronise(999_999)).status).toBe(502);
  await client.send('POST', '/sandbox/faults', { kind: 'status', method: 'POST', spares: 2 });
  expect((await synchronise(course)).status).toBe(502);
});
