import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Reservation } from '../src/timetable-feed.ts';
import { type EventFacts, matchReservations, reservationInText } from '../src/timetable-matching.ts';

const START = '2026-12-01T10:00:00Z';
const END = '2026-12-01T11:30:00Z';

const event = (id: number, more: Partial<EventFacts> = {}): EventFacts => ({
  id,
  title: `Session ${id}`,
  description: null,
  start_at: START,
  end_at: END,
  location_name: null,
  parent_event_id: null,
  created_at: `2026-09-01T08:00:${String(id).padStart(2, '0')}Z`,
  ...more,
});
const reservation = (reservationId: string, more: Partial<Reservation> = {}): Reservation => ({
  reservationId,
  courses: [],
  start: START,
  end: END,
  title: 'Lecture',
  rooms: [],
  ...more,
});
const link = (id: number | string) =>
  `<p>x</p><p><a class="e" href="https://cloud.timeedit.net/s/web/x/ri.html?h=t&amp;id=${id}&amp;sid=3">Edit on TimeEdit</a></p>`;
const pairs = (...given: Parameters<typeof matchReservations>) =>
  Object.fromEntries(
    [...matchReservations(...given).of].map(([id, match]) => [id, `${match.reservationId} ${match.by}`]),
  );

describe('OP-64 what an event itself names', () => {
  test('timetable.md §7.1: is a link to the timetable with the id, or ID n at the end', () => {
    expect(reservationInText(link(481))).toBe('481');
    expect(reservationInText("<a href='http://school.timeedit.net/ri.html?id=007'>x</a>")).toBe('007');
    expect(reservationInText('<p>Bring a laptop</p><p>ID 481&nbsp;\u200b</p>')).toBe('481');
    for (const text of [
      null,
      '',
      'ID 481 and more',
      'PAID 481',
      '<a href="https://timeedit.net.evil.example/ri.html?id=1">x</a>',
      '<a href="https://eviltimeedit.net/ri.html?id=1">x</a>',
      '<a href="javascript:timeedit.net?id=1">x</a>',
      '<a href="https://cloud.timeedit.net/ri.html?id=1a">x</a>',
      '<a href="https://cloud.timeedit.net/ri.html?sid=3">x</a>',
    ])
      expect(reservationInText(text), String(text)).toBeNull();
  });

  test('timetable.md §7.1: is certain, whatever the times are, and whether or not the feed has the reservation', () => {
    const moved = event(1, { description: link('481') });
    expect(
      pairs([moved], [reservation('481', { start: '2026-12-01T10:15:00Z' }), reservation('482')]),
    ).toEqual({
      1: '481 link',
    });
    expect(pairs([moved], [])).toEqual({ 1: '481 link' });
  });
});

describe('OP-64 earlier pairs', () => {
  const known = [{ eventId: 1, reservationId: '481', start: START, end: END }];

  test('timetable.md §7.2: a pair stays as long as the times are unchanged, or the feed still has the reservation', () => {
    expect(pairs([event(1)], [], known)).toEqual({ 1: '481 known' });
    const moved = event(1, { start_at: '2026-12-02T10:00:00Z', end_at: '2026-12-02T11:30:00Z' });
    expect(pairs([moved], [reservation('481')], known)).toEqual({ 1: '481 known' });
    expect(pairs([moved], [], known)).toEqual({});
  });
});

