import { Fragment, type RefObject } from 'react';
import { ROW_HEIGHT } from './styles.ts';
import { TableRow } from './TableRow.tsx';
import type { Column, Key, Selection } from './types.ts';
import { useRowKeys } from './useRowKeys.ts';

export interface TableBodyProps<Row, K extends Key> {
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

interface BodyRowsProps<Row, K extends Key> extends TableBodyProps<Row, K> {
  /** Indices of the rows to draw, in order; gaps become empty stretches. */
  drawn: readonly number[];
  scrollTo: (index: number) => void;
}

/** An empty stretch as high as the rows that are not drawn. */
function Spacer({ rows, columns }: { rows: number; columns: number }) {
  if (rows <= 0) return null;
  return (
    <tr aria-hidden="true">
      <td className="spacer" colSpan={columns} style={{ height: rows * ROW_HEIGHT }} />
    </tr>
  );
}

/** The rows with their clicks and keys, whichever of them are drawn. */
export function BodyRows<Row, K extends Key>(props: BodyRowsProps<Row, K>) {
  const { rows, columns, rowKey, rowLabel, selection, start, end, region, drawn, scrollTo } = props;
  const keys = useRowKeys({ rows, rowKey, selection, start, end, region, scrollTo });
  const width = columns.length + (selection ? 1 : 0);
  const shown = selection ? withActive(drawn, keys.active) : drawn;
  return (
    <tbody onClick={keys.onClick} onMouseDown={keys.onMouseDown} onKeyDown={keys.onKeyDown}>
      {shown.map((index, place) => {
        const row = rows[index];
        if (row === undefined) return null;
        const key = rowKey(row);
        return (
          <Fragment key={key}>
            <Spacer rows={index - (shown[place - 1] ?? start - 1) - 1} columns={width} />
            <TableRow
              row={row}
              columns={columns}
              index={index}
              selected={selection ? selection.selected.has(key) : null}
              active={index === keys.active}
              name={selection ? rowLabel(row) : ''}
            />
          </Fragment>
        );
      })}
      <Spacer rows={end - 1 - (shown.at(-1) ?? start - 1)} columns={width} />
    </tbody>
  );
}

/** The row with the keyboard stays drawn when it is scrolled out of sight: focus is never lost to the page. */
function withActive(drawn: readonly number[], active: number): readonly number[] {
  if (drawn.length === 0 || drawn.includes(active)) return drawn;
  return [...drawn, active].sort((a, b) => a - b);
}
