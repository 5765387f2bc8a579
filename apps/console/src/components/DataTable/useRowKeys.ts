import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { toggled, withKeys } from './table-rows.ts';
import type { Key, Selection } from './types.ts';

interface RowKeysOptions<Row, K extends Key> {
  /** All rows that the search leaves. */
  rows: readonly Row[];
  rowKey: (row: Row) => K;
  selection: Selection<K> | undefined;
  /** Rows on this page: keys move within them. */
  start: number;
  end: number;
  region: RefObject<HTMLDivElement | null>;
  /** Brings a row into the scrolling region, where it may not be drawn yet. */
  scrollTo: (index: number) => void;
}

export interface RowKeys {
  /** Index of the row whose checkbox Tab reaches. */
  active: number;
  onClick: (event: MouseEvent<HTMLElement>) => void;
  onMouseDown: (event: MouseEvent<HTMLElement>) => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

const PAGE_STEP = 10;

function indexOf(target: EventTarget): number | null {
  const row = target instanceof Element ? target.closest<HTMLElement>('tr[data-index]') : null;
  return row ? Number(row.dataset.index) : null;
}

/** Links, buttons and fields in a row answer their own clicks; its checkbox is the row's. */
function hasOwnClick(target: EventTarget): boolean {
  return (
    target instanceof Element && target.closest('a, button, select, input:not([type=checkbox])') !== null
  );
}

/** Where a key leads from a row, or null for any other key. */
function destination(key: string, from: number, start: number, end: number): number | null {
  const inside = (index: number) => Math.min(Math.max(index, start), end - 1);
  switch (key) {
    case 'ArrowDown':
      return inside(from + 1);
    case 'ArrowUp':
      return inside(from - 1);
    case 'PageDown':
      return inside(from + PAGE_STEP);
    case 'PageUp':
      return inside(from - PAGE_STEP);
    case 'Home':
      return start;
    case 'End':
      return end - 1;
    default:
      return null;
  }
}

/**
 * Selecting by click, Shift-click and keys. One checkbox of the page is in the Tab order; arrows move from row to row,
 * Space turns a row on or off, Shift takes everything between it and the row that was turned last.
 */
export function useRowKeys<Row, K extends Key>(options: RowKeysOptions<Row, K>): RowKeys {
  const { rows, rowKey, selection, start, end, region, scrollTo } = options;
  const [wanted, setWanted] = useState(0);
  const active = Math.min(Math.max(wanted, start), Math.max(start, end - 1));
  /** The row that a run with Shift begins at; a key, since sorting moves rows. */
  const anchor = useRef<K | null>(null);
  const takeFocus = useRef(false);

  // The row may be drawn one or two frames after it was scrolled to.
  useLayoutEffect(() => {
    if (!takeFocus.current) return;
    const box = region.current?.querySelector<HTMLElement>(`tr[data-index="${active}"] input[type=checkbox]`);
    if (!box) return;
    takeFocus.current = false;
    box.focus({ preventScroll: true });
  });

  function keyAt(index: number): K | null {
    const row = rows[index];
    return row === undefined ? null : rowKey(row);
  }

  function runTo(index: number): K[] {
    const from = anchor.current === null ? -1 : rows.findIndex((row) => rowKey(row) === anchor.current);
    const [low, high] = from === -1 ? [index, index] : [Math.min(from, index), Math.max(from, index)];
    return rows.slice(low, high + 1).map(rowKey);
  }

  function turn(index: number, run: boolean) {
    const key = keyAt(index);
    if (!selection || key === null) return;
    if (run && anchor.current !== null) {
      // A run does what the row at its beginning has become.
      const on = selection.selected.has(anchor.current);
      selection.onChange(withKeys(selection.selected, runTo(index), on));
    } else {
      selection.onChange(toggled(selection.selected, key));
      anchor.current = key;
    }
    setWanted(index);
  }

  function move(index: number) {
    takeFocus.current = true;
    setWanted(index);
    scrollTo(index);
  }

  return {
    active,

    onMouseDown(event) {
      // Shift-click would mark the text between two clicks.
      if (selection && event.shiftKey && indexOf(event.target) !== null) event.preventDefault();
    },

    onClick(event) {
      const index = indexOf(event.target);
      if (!selection || index === null || hasOwnClick(event.target)) return;
      // Someone who marks a text to copy it selects no row.
      if (!event.shiftKey && event.detail > 0 && !window.getSelection()?.isCollapsed) return;
      turn(index, event.shiftKey);
    },

    onKeyDown(event) {
      const index = indexOf(event.target);
      if (!selection || index === null) return;
      if (!(event.target instanceof HTMLInputElement)) return;
      if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        selection.onChange(withKeys(selection.selected, rows.map(rowKey), true));
        return;
      }
      if (event.key === ' ' && event.shiftKey) {
        event.preventDefault();
        turn(index, true);
        return;
      }
      const next = destination(event.key, index, start, end);
      if (next === null) return;
      event.preventDefault();
      if (event.shiftKey && next !== index) {
        anchor.current ??= keyAt(index);
        const run = new Set(runTo(index));
        const key = keyAt(next);
        const growing = key !== null && !run.has(key);
        // Walking back along a run lets go of what it leaves.
        const keys = growing ? runTo(next) : [keyAt(index)].filter((one) => one !== null);
        selection.onChange(withKeys(selection.selected, keys, growing));
      }
      move(next);
    },
  };
}
