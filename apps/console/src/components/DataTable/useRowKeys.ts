import { type KeyboardEvent, type MouseEvent, useLayoutEffect, useRef, useState } from 'react';
import type { Line } from './row-tree.ts';
import { toggled, withKeys } from './table-rows.ts';
import type { Key, Selection } from './types.ts';

interface RowKeysOptions<Row, K extends Key> {
  /** All rows that the search leaves, or the lines of the page where rows have rows of their own. */
  rows: readonly Row[];
  lines: readonly Line<Row>[] | null;
  rowKey: (row: Row) => K;
  selection: Selection<K, Row> | undefined;
  onSelectAll: () => void;
  onToggle: (key: K, open: boolean) => void;
  /** Rows on this page: keys move within them. */
  start: number;
  end: number;
  region: HTMLDivElement | null;
  /** Brings a row into the scrolling region, where it may not be rendered yet. */
  scrollTo: (index: number) => void;
}

export interface RowKeys {
  /** Index of the row whose checkbox, or button that opens it, Tab reaches; -1 when there is none. */
  active: number;
  onClick: (event: MouseEvent<HTMLElement>) => void;
  onMouseDown: (event: MouseEvent<HTMLElement>) => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

const PAGE_STEP = 10;
/** What takes the focus in a row: its checkbox, else the button that opens it. */
const STOP = 'input[type=checkbox], .toggle';

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
 * Selecting and opening by click and keys. One row of the page is in the Tab order; up and down move from row to row,
 * Space turns a row on or off, Shift takes everything between it and the row that was turned last, right opens a row, and
 * left closes it or goes to the row that it belongs to.
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

  /** What a key does in a row. @returns whether it does anything there */
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
      // Shift-click would mark the text between two clicks.
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
      // Someone who marks a text to copy it selects no row.
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

/** The one row of the page that Tab reaches, and the way to take the focus to another. */
function useTabStop<Row, K extends Key>(options: RowKeysOptions<Row, K>) {
  const { rows, lines, selection, start, end, region, scrollTo } = options;
  const [wanted, setWanted] = useState(0);
  const takeFocus = useRef(false);
  const inPage = Math.min(Math.max(wanted, start), Math.max(start, end - 1));
  const active = nextStop(inPage, 1) ?? nextStop(inPage, -1) ?? -1;

  // The row may be rendered one or two frames after it was scrolled to.
  useLayoutEffect(() => {
    if (!takeFocus.current) return;
    const stop = region?.querySelector<HTMLElement>(`tr[data-index="${active}"] :is(${STOP})`);
    if (!stop) return;
    takeFocus.current = false;
    stop.focus({ preventScroll: true });
  });

  /** The row from here on, in this direction, that can take the focus. */
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

/** Turning rows on and off, one by one and in runs with Shift. */
function useTurns<Row, K extends Key>({ rows, rowKey, selection }: RowKeysOptions<Row, K>) {
  /** The row that a run begins at; a key, since sorting moves rows. */
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

  /** @param run whether all rows from the one that was turned last are meant. @returns whether the row can be turned */
  function turn(index: number, run: boolean): boolean {
    const key = keyAt(index);
    if (!selection || key === null) return false;
    const { selected, single, onChange } = selection;
    if (run && anchor.current !== null && !single) {
      // A run does what the row at its beginning has become.
      onChange(withKeys(selected, runTo(index), selected.has(anchor.current)));
    } else {
      onChange(toggled(single && !selected.has(key) ? new Set<K>() : selected, key));
      anchor.current = key;
    }
    return true;
  }

  /** A run goes on from one row to another; walking back along it lets go of what it leaves. */
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
