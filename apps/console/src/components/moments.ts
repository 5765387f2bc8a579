/** Formats dates and times in the reader's time zone. */

/** Returns the zone of the profile if this browser knows it, otherwise the browser's own zone. */
export function knownZone(zone: string | null): string {
  try {
    return new Intl.DateTimeFormat('en-GB', zone === null ? {} : { timeZone: zone }).resolvedOptions()
      .timeZone;
  } catch {
    return new Intl.DateTimeFormat('en-GB').resolvedOptions().timeZone;
  }
}

/** Returns the label with the zone of the times below it. */
export const timesIn = (zone: string) => `Times in ${zone.replaceAll('_', ' ')}`;

/** Formats ISO dates in a time zone, such as '21 Nov 2026, 10:05'; in the browser's zone if it is not valid. */
export function momentFormat(timeZone: string | null): (iso: string | null) => string {
  return formatOf({ dateStyle: 'medium', timeStyle: 'short' }, timeZone);
}

/** Creates a formatter: `14:02` for a moment of the same day as `now`, else with its date: `21 Nov 2026, 14:02`. */
export function clockFormat(timeZone: string | null, now: number): (iso: string | null) => string {
  const day = formatOf({ dateStyle: 'medium' }, timeZone);
  const clock = formatOf({ timeStyle: 'short' }, timeZone);
  const moment = momentFormat(timeZone);
  const today = day(new Date(now).toISOString());
  return (iso) => (day(iso) === today ? clock(iso) : moment(iso));
}

/**
 * Formats a moment as `02:10`, with the date if it is not today.
 * @param ms since 1970
 * @param zone of the reader
 */
export function timeOf(ms: number, zone: string | null): string {
  return clockFormat(zone, Date.now())(new Date(ms).toISOString());
}

/** Describes the age of the directory's copy: `As of 02:10.` @param zone of the reader */
export const asOfWords = (asOf: number, zone: string | null): string => `As of ${timeOf(asOf, zone)}.`;

function formatOf(options: Intl.DateTimeFormatOptions, timeZone: string | null) {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-GB', timeZone === null ? options : { ...options, timeZone });
  } catch {
    // If this browser does not know the zone, its own zone is used.
    format = new Intl.DateTimeFormat('en-GB', options);
  }
  return (iso: string | null): string => {
    const time = iso === null ? Number.NaN : Date.parse(iso);
    return Number.isNaN(time) ? '–' : format.format(time);
  };
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Number of days after which a date is shown instead of 'days ago'. */
const DAYS_AGO = 7;
const ago = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' });

/** Formats a moment as `5 minutes ago`, `yesterday`; after a week the date alone, such as '21 Nov 2026'. */
export function timeAgo(iso: string, now: number, timeZone: string | null): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(iso)) / 1000));
  if (Number.isNaN(seconds)) return '–';
  if (seconds < MINUTE) return 'just now';
  if (seconds < HOUR) return ago.format(-Math.floor(seconds / MINUTE), 'minute');
  if (seconds < DAY) return ago.format(-Math.floor(seconds / HOUR), 'hour');
  if (seconds < DAYS_AGO * DAY) return ago.format(-Math.floor(seconds / DAY), 'day');
  return formatOf({ dateStyle: 'medium' }, timeZone)(iso);
}

/** Formats a duration: `38 s`, `4 min`, `2 h 10 min`. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < MINUTE) return `${seconds} s`;
  if (seconds < HOUR) return `${Math.round(seconds / MINUTE)} min`;
  const minutes = Math.round((seconds % HOUR) / MINUTE);
  const hours = Math.floor(seconds / HOUR);
  return minutes === 0 ? `${hours} h` : minutes === 60 ? `${hours + 1} h` : `${hours} h ${minutes} min`;
}
