/** What the list of activity is narrowed to: kept in the address, so that Back and a reload find it again. Pure. */
import { JOB_STATES, type JobQuery } from '@lms-admin/contract/jobs';
import { isZone, momentOfClock } from '@lms-admin/domain/wall-clock';

/** In the order of the choice. */
export const STATE_FILTERS = ['open', 'done', 'partly', 'failed', 'cancelled', 'waiting'] as const;

export interface Filters {
  tool: string;
  state: string;
  text: string;
  /** Days as `2026-11-21`; empty for none. */
  from: string;
  to: string;
  /** Everybody's, for who may see them. */
  all: boolean;
}

export const NO_FILTERS: Filters = { tool: '', state: '', text: '', from: '', to: '', all: false };

const STATES: readonly string[] = [...JOB_STATES, 'partly', 'open'];
const LONGEST_TEXT = 100;

/** The filters of an address; what makes no sense in it is passed over. @param mayAll whether the person may see everybody's */
export function filtersOf(search: URLSearchParams, mayAll: boolean): Filters {
  const get = (name: keyof Filters) => (search.get(name) ?? '').trim();
  const day = (name: 'from' | 'to') => (isDay(get(name)) ? get(name) : '');
  return {
    tool: /^[a-z-]{1,40}$/.test(get('tool')) ? get('tool') : '',
    state: STATES.includes(get('state')) ? get('state') : '',
    text: get('text').slice(0, LONGEST_TEXT),
    from: day('from'),
    to: day('to'),
    all: mayAll && get('all') === '1',
  };
}

/** The address of the filters: only those that narrow. */
export function searchOf(filters: Filters): URLSearchParams {
  const { all, ...texts } = filters;
  const pairs = Object.entries(texts).filter(([, value]) => value !== '');
  return new URLSearchParams([...pairs, ...(all ? [['all', '1']] : [])]);
}

/** Whether the list is narrowed; whose it is does not count. */
export function isNarrowed(filters: Filters): boolean {
  return searchOf({ ...filters, all: false }).size > 0;
}

/** Whether the last day is before the first: nothing can match. */
export function isBackwards({ from, to }: Filters): boolean {
  return from !== '' && to !== '' && to < from;
}

/**
 * What the server is asked: days become the moments at which they begin and end on the person's clock.
 * @param timeZone the one in which the list shows its moments; the browser's where it is unusable
 */
export function queryOf(
  { tool, state, text, from, to, all }: Filters,
  timeZone: string | null,
): [keyof JobQuery, string][] {
  const zone =
    timeZone !== null && isZone(timeZone) ? timeZone : Intl.DateTimeFormat().resolvedOptions().timeZone;
  const begin = momentOfClock(from, '00:00', zone)?.ms;
  const end = momentOfClock(to, '24:00', zone)?.ms;
  const pairs: [keyof JobQuery, string | null][] = [
    ['all', all ? '1' : null],
    ['tool', tool || null],
    ['state', state || null],
    ['text', text || null],
    ['from', begin === undefined ? null : new Date(begin).toISOString()],
    ['to', end === undefined ? null : new Date(end - 1).toISOString()],
  ];
  return pairs.filter((pair): pair is [keyof JobQuery, string] => pair[1] !== null);
}

const isDay = (text: string): boolean => momentOfClock(text, '00:00', 'UTC') !== null;
