/** The feeds of the practice timetable, for a client that only knows the format (reference timetable.md §2, §3, §8). */
import { parse } from 'csv-parse/sync';
import { afterEach, describe, expect, test } from 'vitest';
import { useSandbox } from '../canvas/http/client.ts';

const client = useSandbox({ now: () => new Date('2026-11-21T09:00:00Z') });
const WHOLE = 'p=20260801.x,20270731.x';

type Row = {
  id: string;
  startdate: string;
  starttime: string;
  enddate: string;
  endtime: string;
  columns: string[];
};
type Feed = {
  columnheaders: string[];
  info: { reservationlimit: number; reservationcount: number };
  reservations: Row[];
};

const ask = (path: string, headers: Record<string, string> = {}) =>
  client.ask(`/timeedit/${path}`, { token: null, headers });
const feed = async (campus: string, query = WHOLE) =>
  (await ask(`${campus}/ri.json?${query}`)).body as unknown as Feed;
const column = (of: Feed, row: Row, name: string) => row.columns[of.columnheaders.indexOf(name)] ?? '';
const start = (row: Row) => `${row.startdate} ${row.starttime}`;
const end = (row: Row) => `${row.enddate} ${row.endtime}`;

/** Reads the events of an ICS text, unfolded and unescaped. */
function icsEvents(text: string): Record<string, string>[] {
  const lines = text.replace(/\r\n /g, '').split('\r\n');
  const events: Record<string, string>[] = [];
  for (const line of lines) {
    if (line === 'BEGIN:VEVENT') events.push({});
    const cut = line.indexOf(':');
    const value = line
      .slice(cut + 1)
      .replace(/\\([\\;,])/g, '$1')
      .replaceAll('\\n', '\n');
    const event = events.at(-1);
    if (event) event[line.slice(0, cut)] = value;
  }
  return events;
}

afterEach(() => client.ask('/sandbox/faults', { method: 'DELETE' }));
const set = (fault: object) => client.send('POST', '/sandbox/faults', { system: 'timeedit', ...fault });

