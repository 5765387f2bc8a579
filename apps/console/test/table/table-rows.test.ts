import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  choicesOf,
  coverage,
  leastWidth,
  matchesAll,
  matchesChoice,
  matchesWords,
  nextSort,
  notFound,
  pageOf,
  plain,
  queryOfList,
  SearchTexts,
  searchRows,
  sortRows,
  toggled,
  withKeys,
} from '../../src/components/DataTable/table-rows.ts';
import type { Column } from '../../src/components/DataTable/types.ts';

interface Row {
  id: number;
  name: string | null;
  count: number | null;
}

const columns: Column<Row>[] = [
  { id: 'id', header: 'Id', value: (row) => row.id },
  { id: 'name', header: 'Name', value: (row) => row.name },
  { id: 'count', header: 'Count', value: (row) => row.count, searchable: false },
];
const row = (id: number, name: string | null, count: number | null = null): Row => ({ id, name, count });
const ids = (rows: readonly Row[]) => rows.map(({ id }) => id);

function search(rows: readonly Row[], query: string): number[] {
  const texts = new SearchTexts(columns);
  const matches = matchesWords(query, texts);
  const left = ids(searchRows(rows, query, texts));
  // Both ways give the same result.
  expect(left).toEqual(ids(matches ? rows.filter(matches) : rows));
  return left;
}

describe('search', () => {
  const rows = [row(1, 'Zoë Müller'), row(2, 'Zoe Smith', 77), row(3, null), row(10, 'B2 Finance')];

  it('PICK-05 finds every word in any cell, ignoring case and accents', () => {
    expect(search(rows, 'zoe')).toEqual([1, 2]);
    expect(search(rows, 'ZOË  mul')).toEqual([1]);
    expect(search(rows, '10 fin')).toEqual([10]);
    expect(search(rows, 'smith 1')).toEqual([]);
  });

  it('ignores columns that are not searchable, and never matches across two cells', () => {
    expect(search(rows, '77')).toEqual([]);
    expect(search([row(1, '2')], '12')).toEqual([]);
  });

  it('finds rows with any line of a pasted list, and names the lines that match no row', () => {
    const query = queryOfList('smith\r\n10\tfinance\r\n\r\nNobody\r\nsmith\r\n') ?? '';
    expect(query).toBe('smith | 10 finance | Nobody');
    expect(search(rows, query)).toEqual([2, 10]);
    expect(notFound(rows, query, new SearchTexts(columns))).toEqual(['Nobody']);
    expect(search(rows, '10 | ')).toEqual([10]);
    expect(search(rows, ' | ')).toEqual([1, 2, 3, 10]);
    expect(notFound(rows, 'nobody', new SearchTexts(columns))).toEqual([]);
    expect([queryOfList('smith '), queryOfList('a\tb')]).toEqual([null, 'a | b']);
  });

  it('returns all rows if the query is empty', () => {
    expect(matchesWords('  ', new SearchTexts(columns))).toBeNull();
  });

  it('finds every row by its own text', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.nat(), (names, place) => {
        const some = names.map((name, index) => row(index, name));
        const one = some[place % Math.max(1, some.length)];
        if (one) expect(search(some, one.name ?? '')).toContain(one.id);
      }),
    );
  });

  it('PICK-05 searching the same list again uses the current query and the current columns', () => {
    const texts = new SearchTexts(columns);
    expect(ids(searchRows(rows, 'zoe', texts))).toEqual([1, 2]);
    expect(ids(searchRows(rows, 'zoe smi', texts))).toEqual([2]);
    expect(searchRows(rows, ' ', texts)).toBe(rows);
    const counts = new SearchTexts(columns.slice(2).map((column) => ({ ...column, searchable: true })));
    expect(ids(searchRows(rows, '77', counts))).toEqual([2]);
    expect(ids(searchRows(rows, '77', texts))).toEqual([]);
  });

  it('compares text without regard to accents', () => {
    expect(plain('Éléonore ÅNGSTRÖM')).toBe('eleonore angstrom');
  });
});

describe('column filters', () => {
  const rows = [row(1, 'Zoë Müller', 3), row(2, 'Zoe Smith', 77), row(3, null), row(10, 'B2 Finance', 3)];
  const [, name, count] = columns as [Column<Row>, Column<Row>, Column<Row>];

  it('BTA-21 match one value of a column, or words in it; several filters are combined', () => {
    expect(ids(rows.filter(matchesChoice(count, '3')))).toEqual([1, 10]);
    const both = matchesAll([matchesChoice(count, '3'), null, matchesWords('zoe', new SearchTexts([name]))]);
    expect(both && ids(rows.filter(both))).toEqual([1]);
    expect(matchesAll([null, null])).toBeNull();
  });

  it('BTA-21 offer the existing values, in order, each once', () => {
    expect(choicesOf([...rows, row(11, 'B10 Finance', 20)], count)).toEqual(['3', '20', '77']);
    expect(choicesOf(rows, name)).toEqual(['B2 Finance', 'Zoë Müller', 'Zoe Smith']);
  });
});

