import { useMemo, useState } from 'react';
import { type Line, linesOf } from './row-tree.ts';
import { sortRows } from './table-rows.ts';
import type { DataTableProps, Key } from './types.ts';
import type { ShownRows } from './useTableRows.ts';

/** Rows opened and closed by hand. */
interface ByHand<K> {
  opened: ReadonlySet<K>;
  closed: ReadonlySet<K>;
}

export interface Lines<Row, K extends Key> {
  /** The lines of a table with nested rows; otherwise null, and every row is a line. */
  lines: readonly Line<Row>[] | null;
  toggle: (key: K, open: boolean) => void;
  /** To be called for a new search, so that its matches are shown. */
  reset: () => void;
}

/** Lists the lines of a page of rows, with the nested lines of opened rows. */
export function useLines<Row extends object, K extends Key>(
  page: readonly Row[],
  shown: ShownRows<Row>,
  { columns, rowKey, childRows, childCount, defaultOpen }: DataTableProps<Row, K>,
): Lines<Row, K> {
  const [byHand, setByHand] = useState<ByHand<K>>({
    opened: defaultOpen ?? new Set(),
    closed: new Set(),
  });
  const { inTree, sort } = shown;
  const lines = useMemo(
    () =>
      childRows
        ? linesOf(page, {
            rowKey,
            childRows,
            order: (some) => sortRows(some, sort, columns),
            found: inTree,
            childCount,
            ...byHand,
          })
        : null,
    [page, rowKey, childRows, childCount, sort, columns, inTree, byHand],
  );
  return {
    lines,
    toggle(key, open) {
      const [opened, closed] = [new Set(byHand.opened), new Set(byHand.closed)];
      (open ? opened : closed).add(key);
      (open ? closed : opened).delete(key);
      setByHand({ opened, closed });
    },
    reset: () => setByHand(({ opened }) => ({ opened, closed: new Set() })),
  };
}