describe('timetable.md §2 ri.json', () => {
  test('§2 ids are text, dates and times are local without a zone, columns match the campus’s headers', async () => {
    const orders = new Set<string>();
    for (const campus of ['fbl', 'sgp', 'abd']) {
      const read = await feed(campus);
      orders.add(read.columnheaders.join());
      expect(read.reservations.length).toBeGreaterThan(100);
      expect(read.info.reservationcount).toBe(read.reservations.length);
      for (const row of read.reservations) {
        expect(row).toMatchObject({
          id: expect.stringMatching(/^\d+$/),
          startdate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
          endtime: expect.stringMatching(/^\d\d:\d\d$/),
        });
        expect(row.columns).toHaveLength(read.columnheaders.length);
        expect(column(read, row, 'Course')).toContain(`-${campus.toUpperCase()}-`);
      }
    }
    expect(orders.size).toBe(3);
  });

  test('§8 contains the cases that readers get wrong', async () => {
    const read = await feed('fbl');
    const rows = read.reservations;
    const some = (test: (row: Row) => unknown) => expect(rows.filter(test).length).toBeGreaterThan(0);
    const courseIds = (row: Row) => column(read, row, 'Course').match(/[A-Z]+\d\d-FBL-\w+-\w/g) ?? [];
    some((row) => column(read, row, 'Room').split(', ').length === 2);
    some((row) => row.enddate > row.startdate && row.endtime < row.starttime);
    some((row) => courseIds(row).length === 2);
    some(
      (row) =>
        column(read, row, 'Information').includes('chargé') && column(read, row, 'Information').includes(','),
    );
    some((row) => column(read, row, 'Course').split(', ').length === 2);
    // Parallel groups: the same course, start and end.
    const places = rows.map((row) => `${courseIds(row)[0]} ${start(row)} ${end(row)}`);
    expect(new Set(places).size).toBeLessThan(places.length);
    // The two hours of the clock change.
    expect(rows.map(start)).toContain('2026-10-25 02:30');
    expect(rows.map(end)).toContain('2026-10-25 02:30');
    expect(rows.map(start)).toContain('2027-03-28 02:30');
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  });

  test('§1 p is a period of days at the campus; by default this week and the next four', async () => {
    const dates = async (query: string) =>
      (await feed('sgp', query)).reservations.map((row) => row.startdate);
    const within = (all: string[], from: string, to: string) => {
      expect(all.length).toBeGreaterThan(0);
      for (const date of all) expect(date >= from && date <= to, date).toBe(true);
    };
    within(await dates('p=20261201.x,20261207.x'), '2026-12-01', '2026-12-07');
    within(await dates('p=0.m'), '2026-11-01', '2026-11-30');
    within(await dates('p=0.w,4.w'), '2026-11-16', '2026-12-20');
    expect(await dates('')).toEqual(await dates('p=0.w,4.w'));
    within(await dates('p=-7.d,20261231.x'), '2026-11-14', '2026-12-31');
    for (const p of ['soon', '20260231.x', '20261301.x,20261231.x'])
      expect([p, (await ask(`sgp/ri.json?p=${p}`)).status]).toEqual([p, 400]);
    expect((await feed('sgp', 'p=20300101.x,20300201.x')).reservations).toEqual([]);
  });

  test('§1 objects names courses, which objects.json finds; objects of another type match nothing', async () => {
    const types = (await ask('fbl/types.json')).body['records']?.[0];
    const found = await ask(`fbl/objects.json?types=${types?.['id']}&search_text=mba2`);
    expect(found.body['count']).toBe(found.body['records']?.length);
    const [first, second] = found.body['records'] ?? [];
    const of = (objects: string) => feed('fbl', `${WHOLE}&objects=${objects}`);
    const one = await of(String(first?.['id']));
    expect(one.reservations.length).toBeGreaterThan(10);
    for (const row of one.reservations)
      expect(column(one, row, 'Course')).toContain(String(first?.['values']));
    const both = await of(`${first?.['id']},${second?.['id']}`);
    expect(both.reservations.length).toBeGreaterThan(one.reservations.length);
    expect((await of('1.4')).reservations).toEqual([]);
  });

  test('§1 the extension decides the format: the same page as a table or as a web page', async () => {
    const read = await feed('fbl', 'p=0.m');
    const types = { csv: 'text/csv', txt: 'text/plain', html: 'text/html' };
    for (const [form, type] of Object.entries(types)) {
      const answer = await ask(`fbl/ri.${form}?p=0.m`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
      expect(answer.text.split(read.reservations[0]?.startdate ?? '').length).toBeGreaterThan(1);
    }
    const [head, ...rows] = parse((await ask('fbl/ri.csv?p=0.m')).text);
    expect(head).toEqual(['Begin date', 'Begin time', 'End date', 'End time', ...read.columnheaders]);
    expect(rows).toEqual(
      read.reservations.map((row) => [
        row.startdate,
        row.starttime,
        row.enddate,
        row.endtime,
        ...row.columns,
      ]),
    );
  });

  test('§1 a page also has a long name, which hides the query', async () => {
    const web = await ask('fbl/ri.html?p=20261201.x,20261207.x&sid=3');
    const long = /href="(ri[0-9A-Za-z]{20,}\.json)"/.exec(web.text)?.[1] ?? '';
    expect((await ask(`fbl/${long}`)).body).toEqual(await feed('fbl', 'p=20261201.x,20261207.x'));
    for (const name of ['ri157XQQ519Z50Qv87.json', 'ri.pdf', 'other.json'])
      expect((await ask(`fbl/${name}`)).status, name).toBe(404);
  });

  test('§1 a reservation has a page; an unknown one is a 404', async () => {
    const [row] = (await feed('abd')).reservations;
    expect((await ask(`abd/ri.html?id=${row?.id}&h=t`)).text).toContain(`ID ${row?.id}`);
    for (const path of ['abd/ri.html?id=1', 'xyz/ri.json', 'abd/other.json'])
      expect((await ask(path)).status, path).toBe(404);
  });
});

test('timetable.md §3 a page’s ICS has the same reservations in UTC, folded, with ids in UID and description', async () => {
  const zones = { fbl: 'Europe/Paris', sgp: 'Asia/Singapore', abd: 'Asia/Dubai' };
  for (const [campus, timeZone] of Object.entries(zones)) {
    const read = await feed(campus);
    const answer = await ask(`${campus}/ri.ics?${WHOLE}`);
    expect(answer.headers.get('content-type')).toContain('text/calendar');
    for (const line of answer.text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    const events = icsEvents(answer.text);
    expect(events.map((event) => event['UID']?.split('-')[0])).toEqual(read.reservations.map(({ id }) => id));
    const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
    for (const [at, row] of read.reservations.entries()) {
      const event = events[at] ?? {};
      const moment = (name: string) =>
        new Date(String(event[name]).replace(/(....)(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z'));
      // On the night when the clocks change, half past two is skipped.
      if (start(row) !== '2027-03-28 02:30') expect(clock.format(moment('DTSTART'))).toBe(start(row));
      expect(clock.format(moment('DTEND'))).toBe(end(row));
      expect(event['DESCRIPTION']?.endsWith(`ID ${row.id}`)).toBe(true);
      expect(event['LOCATION']).toBe(column(read, row, 'Room'));
      expect(event['SUMMARY']).toContain(column(read, row, 'Activity'));
      expect(event['LAST-MODIFIED']).toBe(event['DTSTAMP']);
    }
  }
});

describe('timetable.md §8 failures', () => {
  test('§8 an unchanged page answers 304', async () => {
    for (const form of ['json', 'ics']) {
      const path = `fbl/ri.${form}?${WHOLE}`;
      const etag = (await ask(path)).headers.get('etag') ?? '';
      expect(await ask(path, { 'if-none-match': `"other", W/${etag}` })).toMatchObject({
        status: 304,
        text: '',
      });
      expect((await ask(`fbl/ri.${form}?p=0.m`, { 'if-none-match': etag })).status).toBe(200);
    }
  });

  test('§8 a feed can be an HTML login page with status 200, be empty, or have fewer rows than stated', async () => {
    await set({ kind: 'login-page', count: 1 });
    const login = await ask('fbl/ri.json');
    expect([login.status, login.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    await set({ kind: 'empty-feed', count: 1 });
    expect((await feed('fbl')).reservations).toEqual([]);
    await set({ kind: 'few-rows', count: 1 });
    const few = await feed('fbl');
    expect(few.reservations.length).toBeLessThan(few.info.reservationcount);
    expect((await feed('fbl')).reservations.length).toBe(few.info.reservationcount);
  });

  test('§8 a 404, a truncated body or a slow answer does not affect Canvas', async () => {
    await set({ kind: 'status', status: 404, match: '/timeedit/fbl/*', count: 1 });
    expect((await ask('fbl/ri.json')).status).toBe(404);
    await set({ kind: 'drop', when: 'body', count: 1 });
    await expect(ask('fbl/ri.json')).rejects.toThrow();
    await set({ kind: 'status', status: 503 });
    expect((await client.api('/accounts/1')).status).toBe(200);
  });
});
