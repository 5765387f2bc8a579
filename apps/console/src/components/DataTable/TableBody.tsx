import { useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, type ReactNode, type RefObject, useCallback } from 'react';
import { HEAD_HEIGHT, ROW_HEIGHT } from './styles.ts';
import { TableRow } from './TableRow.tsx';
import type { Column, Key, Selection } from './types.ts';
import { useRowKeys } from './useRowKeys.ts';

interface TableBodyProps<Row, K extends Key> {
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => K;
  rowLabel: (row: Row) => string;
  selection: Selection<K> | undefined;
  /** The rows of this page. */
  start: number;
  end: number;
  region: RefObject<HTMLDivElement | null>;
}

/** Up to here rows are simply drawn; beyond, only those in sight. */
const DRAW_ALL = 120;
/** Rows drawn above and below what is in sight. */
const OVERSCAN = 10;

/** An empty stretch as high as the rows that are not drawn. */
function Spacer({ rows, columns }: { rows: number; columns: number }) {
  return (
    <tr aria-hidden="true">
      <td className="spacer" colSpan={columns} style={{ height: rows * ROW_HEIGHT }} />
    </tr>
  );
}

/** The rows of a page: the few that are in sight where there are many. */
export function TableBody<Row, K extends Key>(props: TableBodyProps<Row, K>) {
  const { rows, columns, rowKey, rowLabel, selection, start, end, region } = props;
  const count = end - start;
  const virtual = count > DRAW_ALL;
  const virtualizer = useVirtualizer({
    enabled: virtual,
    count,
    getScrollElement: () => region.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollPaddingStart: HEAD_HEIGHT,
    paddingStart: HEAD_HEIGHT,
  });

  const scrollTo = useCallback(
    (index: number) => {
      if (virtual) virtualizer.scrollToIndex(index - start);
      else
        region.current
          ?.querySelector(`tr[data-index="${index}"]`)
          ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    },
    [virtual, virtualizer, start, region],
  );
  const keys = useRowKeys({ rows, rowKey, selection, start, end, region, scrollTo });

  function draw(index: number): ReactNode {
    const row = rows[index];
    if (row === undefined) return null;
    const key = rowKey(row);
    return (
      <TableRow
        key={key}
        row={row}
        columns={columns}
        index={index}
        selected={selection ? selection.selected.has(key) : null}
        active={index === keys.active}
        name={selection ? rowLabel(row) : ''}
      />
    );
  }

  const drawn = virtual
    ? withActive(
        virtualizer.getVirtualItems().map((item) => item.index + start),
        selection ? keys.active : null,
      )
    : Array.from({ length: count }, (_, offset) => start + offset);
  const width = columns.length + (selection ? 1 : 0);
  return (
    <tbody onClick={keys.onClick} onMouseDown={keys.onMouseDown} onKeyDown={keys.onKeyDown}>
      {drawn.map((index, place) => {
        const gap = index - (drawn[place - 1] ?? start - 1) - 1;
        const row = rows[index];
        return (
          <Fragment key={row === undefined ? index : rowKey(row)}>
            {gap > 0 && <Spacer rows={gap} columns={width} />}
            {draw(index)}
          </Fragment>
        );
      })}
      {virtual && (drawn.at(-1) ?? start - 1) < end - 1 && (
        <Spacer rows={end - 1 - (drawn.at(-1) ?? start - 1)} columns={width} />
      )}
    </tbody>
  );
}

/** The row with the keyboard stays drawn when it is scrolled out of sight: focus is never lost to the page. */
function withActive(drawn: readonly number[], active: number | null): readonly number[] {
  if (active === null || drawn.includes(active)) return drawn;
  return [...drawn, active].sort((a, b) => a - b);
}
