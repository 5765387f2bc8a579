/** Formats of the timetable's reservations (reference timetable.md §2, §3). */

import { createHash } from 'node:crypto';
import { momentOfWallClock } from '../http/time-zones.ts';
import type { Campus } from '../seed/school.ts';
import { type Reservation, ZONES } from '../seed/timetable.ts';

/** Maximum number of rows in one answer. */
export const MOST_ROWS = 10_000;

const COLUMNS: Readonly<Record<string, (of: Reservation) => string>> = {
  Course: ({ courses }) => courses.map(({ sis, title }) => `${sis}, ${title}`).join(', '),
  Activity: ({ activity }) => activity,
  Room: ({ rooms }) => rooms.join(', '),
  Teacher: ({ teachers }) => teachers.join(', '),
  'Student group': ({ group }) => group,
  Information: ({ information }) => information,
};

/** Each campus has its own page layout: readers must not count columns. */
const HEADERS: Readonly<Record<Campus, readonly string[]>> = {
  FBL: ['Course', 'Activity', 'Room', 'Teacher', 'Student group', 'Information'],
  SGP: ['Activity', 'Teacher', 'Course', 'Information', 'Room', 'Student group'],
  ABD: ['Room', 'Course', 'Activity', 'Student group', 'Teacher'],
};

/** What a page contains. `total` is the number of all reservations, even if the page has fewer. */
export type Page = { campus: Campus; rows: readonly Reservation[]; total: number };

/** A page as in `ri.json`. */
type PageJson = {
  columnheaders: readonly string[];
  info: { reservationlimit: number; reservationcount: number };
  reservations: {
    id: string;
    startdate: string;
    starttime: string;
    enddate: string;
    endtime: string;
    columns: string[];
  }[];
};

/** Writes `ri.json` (§2): IDs are texts, times are local to the campus, without a zone. */
export function asJson({ campus, rows, total }: Page): PageJson {
  const columnheaders = HEADERS[campus];
  return {
    columnheaders,
    info: { reservationlimit: MOST_ROWS, reservationcount: total },
    reservations: rows.map((row) => {
      const [start, end] = [clockOf(row.start), clockOf(row.end)];
      return {
        id: row.id,
        startdate: start.date,
        starttime: start.time,
        enddate: end.date,
        endtime: end.time,
        columns: columnheaders.map((name) => COLUMNS[name]?.(row) ?? ''),
      };
    }),
  };
}

/** Writes `ri.ics` (§3): times are UTC, and only the stamp differs between requests. */
export function asIcs({ campus, rows }: Page, now: number): string {
  const stamp = icsMoment(now);
  const zone = ZONES[campus];
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:TimeEdit-Northbridge ${campus}-${stamp.slice(0, 8)}`,
    'X-PUBLISHED-TTL:PT20M',
    'CALSCALE:GREGORIAN',
    'PRODID:-//TimeEdit\\\\\\, //TimeEdit//EN',
    ...rows.flatMap((row) => [
      'BEGIN:VEVENT',
      `DTSTART:${icsMoment(momentOfWallClock(row.start, zone))}`,
      `DTEND:${icsMoment(momentOfWallClock(row.end, zone))}`,
      `UID:${row.id}-${viewNumber(campus)}-0@timeedit.com`,
      `DTSTAMP:${stamp}`,
      `LAST-MODIFIED:${stamp}`,
      `SUMMARY:${icsText(`${COLUMNS['Course']?.(row)}, ${row.activity}`)}`,
      `LOCATION:${icsText(row.rooms.join(', '))}`,
      `DESCRIPTION:${icsText([row.teachers.join(', '), row.information, `ID ${row.id}`].filter(Boolean).join('\n'))}`,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/** Returns an etag that stays the same for as long as the page does, whenever it is requested. */
export function etagOf(page: Page, form: string): string {
  const sum = createHash('sha256').update(`${form} ${JSON.stringify(asJson(page))}`);
  return `"${sum.digest('hex').slice(0, 32)}"`;
}

/** Returns date and time such as `2026-09-08` and `10:00`. */
export function clockOf(wall: number): { date: string; time: string } {
  const text = new Date(wall).toISOString();
  return { date: text.slice(0, 10), time: text.slice(11, 16) };
}

/** Returns the second number of a UID, which belongs to the view, not to the reservation. */
function viewNumber(campus: Campus): number {
  return createHash('sha256').update(campus).digest().readUInt32BE() % 1_000_000_000;
}

function icsMoment(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '');
}

function icsText(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replaceAll('\n', '\\n');
}

/** Folds lines at 75 bytes without splitting characters. */
function folded(line: string): string {
  let bytes = 0;
  let text = '';
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > 75) {
      text += '\r\n ';
      bytes = 1;
    }
    text += character;
    bytes += size;
  }
  return text;
}
