import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useState } from 'react';

const ROW = 40;
/** Height of one more line in a chip. */
const LINE = 20;
const GAP = 8;
/** Average width of a character of an address, and the width beside the entry in a chip. */
const CHARACTER = 7.5;
const BESIDE = 48;
/** Minimum width of a chip: most school addresses fit; an entry with a name beside it needs more. */
const CHIP = { plain: 264, detailed: 380 };
/** Height of the list; a longer list scrolls, and its half row at the end shows that. */
export const HEIGHT = ROW * 5.5;

export interface ChipGrid {
  columns: number;
  /** Height of all rows in px, rendered or not. */
  height: number;
  /** Indices of the chips to render. */
  inView: readonly number[];
  scrollTo: (index: number) => void;
  /** Position of a chip in the list, in px. */
  placeOf: (index: number) => { top: number; height: number; left: number; width: number };
}

/** Lays chips out in as many columns as fit, and determines which of them are visible. */
export function useChipGrid(
  box: RefObject<HTMLDivElement | null>,
  chips: readonly string[],
  details: { below?: boolean } | undefined,
): ChipGrid {
  const width = useWidth(box);
  const least = details ? CHIP.detailed : CHIP.plain;
  const columns = Math.max(1, Math.floor((width + GAP) / (least + GAP)));
  const chipWidth = (width - GAP * (columns - 1)) / columns;
  const rows = Math.ceil(chips.length / columns);
  const row = ROW + LINE * (details?.below ? linesOf(chips, chipWidth - BESIDE) : 0);
  // None of the returned functions is passed on or memoised.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: rows,
    getScrollElement: () => box.current,
    estimateSize: () => row,
    overscan: 4,
  });
  useLayoutEffect(() => virtual.measure(), [virtual, row]);
  const inView = virtual
    .getVirtualItems()
    .flatMap(({ index }) => Array.from({ length: columns }, (_, column) => index * columns + column))
    .filter((index) => index < chips.length);
  return {
    columns,
    height: rows * row,
    inView,
    scrollTo: (index) => virtual.scrollToIndex(Math.floor(index / columns)),
    placeOf: (index) => ({
      top: Math.floor(index / columns) * row,
      height: row - GAP,
      left: (index % columns) * (chipWidth + GAP),
      width: chipWidth,
    }),
  };
}

/** Measures the width of an element in px, updated with the window. */
function useWidth(box: RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    // Measured before the first paint, because values from the observer are drawn only later.
    // oxlint-disable-next-line react/set-state-in-effect
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return width;
}

/** Counts the lines of the longest entry, because all chips have the same height. */
function linesOf(chips: readonly string[], width: number): number {
  const longest = chips.reduce((most, { length }) => Math.max(most, length), 0);
  return longest * CHARACTER > width ? 2 : 1;
}
