/** The filters of Activity: kept in the address, so that Back and a reload restore them. Pure. */
import { JOB_STATES, type JobQuery } from '@lms-admin/contract/jobs';
import { momentOfClock } from '@lms-admin/domain/wall-clock';

/** In the order of the field's options. */
export const STATE_FILTERS = ['open', 'done', 'partly', 'failed', 'cancelled', 'waiting'] as const;

export interface Filters {
  tool: string;
  state: string;
  text: string;
  /** Days as `2026-11-21`; empty for none. */
  from: string;
  to: string;
  /** Everyone's entries, for administrators who can see them. */
  all: boolean;
}

export const NO_FILTERS: Filters = { tool: '', state: '', text: '', from: '', to: '', all: false };

const STATES: readonly string[] = [...JOB_STATES, 'partly', 'open'];
const LONGEST_TEXT = 100;

/**
 * Reads the filters of an address; invalid values are ignored.
 * @param mayAll whether the administrator can see everyone's work
 */
export function filtersOf(search: URLSearchParams, mayAll: boolean): Filters {
  const get = (name: keyof Filters) => (search.get(name) ?? '').trim();
  const day = (name: 'from' | 'to') => (startOf(get(name), 'UTC') === null ? '' : get(name));
  return {
    tool: /^[a-z-]{1,40}$/.test(get('tool')) ? get('tool') : '',
    state: STATES.includes(get('state')) ? get('state') : '',
    text: get('text').slice(0, LONGEST_TEXT),
    from: day('from'),
    to: day('to'),
    all: mayAll && get('all') === '1',
  };
}

/** Returns the address of the filters: only those that narrow the list. */
export function searchOf(filters: Filters): URLSearchParams {
  const { all, ...texts } = filters;
  const pairs = Object.entries(texts).filter(([, value]) => value !== '');
  return new URLSearchParams([...pairs, ...(all ? [['all', '1']] : [])]);
}

/** Tells whether any filter is set; the choice of owner does not count. */
export function isNarrowed(filters: Filters): boolean {
  return searchOf({ ...filters, all: false }).size > 0;
}

/** Tells whether the last day is before the first, so that nothing can match. */
export function isBackwards({ from, to }: Filters): boolean {
  return from !== '' && to !== '' && to < from;
}

/** Builds the query for the server: days become their first and last moments. @param zone of the displayed times */
export function queryOf(
  { tool, state, text, from, to, all }: Filters,
  zone: string,
): [keyof JobQuery, string][] {
  const begin = startOf(from, zone);
  const end = to === '' ? null : momentOfClock(to, '24:00', zone);
  const pairs: [keyof JobQuery, string | null][] = [
    ['all', all ? '1' : null],
    ['tool', tool || null],
    ['state', state || null],
    ['text', text || null],
    ['from', begin?.toISOString() ?? null],
    ['to', end === null ? null : new Date(end.ms - 1).toISOString()],
  ];
  return pairs.filter((pair): pair is [keyof JobQuery, string] => pair[1] !== null);
}

function startOf(day: string, zone: string): Date | null {
  const start = momentOfClock(day, '00:00', zone);
  return start === null ? null : new Date(start.ms);
}
