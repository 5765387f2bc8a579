/** Texts of ours on every table. */
const number = new Intl.NumberFormat('en-GB');

export const format = (value: number): string => number.format(value);

export const texts = {
  search: (label: string) => `Search ${label.toLowerCase()}`,
  clearSearch: 'Clear search',
  nothingFound: (query: string) => `Nothing matches “${query.trim()}”.`,
  nothingFoundNext: 'Try fewer letters, or clear the search.',
  nothingLeft: 'No row is left by the filters.',
  nothingLeftNext: 'Choose others, or clear the filters.',
  filter: (header: string) => `Filter ${header}`,
  everything: 'All',
  clearFilters: 'Clear filters',
  found: (found: number, all: number) => `${format(found)} of ${format(all)} match`,
  notFound: (entries: readonly string[]) => `Not found: ${someOf(entries)}`,
  selectAll: 'Select all',
  selectAllLater: 'Select all, once every row has come',
  selectAllFound: (count: number) => `Select all ${format(count)} found`,
  select: (row: string) => `Select ${row}`,
  selected: (count: number) => `${format(count)} selected`,
  hidden: (count: number) => `${format(count)} of them not shown by this search`,
  clearSelection: 'Clear selection',
  range: (start: number, end: number, count: number) =>
    count === 0 ? '0 of 0' : `${format(start + 1)}–${format(end)} of ${format(count)}`,
  rows: (count: number) => `${format(count)} ${count === 1 ? 'row' : 'rows'}`,
  rowsPerPage: 'Rows per page',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  slow: 'The LMS takes long to answer. It is still being asked.',
  loading: (label: string) => `Loading ${label.toLowerCase()}`,
  progress: (done: number, total: number | null, label: string) =>
    total === null ? `${format(done)} ${label}` : `${format(done)} of ${format(total)} ${label}`,
  none: '–',
  branch: (count: number, row: string) => `${format(count)} ${count === 1 ? 'row' : 'rows'} below ${row}`,
  below: (row: string) => `, below ${row}`,
  helpTree: 'Right arrow opens a row that has others below it, left arrow closes it.',
  helpSingle: 'Arrow keys move between rows, Space selects.',
  help: 'Arrow keys move between rows, Space selects, Shift selects up to there, Control and A selects all.',
} as const;

/** The first entries of a list, and how many more there are. */
function someOf(entries: readonly string[]): string {
  const first = entries.slice(0, 5);
  const more = entries.length - first.length;
  return more === 0 ? first.join(', ') : `${first.join(', ')} and ${format(more)} more`;
}
