import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FeedPlaces, NotAFeed, readFeed } from '../src/timetable-feed.ts';
import { isZone, momentOfClock } from '../src/wall-clock.ts';

const PARIS: FeedPlaces = {
  zone: 'Europe/Paris',
  course: 'Course',
  pattern: null,
  title: 'Activity',
  rooms: 'Room',
};
const ICS: FeedPlaces = { ...PARIS, course: 'SUMMARY', title: 'SUMMARY', rooms: 'LOCATION' };

const HEADERS = ['Activity', 'Course', 'Room'];
const row = (columns: string[], more: object = {}) => ({
  id: '011149',
  startdate: '2026-12-01',
  starttime: '10:00',
  enddate: '2026-12-01',
  endtime: '11:45',
  columns,
  ...more,
});
const json = (...reservations: unknown[]) => JSON.stringify({ columnheaders: HEADERS, reservations });
const only = (text: string, places = PARIS) => readFeed(text, places).reservations[0];

describe("OP-64 a school's local times", () => {
  const at = (date: string, time: string, zone = 'Europe/Paris') => {
    const moment = momentOfClock(date, time, zone);
    return moment && [new Date(moment.ms).toISOString().slice(0, 16), moment.odd];
  };

  test('timetable.md §9: a repeated hour means the earlier one, and a time in a skipped hour moves forward', () => {
    expect(at('2026-10-25', '02:30')).toEqual(['2026-10-25T00:30', 'twice']);
    expect(at('2026-10-25', '03:00')).toEqual(['2026-10-25T02:00', null]);
    expect(at('2027-03-28', '02:30')).toEqual(['2027-03-28T01:30', 'never']);
    expect(at('2027-03-28', '03:30')).toEqual(['2027-03-28T01:30', null]);
    expect(at('2026-12-01', '24:00')).toEqual(['2026-12-01T23:00', null]);
    expect(at('2026-12-01', '10:00', 'Asia/Singapore')).toEqual(['2026-12-01T02:00', null]);
    for (const [date, time] of [
      ['2026-02-30', '10:00'],
      ['2026-12-01', '25:00'],
      ['soon', '10:00'],
      ['2026-12-01', ''],
    ] as const)
      expect(at(date, time)).toBeNull();
    expect([isZone('Asia/Dubai'), isZone('Atlantis')]).toEqual([true, false]);
  });

  test('property: the local time matches the input, except in a skipped hour', () => {
    const zones = fc.constantFrom(
      'Europe/Paris',
      'Asia/Singapore',
      'Asia/Dubai',
      'America/New_York',
      'Australia/Lord_Howe',
    );
    const minutes = fc.integer({ min: Date.UTC(2025, 0, 1) / 60_000, max: Date.UTC(2030, 0, 1) / 60_000 });
    fc.assert(
      fc.property(zones, minutes, (zone, minute) => {
        const wall = new Date(minute * 60_000).toISOString();
        const moment = momentOfClock(wall.slice(0, 10), wall.slice(11, 16), zone);
        const format = new Intl.DateTimeFormat('sv-SE', {
          timeZone: zone,
          dateStyle: 'short',
          timeStyle: 'short',
        });
        const shown = format.format(moment?.ms).replace(' ', 'T');
        if (moment?.odd === 'never') expect(shown > wall.slice(0, 16)).toBe(true);
        else expect(shown).toBe(wall.slice(0, 16));
      }),
    );
  });
});

