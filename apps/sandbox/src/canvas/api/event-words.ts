/** Describes in words how often the events of a series repeat (reference §12: `series_natural_language`). */

const DAYS: Readonly<Record<string, string>> = {
  SU: 'Sun',
  MO: 'Mon',
  TU: 'Tue',
  WE: 'Wed',
  TH: 'Thu',
  FR: 'Fri',
  SA: 'Sat',
};
/** Words for once in each period, and for every n-th period. */
const PERIODS: Readonly<Record<string, readonly [each: string, several: string]>> = {
  DAILY: ['Daily', 'days'],
  WEEKLY: ['Weekly', 'weeks'],
  MONTHLY: ['Monthly', 'months'],
  YEARLY: ['Annually', 'years'],
};

/** Describes the rule in words, or returns null if Canvas has no words for the rule. */
export function inWords(rrule: string): string | null {
  const rule = new Map(
    rrule
      .replace(/^RRULE:/, '')
      .split(';')
      .map((part) => [part.split('=')[0] ?? '', part.split('=')[1] ?? ''] as const),
  );
  const period = PERIODS[rule.get('FREQ') ?? ''];
  const interval = Number.parseInt(rule.get('INTERVAL') ?? '', 10);
  const end = endOf(rule.get('COUNT'), rule.get('UNTIL'));
  const days = daysOf(rule, interval);
  if (!period || !(interval > 0) || end === null || days === null) return null;
  return `${interval === 1 ? period[0] : `Every ${interval} ${period[1]}`}${days}${end}`;
}

function endOf(count: string | undefined, until: string | undefined): string | null {
  if (count !== undefined) return Number.parseInt(count, 10) > 0 ? `, ${count} times` : null;
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)/.exec(until ?? '') ?? [];
  const date = dateOf(Number(year), Number(month), Number(day));
  return date && ` until ${written(date, 'short')} ${date.getUTCDate()}, ${year}`;
}

/**
 * Returns words for the days in the period: empty if the rule names none, null if Canvas has no words for
 * them.
 */
function daysOf(rule: ReadonlyMap<string, string>, interval: number): string | null {
  const frequency = rule.get('FREQ');
  const weekdays = rule.get('BYDAY')?.split(',');
  const monthDays = rule.get('BYMONTHDAY')?.split(',');
  const named = weekdays?.map((day) => DAYS[day.replace(/^[-+]?\d+/, '')] ?? '').join(', ');
  const nth = Number.parseInt(weekdays?.[0] ?? '', 10) || 0;
  if (frequency === 'WEEKLY') return named === undefined ? '' : ` on ${named}`;
  if (frequency === 'MONTHLY') {
    if (named !== undefined && nth !== 0) return ` on the ${ordinal(nth)} ${named}`;
    if (named !== undefined) return interval === 1 ? ` every ${named}` : ` on ${named}`;
    if (monthDays) return ` on ${monthDays.length === 1 ? 'day' : 'days'} ${monthDays.join(',')}`;
  }
  if (frequency === 'YEARLY') {
    // A leap year, so that 29 February is a day.
    const date = dateOf(2024, Number(rule.get('BYMONTH')), named === undefined ? Number(monthDays) : 1);
    if (!date) return null;
    if (named === undefined) return ` on ${written(date, 'short')} ${date.getUTCDate()}`;
    return ` on the ${nth === 0 || nth === 1 ? 'first' : ordinal(nth)} ${named} of ${written(date, 'long')}`;
  }
  return '';
}

function dateOf(year: number, month: number, day: number): Date | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date : null;
}

function written(date: Date, month: 'short' | 'long'): string {
  return date.toLocaleDateString('en-US', { month, timeZone: 'UTC' });
}

function ordinal(n: number): string {
  const last = Math.abs(n) % 10;
  const teens = Math.floor(Math.abs(n) / 10) % 10 === 1;
  return `${n}${teens ? 'th' : (['th', 'st', 'nd', 'rd'][last] ?? 'th')}`;
}
