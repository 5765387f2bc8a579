import { useMemo } from 'react';
import { everyRow } from './row-tree.ts';
import { type Coverage, coverage, withKeys } from './table-rows.ts';
import type { DataTableProps, Key } from './types.ts';

export interface Covered {
  /** How many of the shown rows can be selected. */
  count: number;
  /** How much of the shown rows is selected, and how many selected rows are hidden. */
  covers: Coverage;
  hidden: number;
  /** Selects all shown rows, or none; does nothing if only one row can be selected. */
  selectAll: (on: boolean) => void;
}

/** Relates the selection to the rows that match the search. */
export function useCovered<Row extends object, K extends Key>(
  shown: readonly Row[],
  { selection, childRows, rowKey }: DataTableProps<Row, K>,
): Covered {
  const keys = useMemo(() => {
    if (!selection) return [];
    const some = childRows ? [...everyRow(shown, childRows)] : shown;
    const { selectable } = selection;
    return (selectable ? some.filter(selectable) : some).map(rowKey);
  }, [selection, shown, childRows, rowKey]);
  return {
    ...coverage(keys, selection?.selected ?? new Set<K>()),
    count: keys.length,
    selectAll(on) {
      if (!selection?.single) selection?.onChange(withKeys(selection.selected, keys, on));
    },
  };
}