describe('OP-64 a page as JSON', () => {
  test('timetable.md §2: columns are found by name, ids are text, there can be several rooms, and times are local to the campus', () => {
    const text = json(row(['Lecture', 'MBA26-SGP-FIN101-A, Corporate Finance', 'Amphi 3, Amphi 4']));
    expect(only(text, { ...PARIS, zone: 'Asia/Singapore' })).toEqual({
      reservationId: '011149',
      courses: expect.arrayContaining(['MBA26-SGP-FIN101-A', 'Corporate Finance']),
      start: '2026-12-01T02:00:00Z',
      end: '2026-12-01T03:45:00Z',
      title: 'Lecture',
      rooms: ['Amphi 3', 'Amphi 4'],
    });
  });

  test('timetable.md §9: names can contain commas too, so the ids of two courses are found whole, by word or by pattern', () => {
    const course = 'A1 Data, Models and Evaluation, B2, Uncertainty';
    const text = json(row(['x', course, '']));
    expect(only(text)?.courses).toEqual(expect.arrayContaining(['A1', 'B2', 'Uncertainty']));
    expect(only(text)?.rooms).toEqual([]);
    expect(only(text, { ...PARIS, pattern: /\b([A-Z]\d)\b/ })?.courses).toEqual(['A1', 'B2']);
  });

  test('an end after midnight, or in a repeated hour, is after the start', () => {
    const evening = { startdate: '2026-12-01', starttime: '22:30', enddate: '2026-12-02', endtime: '00:30' };
    expect(only(json(row([], evening)))).toMatchObject({
      start: '2026-12-01T21:30:00Z',
      end: '2026-12-01T23:30:00Z',
    });
    const night = { startdate: '2026-10-25', starttime: '02:30', enddate: '2026-10-25', endtime: '02:45' };
    const read = readFeed(json(row([], night)), PARIS);
    expect(read.reservations[0]).toMatchObject({
      start: '2026-10-25T00:30:00Z',
      end: '2026-10-25T00:45:00Z',
    });
    // A remark about a reservation that is kept is not a missing row.
    expect([read.rows, read.remarks.length]).toEqual([1, 1]);
  });

  test('invalid rows are skipped and reported; the total is returned if known', () => {
    const rows = [row(['a', 'b', 'c']), row([], { id: '' }), row([], { starttime: null }), null];
    const text = JSON.stringify({
      columnheaders: HEADERS,
      reservations: rows,
      info: { reservationcount: 9 },
    });
    const read = readFeed(text, PARIS);
    expect([read.reservations.length, read.rows, read.remarks.length, read.total]).toEqual([1, 4, 3, 9]);
    expect(readFeed(json(), PARIS).total).toBeNull();
  });

  test('§6 a login page, a truncated body, other JSON and another page are not a feed', () => {
    const whole = json(row(['a', 'b', 'c']));
    const others = [
      '<!doctype html><p>Sign in',
      whole.slice(0, -20),
      '{"error":1}',
      '',
      '[]',
      whole.replace('Course', 'Kurs'),
    ];
    for (const text of others) expect(() => readFeed(text, PARIS), text).toThrow(NotAFeed);
  });
});

describe('OP-64 a page as ICS', () => {
  const event = (lines: string[]) =>
    ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');
  const lines = [
    'DTSTART:20261201T090000Z',
    'DTEND:20261201T104500Z',
    'UID:11149-569704435-0@timeedit.com',
    'SUMMARY:MBA26-FBL-FIN101-A\\, Corporate F',
    ' inance\\, Lecture',
    'LOCATION:Amphi 3\\, Amphi 4',
    'DESCRIPTION:Élodie\\nID 11149',
  ];

  test('timetable.md §3: folded and escaped lines are read; the first number in the UID is the reservation', () => {
    expect(only(event(lines), ICS)).toMatchObject({
      reservationId: '11149',
      courses: expect.arrayContaining(['MBA26-FBL-FIN101-A', 'Corporate Finance']),
      start: '2026-12-01T09:00:00Z',
      end: '2026-12-01T10:45:00Z',
      title: 'MBA26-FBL-FIN101-A, Corporate Finance, Lecture',
      rooms: ['Amphi 3', 'Amphi 4'],
    });
    const byText = lines.map((line) => (line.startsWith('UID') ? 'UID:x@y' : line));
    expect(only(event(byText), ICS)?.reservationId).toBe('11149');
    const local = lines.map((line) =>
      line.replace('DTSTART:20261201T090000Z', 'DTSTART;TZID=Europe/Paris:20261201T100000'),
    );
    expect(only(event(local), ICS)?.start).toBe('2026-12-01T09:00:00Z');
  });

  test('§6 an ICS that is cut off is not a feed', () => {
    expect(() => readFeed(event(lines).slice(0, -30), ICS)).toThrow(NotAFeed);
    expect(readFeed(event([]), ICS)).toMatchObject({
      reservations: [],
      rows: 1,
      remarks: [expect.any(String)],
    });
  });
});

test('property: any input is either a page or not a feed', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.string().map((text) => `BEGIN:VCALENDAR\n${text}`),
      ),
      (text) => {
        try {
          readFeed(text, PARIS);
        } catch (error) {
          expect(error).toBeInstanceOf(NotAFeed);
        }
      },
    ),
  );
});
