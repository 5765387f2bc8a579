/** Texts on every table. */
import { counted, grouped } from '@lms-admin/domain/numbers';

export const texts = {
  search: (label: string) => `Search ${label.toLowerCase()}`,
  clearSearch: 'Clear search',
  nothingFound: (query: string) => `Nothing matches “${query.trim()}”.`,
  nothingFoundNext: 'Try fewer letters, or clear the search.',
  nothingLeft: 'No rows match the filters.',
  nothingLeftNext: 'Change or clear the filters.',
  filter: (header: string) => `Filter ${header}`,
  everything: 'All',
  clearFilters: 'Clear filters',
  found: (found: number, all: number) => `${grouped(found)} of ${grouped(all)} match`,
  notFound: (entries: readonly string[]) => `Not found: ${someOf(entries)}`,
  selectAll: 'Select all',
  selectAllLater: 'Select all (available when all rows are loaded)',
  selectAllFound: (count: number) => `Select all ${grouped(count)} found`,
  select: (row: string) => `Select ${row}`,
  selected: (count: number) => `${grouped(count)} selected`,
  hidden: (count: number) => `${grouped(count)} of them hidden by this search`,
  clearSelection: 'Clear selection',
  range: (start: number, end: number, count: number) =>
    count === 0 ? '0 of 0' : `${grouped(start + 1)}–${grouped(end)} of ${grouped(count)}`,
  rows: (count: number) => counted(count, 'row', 'rows'),
  rowsPerPage: 'Rows per page',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  slow: 'The LMS is slow to respond. Still loading …',
  loading: (label: string) => `Loading ${label.toLowerCase()}`,
  progress: (done: number, total: number | null, label: string) =>
    total === null ? `${grouped(done)} ${label}` : `${grouped(done)} of ${grouped(total)} ${label}`,
  none: '–',
  branch: (count: number, row: string) => `${counted(count, 'row', 'rows')} below ${row}`,
  below: (row: string) => `, below ${row}`,
  helpTree: 'Press the right arrow key to expand a row, and the left arrow key to collapse it.',
  helpSingle: 'Use the arrow keys to move between rows. Press Space to select.',
  help: 'Use the arrow keys to move between rows. Press Space to select a row, Shift+Space to select a range, and Ctrl+A to select all rows.',
} as const;

/** Lists the first entries of a list, and how many more there are. */
function someOf(entries: readonly string[]): string {
  const first = entries.slice(0, 5);
  const more = entries.length - first.length;
  return more === 0 ? first.join(', ') : `${first.join(', ')} and ${grouped(more)} more`;
}
