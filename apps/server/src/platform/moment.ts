/** Times in files: sortable as text, in the reader's time zone. */

/**
 * Formats a moment as `2026-11-22 14:03`; text that is not a time stays unchanged.
 * @param timeZone IANA name; null for UTC
 */
export function momentIn(timeZone: string | null): (iso: string) => string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timeZone ?? 'UTC',
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return (iso) => {
    const time = Date.parse(iso);
    return Number.isNaN(time) ? iso : format.format(time);
  };
}