describe('OP-64 the same time', () => {
  test('timetable.md §7.3: an event and a reservation are paired if start and end match to the minute; the same start alone is another occasion', () => {
    const seconds = reservation('481', { start: '2026-12-01T10:00:59Z' });
    expect(pairs([event(1)], [seconds])).toEqual({ 1: '481 time' });
    expect(pairs([event(1)], [reservation('481', { end: '2026-12-01T12:00:00Z' })])).toEqual({});
    expect(pairs([event(1, { start_at: null, end_at: null })], [reservation('481')])).toEqual({});
  });

  test('timetable.md §7.3: parallel groups are distinguished by title, then by room; otherwise they are not paired', () => {
    const groups = [
      reservation('1', { title: 'Lab, Group 1', rooms: ['Amphi 3'] }),
      reservation('2', { title: 'Lab, Group 2', rooms: ['Amphi 4'] }),
    ];
    const titled = event(7, { title: ' Lab,\u200b Group 2: Finance\u200b\u200b' });
    expect(pairs([titled], groups)).toEqual({ 7: '2 time' });
    const placed = event(7, { title: 'Finance', location_name: 'amphi 3, level 1' });
    expect(pairs([placed], groups)).toEqual({ 7: '1 time' });
    expect(pairs([event(7, { title: 'Finance' })], groups)).toEqual({});
    const alike = groups.map((each) => ({ ...each, title: 'Lab' }));
    expect(pairs([event(7, { title: 'Lab', location_name: 'Amphi 4' })], alike)).toEqual({ 7: '2 time' });
    // One of them certainly belongs to another event.
    expect(pairs([event(7, { title: 'Finance' }), event(8, { description: link(1) })], groups)).toEqual({
      7: '2 time',
      8: '1 link',
    });
  });

  test('timetable.md §7: if two events name one reservation, the one created first keeps it, and both are named', () => {
    const [first, second] = [event(9, { created_at: '2026-08-01T00:00:00Z' }), event(1)];
    const both = [second, first].map((each) => ({ ...each, description: link(481) }));
    const matches = matchReservations(both, []);
    expect([...matches.of.keys()]).toEqual([9]);
    expect(matches.disputes).toEqual([{ reservationId: '481', kept: 9, lost: 1 }]);
  });

  test('OP-64: if two events share one reservation, the one that had it keeps it, otherwise the one at its time', () => {
    const copy = event(1, { start_at: '2026-12-03T10:00:00Z', end_at: '2026-12-03T11:30:00Z' });
    const both = [copy, event(9)].map((each) => ({ ...each, description: link(481) }));
    expect(pairs(both, [reservation('481')])).toEqual({ 9: '481 link' });
    const known = { eventId: 1, reservationId: '481', start: null, end: null };
    expect(pairs(both, [reservation('481')], [known])).toEqual({ 1: '481 link' });
  });

  test('OP-64: a copy without a reservation never gets the reservation of a deleted event', () => {
    const copy = event(1, { description: link(481) });
    const [deleted, own] = [
      { eventId: 9, reservationId: '481', start: START, end: END },
      { eventId: 1, reservationId: null, start: START, end: END },
    ];
    expect(pairs([copy], [reservation('481')], [deleted, own])).toEqual({});
    // Once it is created again, the other one gets it.
    expect(pairs([copy, event(12, { description: link(481) })], [], [deleted, own])).toEqual({
      12: '481 link',
    });
    // An event known before the timetable gets a reservation that no other event has.
    expect(pairs([copy], [reservation('481')], [own])).toEqual({ 1: '481 link' });
  });

  test('ZC-06: section events share the reservation of their parent', () => {
    const description = link(481);
    const family = [
      event(1, { description }),
      event(2, { description, parent_event_id: 1 }),
      event(3, { description, parent_event_id: 1 }),
    ];
    expect(Object.keys(pairs(family, []))).toEqual(['1', '2', '3']);
  });
});

describe('properties', () => {
  const time = fc.constantFrom('2026-12-01T10:00:00Z', '2026-12-01T10:15:00Z', '2026-12-02T10:00:00Z');
  const some = fc.constantFrom('Lab', 'Lecture', 'Lab 2', '');
  const events = fc
    .uniqueArray(
      fc.record({
        id: fc.integer({ min: 1, max: 40 }),
        start_at: time,
        title: some,
        linked: fc.option(fc.integer({ min: 1, max: 9 })),
      }),
      { selector: ({ id }) => id },
    )
    .map((all) =>
      all.map(({ linked, ...each }) =>
        event(each.id, { ...each, description: linked === null ? null : link(linked) }),
      ),
    );
  const reservations = fc
    .uniqueArray(fc.record({ id: fc.integer({ min: 1, max: 9 }), start: time, title: some }), {
      selector: ({ id }) => id,
    })
    .map((all) => all.map(({ id, ...each }) => reservation(String(id), each)));

  test('no reservation has two events, and the order of events does not matter', () => {
    fc.assert(
      fc.property(events, reservations, (all, feed) => {
        const matches = matchReservations(all, feed);
        const taken = [...matches.of.values()].map(({ reservationId }) => reservationId);
        expect(new Set(taken).size).toBe(taken.length);
        const back = matchReservations(all.toReversed(), feed);
        expect(Object.fromEntries(back.of)).toEqual(Object.fromEntries(matches.of));
      }),
    );
  });

  test('events that a synchroniser has created again are found by the reservations that they name', () => {
    fc.assert(
      fc.property(events, reservations, (all, feed) => {
        const said = all.filter(({ description }) => description !== null);
        const again = said.map((each) => ({ ...each, id: each.id + 1000 }));
        const ids = (of: readonly EventFacts[]) =>
          [...matchReservations(of, feed).of.values()].map(({ reservationId }) => reservationId).sort();
        expect(ids(again)).toEqual(ids(said));
      }),
    );
  });
});
