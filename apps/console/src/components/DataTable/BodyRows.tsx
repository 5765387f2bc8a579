import { Fragment, useMemo } from 'react';
import type { Line } from './row-tree.ts';
import { TableRow } from './TableRow.tsx';
import type { Column, Key, Selection } from './types.ts';
import { useRowKeys } from './useRowKeys.ts';

export interface TableBodyProps<Row, K extends Key> {
  /** All rows that match, in order; if rows are nested, `lines` has their positions. */
  rows: readonly Row[];
  lines: readonly Line<Row>[] | null;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => K;
  rowLabel: (row: Row) => string;
  selection: Selection<K, Row> | undefined;
  /** Selects all rows that match the search. */
  onSelectAll: () => void;
  onToggle: (key: K, open: boolean) => void;
  /** The rows, or lines, of this page. */
  start: number;
  end: number;
  region: HTMLDivElement | null;
  /** Whether each row is a card. */
  cards: boolean;
  /** Height of the head in px. */
  headHeight: number;
  /** Height of each row in px. */
  rowHeight: number;
}

interface BodyRowsProps<Row, K extends Key> extends TableBodyProps<Row, K> {
  /** Indices of the rows to render, in order; gaps become empty space. */
  inView: readonly number[];
  scrollTo: (index: number) => void;
  /** Height in px of the rows from `from` up to but not including `to`, if some are not rendered. */
  heightOf?: (from: number, to: number) => number;
  measure?: (row: HTMLTableRowElement | null) => void;
}

/** Empty space as high as the rows that are not rendered. */
function Spacer({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true">
      <td className="spacer" colSpan={columns} style={{ height }} />
    </tr>
  );
}

/** The rows with their clicks and keys, whether or not all rows are rendered. */
export function BodyRows<Row, K extends Key>(props: BodyRowsProps<Row, K>) {
  const { rows, lines, columns, rowKey, rowLabel, selection, onToggle, start, end, region } = props;
  const { inView, scrollTo, cards, heightOf = () => 0, measure } = props;
  const all = useMemo(() => lines?.map((line) => line.row) ?? rows, [lines, rows]);
  const keys = useRowKeys({
    rows: all,
    lines,
    rowKey,
    selection,
    onSelectAll: props.onSelectAll,
    onToggle,
    start,
    end,
    region,
    scrollTo,
  });
  const width = columns.length + (selection ? 1 : 0);
  const rendered = selection || lines ? withActive(inView, keys.active) : inView;
  return (
    <tbody
      role={cards ? 'rowgroup' : undefined}
      onClick={keys.onClick}
      onMouseDown={keys.onMouseDown}
      onKeyDown={keys.onKeyDown}
    >
      {rendered.map((index, place) => {
        const row = all[index];
        if (row === undefined) return null;
        const key = rowKey(row);
        const line = lines?.[index];
        const above = line && lines?.[line.parent]?.row;
        return (
          <Fragment key={key}>
            <Spacer height={heightOf((rendered[place - 1] ?? start - 1) + 1, index)} columns={width} />
            <TableRow
              row={row}
              columns={columns}
              cards={cards}
              measure={measure}
              place={index - start}
              index={index}
              picks={selection !== undefined}
              selected={
                selection && (selection.selectable?.(row) ?? true) ? selection.selected.has(key) : null
              }
              active={index === keys.active}
              name={selection || line ? rowLabel(row) : ''}
              level={line?.level ?? null}
              count={line?.count ?? 0}
              open={line?.open ?? false}
              above={above === undefined ? '' : rowLabel(above)}
            />
          </Fragment>
        );
      })}
      <Spacer height={heightOf((rendered.at(-1) ?? start - 1) + 1, end)} columns={width} />
    </tbody>
  );
}

/** Keeps the row with the keyboard focus rendered when it is scrolled out of view, so that focus is never lost. */
function withActive(inView: readonly number[], active: number): readonly number[] {
  if (inView.length === 0 || active < 0 || inView.includes(active)) return inView;
  return [...inView, active].sort((a, b) => a - b);
}
