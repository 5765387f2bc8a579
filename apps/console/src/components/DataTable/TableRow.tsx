import { memo, type ReactNode } from 'react';
import { CopyButton } from '../CopyText.tsx';
import { format, texts } from './texts.ts';
import type { Column } from './types.ts';

interface TableRowProps<Row> {
  row: Row;
  columns: readonly Column<Row>[];
  /** Place among the rows that the search leaves, 0-based. */
  index: number;
  /** Null for a table without selection. */
  selected: boolean | null;
  /** Whether this row's checkbox is the one that Tab reaches. */
  active: boolean;
  name: string;
}

function content<Row>(row: Row, column: Column<Row>, tabIndex: number): ReactNode {
  const value = column.value(row);
  const shown =
    column.cell?.(row, tabIndex) ??
    (value === null ? texts.none : typeof value === 'number' ? format(value) : value);
  if (column.kind !== 'id' || value === null) return shown;
  return (
    <span className="id">
      <span>{column.cell || typeof value === 'string' ? shown : value}</span>
      <CopyButton text={String(value)} label={column.header} tabIndex={tabIndex} />
    </span>
  );
}

const ignore = () => undefined;

/** One row. Clicks and keys are handled once for the whole body, so that rows that did not change are not drawn again. */
function PlainRow<Row>({ row, columns, index, selected, active, name }: TableRowProps<Row>) {
  // With a selection the arrows go from row to row, so Tab needs to stop at the buttons of one row only.
  const tabIndex = selected === null || active ? 0 : -1;
  const classes = ['row', selected !== null && 'selectable', selected && 'selected'].filter(Boolean);
  return (
    <tr className={classes.join(' ')} data-index={index} aria-rowindex={index + 2}>
      {selected !== null && (
        <td className="pick">
          <input
            type="checkbox"
            aria-label={texts.select(name)}
            checked={selected}
            onChange={ignore}
            tabIndex={active ? 0 : -1}
          />
        </td>
      )}
      {columns.map((column) => (
        <td
          key={column.id}
          className={column.kind === 'number' ? 'number' : undefined}
          title={titleOf(column.value(row))}
        >
          {column.wrap ? (
            <span className="wrap">{content(row, column, tabIndex)}</span>
          ) : (
            content(row, column, tabIndex)
          )}
        </td>
      ))}
    </tr>
  );
}

/** Long texts are cut at the edge of their cell; the whole text shows on hover. */
function titleOf(value: string | number | null): string | undefined {
  return typeof value === 'string' && value.length > 16 ? value : undefined;
}

// `memo` loses the type parameter of what it wraps.
export const TableRow = memo(PlainRow) as typeof PlainRow;
