/** Moments of the LMS as the person reading sees them. */

/** Formats ISO dates in a time zone, such as '21 Nov 2026, 10:05'; the browser's zone when the profile's is unusable. */
export function momentFormat(timeZone: string | null): (iso: string | null) => string {
  const options: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' };
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-GB', timeZone === null ? options : { ...options, timeZone });
  } catch {
    // A zone that this browser does not know.
    format = new Intl.DateTimeFormat('en-GB', options);
  }
  return (iso) => {
    const time = iso === null ? Number.NaN : Date.parse(iso);
    return Number.isNaN(time) ? '–' : format.format(time);
  };
}
