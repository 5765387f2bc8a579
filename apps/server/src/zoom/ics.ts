/** The calendar file of one event (OP-101): made of our own data, as Zoom's own address cannot be known. */
import type { ZoomEvent } from '@lms-admin/contract/zoom';
import { shown } from '@lms-admin/domain/timetable-feed';
import { isZone } from '@lms-admin/domain/wall-clock';
import ical, { ICalAttendeeRole, ICalAttendeeStatus, ICalCalendarMethod } from 'ical-generator';
import { tzlib_get_ical_block, tzlib_get_timezones } from 'timezones-ical-library';
import type { CalendarEvent } from './calendar.ts';

export interface IcsFacts {
  event: CalendarEvent;
  /** The same event as the browser gets it. */
  known: ZoomEvent;
  /** Of the course: IANA. */
  zone: string;
  /** Where the LMS is: of identifiers. */
  host: string;
  /** Name of the host of the meeting. */
  organiser: string;
  /** When any of it was changed last. */
  changedAt: Date;
}

const SINCE = Date.UTC(2020, 0, 1);
const HOUR_MS = 3_600_000;

/** The file's text: one event, in the zone of its course. */
export function icsText({ event, known, zone, host, organiser, changedAt }: IcsFacts): string {
  const link = known.zoom_link ?? '';
  const start = new Date(event.start_at ?? 0);
  const end = new Date(event.end_at ?? start.getTime() + HOUR_MS);
  const block = timeZoneBlock(zone);
  const name = block === null ? null : zone;
  const calendar = ical({
    prodId: { company: 'LMS Admin', product: 'Zoom Creation', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    // Without a name the moment at which the file was made stays in UTC, as it has to.
    timezone: { name: null, generator: () => block },
  });
  const of = (moment: Date) => (name === null ? moment : new ZonedDate(moment, name));
  calendar.createEvent({
    id: `${uidOf(event, known)}@${host}`,
    sequence: Math.max(0, Math.floor((changedAt.getTime() - SINCE) / 1_000)),
    stamp: changedAt,
    start: of(start),
    end: of(end),
    timezone: name,
    summary: printable(event.title) || 'Zoom',
    location: [printable(event.location_name ?? ''), link].filter(Boolean).join(', '),
    description: `Zoom: ${link}`,
    url: link,
    ...(known.zoom_owner === null
      ? {}
      : { organizer: { name: quotable(organiser) || known.zoom_owner, email: known.zoom_owner } }),
    attendees: known.zoom_alternative_host
      .split(',')
      .filter(Boolean)
      .map((email) => ({
        email,
        name: email,
        role: ICalAttendeeRole.OPT,
        status: ICalAttendeeStatus.NEEDSACTION,
      })),
  });
  return `${calendar.toString().trimEnd()}\r\n`;
}

/** A name for the file that every system takes. */
export function icsName({ title, start_at }: CalendarEvent): string {
  const day = (start_at ?? '').slice(0, 10);
  const plain = printable(title)
    .replace(/[\\/:*?"<>|]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 80);
  return `${[plain || 'Event', day].filter(Boolean).join(' ')}.ics`;
}

/** The same for an occasion whichever event stands for it. */
function uidOf(event: CalendarEvent, { te_reservation_id: reservation }: ZoomEvent): string {
  const place = event.context_code.replaceAll('_', '-');
  return reservation === null ? `event-${event.id}` : `reservation-${reservation}-${place}`;
}

function printable(text: string): string {
  return shown(text.replace(/\p{Cc}/gu, ' '));
}

/** Names of people stand in quotes, which cannot be escaped there. */
function quotable(text: string): string {
  return printable(text.replaceAll('"', ' '));
}

function timeZoneBlock(zone: string): string | null {
  if (!isZone(zone) || !tzlib_get_timezones().includes(zone)) return null;
  const [block] = tzlib_get_ical_block(zone);
  return block ?? null;
}

/**
 * A moment that tells the clock of a zone. The library asks a plain `Date` for the clock of this machine, and one that can
 * change its zone for that of the zone.
 */
class ZonedDate extends Date {
  readonly #wall: Date;

  constructor(moment: Date, zone: string) {
    super(moment.getTime());
    const parts = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }).formatToParts(moment);
    const value = (type: string) => Number(parts.find((part) => part.type === type)?.value);
    this.#wall = new Date(
      Date.UTC(
        value('year'),
        value('month') - 1,
        value('day'),
        value('hour'),
        value('minute'),
        value('second'),
      ),
    );
  }

  get internal(): Date {
    return this;
  }
  withTimeZone(): this {
    return this;
  }
  tzComponents(): [string, string, string] {
    return ['+', '00', '00'];
  }
  override getFullYear(): number {
    return this.#wall.getUTCFullYear();
  }
  override getMonth(): number {
    return this.#wall.getUTCMonth();
  }
  override getDate(): number {
    return this.#wall.getUTCDate();
  }
  override getHours(): number {
    return this.#wall.getUTCHours();
  }
  override getMinutes(): number {
    return this.#wall.getUTCMinutes();
  }
  override getSeconds(): number {
    return this.#wall.getUTCSeconds();
  }
}
