import { memo, type ReactNode } from 'react';
import { CopyButton } from '../CopyText.tsx';
import { ChevronRightIcon } from '../Icons.tsx';
import { BRANCH_WIDTH } from './styles.ts';
import { format, texts } from './texts.ts';
import type { Column } from './types.ts';

interface TableRowProps<Row> {
  row: Row;
  columns: readonly Column<Row>[];
  /** Place among the rows that the search leaves, 0-based. */
  index: number;
  /** Whether the table has a column of checkboxes. */
  picks: boolean;
  /** Null for a row that cannot be selected. */
  selected: boolean | null;
  /** Whether this row's checkbox, or the button that opens it, is the one that Tab reaches. */
  active: boolean;
  name: string;
  /** How deep the row stands; null in a table whose rows have no rows of their own. */
  level: number | null;
  /** How many rows belong to it, and whether they are shown. */
  count: number;
  open: boolean;
  /** Name of the row that it belongs to; empty for none. */
  above: string;
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

/** One row. Clicks and keys are handled once for the whole body, so that rows that did not change are not rendered again. */
function PlainRow<Row>(props: TableRowProps<Row>) {
  const { row, columns, index, picks, selected, active, name, level } = props;
  // With a selection the arrows go from row to row, so Tab needs to stop at the buttons of one row only.
  const tabIndex = selected === null || active ? 0 : -1;
  const classes = ['row', selected !== null && 'selectable', selected && 'selected'].filter(Boolean);
  return (
    <tr className={classes.join(' ')} data-index={index} aria-rowindex={index + 2}>
      {picks && (
        <td className="pick">
          {selected !== null && (
            <input
              type="checkbox"
              aria-label={texts.select(name)}
              checked={selected}
              onChange={ignore}
              tabIndex={active ? 0 : -1}
            />
          )}
        </td>
      )}
      {columns.map((column, place) => {
        const plain = content(row, column, tabIndex);
        const shown = column.wrap ? <span className="wrap">{plain}</span> : plain;
        return (
          <td
            key={column.id}
            className={column.kind === 'number' ? 'number' : undefined}
            title={titleOf(column.value(row))}
          >
            {level !== null && place === 0 ? (
              <Branch {...props} level={level}>
                {shown}
              </Branch>
            ) : (
              shown
            )}
          </td>
        );
      })}
    </tr>
  );
}

interface BranchProps extends Pick<TableRowProps<never>, 'active' | 'name' | 'count' | 'open' | 'above'> {
  level: number;
  children: ReactNode;
}

/** The first cell of a row among nested ones: as far to the right as it is deep, with the button that opens it. */
function Branch({ active, name, level, count, open, above, children }: BranchProps) {
  return (
    <span
      className="branch"
      style={{ paddingInlineStart: level * BRANCH_WIDTH + (count > 0 ? 0 : BRANCH_WIDTH - 8) }}
    >
      {count > 0 && (
        <button
          type="button"
          className="toggle"
          aria-expanded={open}
          aria-label={texts.branch(count, name)}
          tabIndex={active ? 0 : -1}
        >
          <ChevronRightIcon size={18} />
        </button>
      )}
      <span className="content">
        {children}
        {above !== '' && <span className="heard">{texts.below(above)}</span>}
      </span>
    </span>
  );
}

/** Long texts are cut at the edge of their cell; the whole text shows on hover. */
function titleOf(value: string | number | null): string | undefined {
  return typeof value === 'string' && value.length > 16 ? value : undefined;
}

// `memo` loses the type parameter of what it wraps.
export const TableRow = memo(PlainRow) as typeof PlainRow;
