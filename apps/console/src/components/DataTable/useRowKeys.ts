import { type KeyboardEvent, type MouseEvent, useLayoutEffect, useRef, useState } from 'react';
import type { Line } from './row-tree.ts';
import { toggled, withKeys } from './table-rows.ts';
import type { Key, Selection } from './types.ts';

interface RowKeysOptions<Row, K extends Key> {
  /** All rows that match the search, or the lines of the page in a table with nested rows. */
  rows: readonly Row[];
  lines: readonly Line<Row>[] | null;
  rowKey: (row: Row) => K;
  selection: Selection<K, Row> | undefined;
  onSelectAll: () => void;
  onToggle: (key: K, open: boolean) => void;
  /** The rows of this page: keys move within them. */
  start: number;
  end: number;
  region: HTMLDivElement | null;
  /** Scrolls to a row, which may not be rendered yet. */
  scrollTo: (index: number) => void;
}

export interface RowKeys {
  /** Index of the row whose checkbox or open button Tab reaches; -1 if none. */
  active: number;
  onClick: (event: MouseEvent<HTMLElement>) => void;
  onMouseDown: (event: MouseEvent<HTMLElement>) => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

const PAGE_STEP = 10;
/** The element of a row that takes the focus: its checkbox, or else the button that opens it. */
const STOP = 'input[type=checkbox], .toggle';

function indexOf(target: EventTarget): number | null {
  const row = target instanceof Element ? target.closest<HTMLElement>('tr[data-index]') : null;
  return row ? Number(row.dataset.index) : null;
}

/**
 * Tells whether the target handles its own clicks: links, buttons and fields do; a row's checkbox belongs to the row.
 */
function hasOwnClick(target: EventTarget): boolean {
  return (
    target instanceof Element && target.closest('a, button, select, input:not([type=checkbox])') !== null
  );
}

/** Finds the row that a key leads to, or null for any other key. */
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
 * Selects and opens rows by click and keys. One row of the page is in the Tab order; up and down move from row to row,
 * Space selects or deselects a row, Shift extends from the row changed last, right opens a row, and left closes it or
 * goes to its parent.
 */
export function useRowKeys<Row, K extends Key>(options: RowKeysOptions<Row, K>): RowKeys {
  const { lines, rowKey, selection, onToggle, start, end } = options;
  const { active, nextStop, setWanted, goTo } = useTabStop(options);
  const { turn, grow } = useTurns(options);

  function openOrClose({ row, count, open, parent }: Line<Row>, opening: boolean) {
    if (count > 0 && open !== opening) onToggle(rowKey(row), opening);
    else if (!opening && parent >= 0) goTo(parent);
  }

  function turnAt(index: number, run: boolean) {
    if (turn(index, run)) setWanted(index);
  }

  /** Handles a key in a row. @returns whether the key has an effect there */
  function press({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent, index: number): boolean {
    const line = lines?.[index];
    if (line && (key === 'ArrowRight' || key === 'ArrowLeft')) {
      openOrClose(line, key === 'ArrowRight');
      return true;
    }
    if (selection && key.toLowerCase() === 'a' && (ctrlKey || metaKey)) {
      options.onSelectAll();
      return true;
    }
    if (selection && key === ' ' && shiftKey) {
      turnAt(index, true);
      return true;
    }
    const next = destination(key, index, start, end);
    if (next === null) return false;
    const step = next < index ? -1 : 1;
    const stop = nextStop(next, step) ?? nextStop(next, step === 1 ? -1 : 1);
    if (stop === null) return true;
    if (shiftKey && stop !== index) grow(index, stop);
    goTo(stop);
    return true;
  }

  return {
    active,

    onMouseDown(event) {
      // Shift-click would select the text between two clicks.
      if (selection && event.shiftKey && indexOf(event.target) !== null) event.preventDefault();
    },

    onClick(event) {
      const index = indexOf(event.target);
      if (index === null) return;
      const line = lines?.[index];
      if (line && event.target instanceof Element && event.target.closest('.toggle')) {
        setWanted(index);
        onToggle(rowKey(line.row), !line.open);
        return;
      }
      if (!selection || hasOwnClick(event.target)) return;
      // Selecting text in order to copy it does not select the row.
      if (!event.shiftKey && event.detail > 0 && !window.getSelection()?.isCollapsed) return;
      turnAt(index, event.shiftKey);
    },

    onKeyDown(event) {
      const index = indexOf(event.target);
      if (index === null || !(event.target instanceof Element) || !event.target.matches(STOP)) return;
      if (press(event, index)) event.preventDefault();
    },
  };
}

function canSelect<Row, K extends Key>(row: Row, selection: Selection<K, Row> | undefined): boolean {
  return selection !== undefined && (selection.selectable?.(row) ?? true);
}

/** Provides the one row of the page that Tab reaches, and a function that moves focus to another. */
function useTabStop<Row, K extends Key>(options: RowKeysOptions<Row, K>) {
  const { rows, lines, selection, start, end, region, scrollTo } = options;
  const [wanted, setWanted] = useState(0);
  const takeFocus = useRef(false);
  const inPage = Math.min(Math.max(wanted, start), Math.max(start, end - 1));
  const active = nextStop(inPage, 1) ?? nextStop(inPage, -1) ?? -1;

  // The row may be rendered one or two frames after scrolling.
  useLayoutEffect(() => {
    if (!takeFocus.current) return;
    const stop = region?.querySelector<HTMLElement>(`tr[data-index="${active}"] :is(${STOP})`);
    if (!stop) return;
    takeFocus.current = false;
    stop.focus({ preventScroll: true });
  });

  /** Finds the first row from here in this direction that can have the focus. */
  function nextStop(from: number, step: 1 | -1): number | null {
    if (selection === undefined && lines === null) return null;
    for (let index = from; index >= start && index < end; index += step) {
      const row = rows[index];
      if (row !== undefined && (canSelect(row, selection) || (lines?.[index]?.count ?? 0) > 0)) return index;
    }
    return null;
  }

  function goTo(index: number) {
    takeFocus.current = true;
    setWanted(index);
    scrollTo(index);
  }

  return { active, nextStop, setWanted, goTo };
}

/** Selects and deselects rows, one by one or as a range with Shift. */
function useTurns<Row, K extends Key>({ rows, rowKey, selection }: RowKeysOptions<Row, K>) {
  /** The row where a range begins; a key, since sorting moves rows. */
  const anchor = useRef<K | null>(null);

  function keyAt(index: number): K | null {
    const row = rows[index];
    return row !== undefined && canSelect(row, selection) ? rowKey(row) : null;
  }

  function runTo(index: number): K[] {
    const from = anchor.current === null ? -1 : rows.findIndex((row) => rowKey(row) === anchor.current);
    const [low, high] = from === -1 ? [index, index] : [Math.min(from, index), Math.max(from, index)];
    return rows
      .slice(low, high + 1)
      .filter((row) => canSelect(row, selection))
      .map(rowKey);
  }

  /** @param run whether to include all rows from the one changed last. @returns whether the row can be selected */
  function turn(index: number, run: boolean): boolean {
    const key = keyAt(index);
    if (!selection || key === null) return false;
    const { selected, single, onChange } = selection;
    if (run && anchor.current !== null && !single) {
      // All rows of a range get the state of its first row.
      onChange(withKeys(selected, runTo(index), selected.has(anchor.current)));
    } else {
      onChange(toggled(single && !selected.has(key) ? new Set<K>() : selected, key));
      anchor.current = key;
    }
    return true;
  }

  /** Extends a range to another row; moving back deselects the rows it leaves. */
  function grow(index: number, next: number) {
    if (!selection || selection.single) return;
    anchor.current ??= keyAt(index);
    const key = keyAt(next);
    const growing = key !== null && !new Set(runTo(index)).has(key);
    const keys = growing ? runTo(next) : [keyAt(index)].filter((one) => one !== null);
    selection.onChange(withKeys(selection.selected, keys, growing));
  }

  return { turn, grow };
}
