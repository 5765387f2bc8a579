/** Reads a page of the timetable, as JSON or as ICS, into reservations (OP-64). */
import { momentOfClock } from './wall-clock.ts';

export interface Reservation {
  /** A text, because the number can start with zeros. */
  readonly reservationId: string;
  /** Every text in the configured place that may be its course's SIS ID: several courses can share it. */
  readonly courses: readonly string[];
  /** ISO 8601 in UTC. */
  readonly start: string;
  readonly end: string;
  readonly title: string;
  readonly rooms: readonly string[];
}

/** Position of the required data in a school's page. Names are columns of the JSON, or fields of the ICS. */
export interface FeedPlaces {
  /** The school's time zone: an IANA name. */
  readonly zone: string;
  readonly course: string;
  /** Finds the SIS IDs in that place through its group; null: any whole text in it may be one. */
  readonly pattern: RegExp | null;
  readonly title: string;
  readonly rooms: string;
}

export interface FeedPage {
  readonly reservations: readonly Reservation[];
  /** Number of rows, including unreadable ones. */
  readonly rows: number;
  /** Total number according to the page, which can be more than it contains; null if the page does not give one. */
  readonly total: number | null;
  /** Assumptions and skipped rows, for the log. */
  readonly remarks: readonly string[];
}

/** An answer that is not a page of the timetable, such as a sign-in form. */
export class NotAFeed extends Error {}

/**
 * Reads a page; its start shows its format.
 * @throws NotAFeed
 */
export function readFeed(text: string, places: FeedPlaces): FeedPage {
  const body = text.trimStart();
  if (/^BEGIN:VCALENDAR\b/i.test(body)) return readIcs(body, places);
  if (body.startsWith('{')) return readJson(body, places);
  throw new NotAFeed(
    body.startsWith('<')
      ? 'the address returned a web page, not the timetable'
      : 'it is neither JSON nor ICS',
  );
}

type Row = Record<'id' | 'startdate' | 'starttime' | 'enddate' | 'endtime', unknown> & { columns?: unknown };

function readJson(body: string, places: FeedPlaces): FeedPage {
  let page: Record<string, unknown>;
  try {
    page = JSON.parse(body) as Record<string, unknown>;
  } catch {
    throw new NotAFeed('the JSON is incomplete or damaged');
  }
  const { columnheaders: headers, reservations: rows, info } = page;
  if (!Array.isArray(headers) || !Array.isArray(rows)) throw new NotAFeed('the JSON has no reservations');
  const at = (name: string) => headers.indexOf(name);
  if (at(places.course) < 0) throw new NotAFeed(`the page has no column ${places.course}`);
  const remarks: string[] = [];
  const reservations: Reservation[] = [];
  for (const row of rows as (Row | null)[]) {
    const id = typeof row?.id === 'string' || typeof row?.id === 'number' ? String(row.id) : '';
    const start = momentOfClock(String(row?.startdate), String(row?.starttime), places.zone);
    const end = momentOfClock(String(row?.enddate), String(row?.endtime), places.zone);
    if (!row || id === '' || !start || !end) {
      remarks.push(`a row without an id or times was skipped: ${JSON.stringify(row).slice(0, 200)}`);
      continue;
    }
    if (start.odd ?? end.odd)
      remarks.push(
        `reservation ${id}: the clocks show ${row.startdate} ${row.starttime} ${start.odd ?? end.odd}`,
      );
    const columns = Array.isArray(row.columns) ? row.columns : [];
    const cell = (name: string) => (at(name) < 0 ? '' : String(columns[at(name)] ?? ''));
    reservations.push({
      reservationId: id,
      courses: coursesIn(cell(places.course), places.pattern),
      start: iso(start.ms),
      // The end may be in a repeated hour, and the start before it: a reservation ends after its start.
      end: iso(Math.max(start.ms, end.ms)),
      title: shown(cell(places.title)),
      rooms: split(cell(places.rooms)),
    });
  }
  const total = (info as { reservationcount?: unknown } | undefined)?.reservationcount;
  return { reservations, rows: rows.length, total: typeof total === 'number' ? total : null, remarks };
}

function readIcs(body: string, places: FeedPlaces): FeedPage {
  if (!/END:VCALENDAR\s*$/i.test(body)) throw new NotAFeed('the ICS file is incomplete');
  const remarks: string[] = [];
  const reservations: Reservation[] = [];
  const events = body
    .replace(/\r?\n[ \t]/g, '')
    .split(/^BEGIN:VEVENT\r?$/im)
    .slice(1);
  for (const block of events) {
    const fields = new Map<string, string>();
    for (const line of block.split(/\r?\n/)) {
      // A parameter can have a colon in quotes, but none that is read here does.
      const match = /^([\w-]+)(?:;[^:]*)?:(.*)$/.exec(line);
      if (match?.[1] && !fields.has(match[1].toUpperCase()))
        fields.set(match[1].toUpperCase(), match[2] ?? '');
    }
    const value = (name: string) => unescaped(fields.get(name.toUpperCase()) ?? '');
    const id = /^\d+/.exec(value('UID'))?.[0] ?? idAtEnd(value('DESCRIPTION')) ?? '';
    const start = icsMoment(value('DTSTART'), places.zone);
    const end = icsMoment(value('DTEND'), places.zone) ?? start;
    if (id === '' || start === null || end === null) {
      remarks.push(`an event without an id or times was skipped: ${value('UID').slice(0, 100)}`);
      continue;
    }
    reservations.push({
      reservationId: id,
      courses: coursesIn(value(places.course), places.pattern),
      start: iso(start),
      end: iso(end),
      title: shown(value(places.title)),
      rooms: split(value(places.rooms)),
    });
  }
  return { reservations, rows: events.length, total: null, remarks };
}

/** Returns the reservation's number, if a description ends with `ID n`. */
export function idAtEnd(text: string): string | null {
  return /(?:^|\s)ID (\d+)\s*$/.exec(text)?.[1] ?? null;
}

/** Returns a text without invisible parts: zero-width characters, double spaces. */
export function shown(text: string): string {
  return text
    .replace(/[\u200b-\u200d\u2060\ufeff]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * Lists the courses in a text. Values of a course's column contain commas: the whole text, its parts and its words can
 * each be the id.
 */
function coursesIn(text: string, pattern: RegExp | null): string[] {
  if (pattern) {
    const all = new RegExp(pattern.source, [...new Set(`${pattern.flags}g`)].join(''));
    return [...new Set([...text.matchAll(all)].flatMap((match) => match[1] ?? []))];
  }
  const pieces = text.split(/[,;\n]/).map(shown);
  return [...new Set([shown(text), ...pieces, ...text.split(/[\s,;()]+/)])].filter((each) => each !== '');
}

function split(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map(shown)
    .filter((each) => each !== '');
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, mark: string) => (mark === 'n' || mark === 'N' ? '\n' : mark));
}

/** Reads a moment: `20250908T080000Z`; without the Z it is the school's local time. */
function icsMoment(text: string, zone: string): number | null {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(Z?)$/.exec(text.trim());
  if (!match) return null;
  const [, year, month, day, hour, minute, second, utc] = match;
  const clock = momentOfClock(`${year}-${month}-${day}`, `${hour}:${minute}:${second}`, utc ? 'UTC' : zone);
  return clock?.ms ?? null;
}

function iso(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