describe('sorting', () => {
  const rows = [row(1, 'B10', 5), row(2, 'b2', null), row(3, null, 7), row(4, 'B2', 5), row(5, 'a', 1)];
  const sorted = (column: string, descending = false) => ids(sortRows(rows, { column, descending }, columns));

  it('orders texts naturally, keeps equal ones in their original order, and puts empty ones last', () => {
    expect(sorted('name')).toEqual([5, 2, 4, 1, 3]);
    expect(sorted('name', true)).toEqual([1, 2, 4, 5, 3]);
  });

  it('orders numbers by size, with empty ones last in both directions', () => {
    expect(sorted('count')).toEqual([5, 1, 4, 3, 2]);
    expect(sorted('count', true)).toEqual([3, 1, 4, 5, 2]);
  });

  it('returns the same array when nothing is sorted', () => {
    expect(sortRows(rows, null, columns)).toBe(rows);
    expect(sortRows(rows, { column: 'gone', descending: false }, columns)).toBe(rows);
  });

  it('keeps every row', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.string())), fc.boolean(), (names, descending) => {
        const some = names.map((name, index) => row(index, name));
        const result = sortRows(some, { column: 'name', descending }, columns);
        expect([...ids(result)].sort((a, b) => a - b)).toEqual(ids(some));
      }),
    );
  });

  it('clicking a column head sorts ascending, then descending, then in the original order', () => {
    const up = nextSort(null, 'name');
    const down = nextSort(up, 'name');
    expect([up?.descending, down?.descending, nextSort(down, 'name')]).toEqual([false, true, null]);
    expect(nextSort(down, 'count')).toEqual({ column: 'count', descending: false });
  });
});

describe('table pages', () => {
  it('PICK-05 have the given size; the last one has the rest', () => {
    expect(pageOf(60, 2, 25)).toEqual({ page: 2, pages: 3, start: 50, end: 60 });
    expect(pageOf(60, 9, 25)).toMatchObject({ page: 2 });
    expect(pageOf(0, 3, 25)).toEqual({ page: 0, pages: 1, start: 0, end: 0 });
    expect(pageOf(60, 3, null)).toEqual({ page: 0, pages: 1, start: 0, end: 60 });
  });
});

describe('selection', () => {
  it('changes one row or a range of rows', () => {
    expect([...toggled(new Set([1, 2]), 2)]).toEqual([1]);
    expect([...toggled(new Set([1]), 2)]).toEqual([1, 2]);
    expect([...withKeys(new Set([1]), [2, 3], true)]).toEqual([1, 2, 3]);
    expect([...withKeys(new Set([1, 2, 3]), [2, 3], false)]).toEqual([1]);
  });

  it('knows how many of the shown rows are selected, and how many selected rows are hidden', () => {
    expect(coverage([1, 2], new Set<number>())).toEqual({ covers: 'none', hidden: 0 });
    expect(coverage([1, 2], new Set([2, 9]))).toEqual({ covers: 'some', hidden: 1 });
    expect(coverage([1, 2], new Set([1, 2, 9]))).toEqual({ covers: 'all', hidden: 1 });
    expect(coverage([], new Set([1]))).toEqual({ covers: 'none', hidden: 1 });
  });
});

it('no column is narrower than its minimum, even if the table has to scroll', () => {
  const width = fc.option(
    fc.oneof(
      fc.integer({ min: 40, max: 400 }).map((px) => `${px}px`),
      fc.integer({ min: 1, max: 30 }).map((share) => `${share}%`),
    ),
    { nil: undefined },
  );
  const column = fc.record({ width, minWidth: fc.integer({ min: 40, max: 400 }) });
  fc.assert(
    fc.property(
      fc.array(column, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 0, max: 60 }),
      (some, rest) => {
        const columns = [...some, { width: undefined, minWidth: 100 }];
        const all = leastWidth(columns, rest);
        const fixed = columns.flatMap((one) => {
          if (one.width === undefined) return [];
          const size = Number.parseFloat(one.width);
          return [one.width.endsWith('%') ? (all * size) / 100 : Math.max(size, one.minWidth)];
        });
        const even = columns.filter((one) => one.width === undefined);
        const left = all - rest - fixed.reduce((sum, one) => sum + one, 0);
        for (const { minWidth } of even) expect(left / even.length).toBeGreaterThanOrEqual(minWidth - 0.01);
      },
    ),
  );
});
