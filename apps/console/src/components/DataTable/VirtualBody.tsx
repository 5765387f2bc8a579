import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useState } from 'react';
import { BodyRows, type TableBodyProps } from './BodyRows.tsx';
import { CARD_EDGE, CARD_LINE } from './card-styles.ts';
import type { Key } from './types.ts';

/** Rows rendered above and below the visible ones; fewer for cards, which are several times as high. */
const OVERSCAN = 10;
const OVERSCAN_CARDS = 3;
/** The same number directly after a search: during typing, only the visible rows matter. */
const OVERSCAN_FIRST = 2;
/** Milliseconds without a change after which the rows around the visible ones are rendered too, ready for scrolling. */
const REST_MS = 150;

/** A long body: only the visible rows are rendered. */
export function VirtualBody<Row, K extends Key>(props: TableBodyProps<Row, K>) {
  const { rows, lines, columns, rowKey, start, end, region, headHeight, rowHeight, cards } = props;
  const guess = cards ? columns.length * CARD_LINE + 2 * CARD_EDGE : rowHeight;
  // Rows of one line all have the same height, so nothing is measured.
  const measured = cards || columns.some((column) => column.wrap);
  const [rested, setRested] = useState(rows);
  useEffect(() => {
    const timer = setTimeout(() => setRested(rows), REST_MS);
    return () => clearTimeout(timer);
  }, [rows]);
  // A measured height stays with its row when rows are sorted or searched.
  const getItemKey = useCallback(
    (place: number) => {
      const row = lines ? lines[place + start]?.row : rows[place + start];
      return row === undefined ? place : rowKey(row);
    },
    [rows, lines, rowKey, start],
  );
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLTableRowElement>({
    count: end - start,
    getScrollElement: () => region,
    estimateSize: () => guess,
    overscan: rested === rows ? (cards ? OVERSCAN_CARDS : OVERSCAN) : OVERSCAN_FIRST,
    scrollPaddingStart: headHeight,
    paddingStart: headHeight,
    indexAttribute: 'data-place',
    ...(measured && { getItemKey }),
  });
  const scrollTo = (index: number) => virtualizer.scrollToIndex(index - start);
  const items = virtualizer.getVirtualItems();
  const sizes = virtualizer.measurementsCache;
  /** Returns the top of a row, or the end of the last one. */
  const top = (index: number) => sizes[index - start]?.start ?? sizes.at(-1)?.end ?? headHeight;
  return (
    <BodyRows
      {...props}
      inView={items.map((item) => item.index + start)}
      scrollTo={scrollTo}
      heightOf={(from, to) => top(to) - top(from)}
      measure={measured ? virtualizer.measureElement : undefined}
    />
  );
}
