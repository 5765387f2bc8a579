import { grouped } from '@lms-admin/domain/numbers';
import { memo, type ReactNode } from 'react';
import { CopyButton } from '../CopyText.tsx';
import { ChevronRightIcon } from '../Icons.tsx';
import { BRANCH_WIDTH } from './styles.ts';
import { texts } from './texts.ts';
import type { Column } from './types.ts';

interface TableRowProps<Row> {
  row: Row;
  columns: readonly Column<Row>[];
  /** Whether the window is so narrow that the row is a card, which needs its column labels. */
  cards: boolean;
  /** Called with the rendered row if heights are measured; `place` is its index. */
  measure: ((row: HTMLTableRowElement | null) => void) | undefined;
  place: number;
  /** Index among the rows that match the search, 0-based. */
  index: number;
  /** Whether the table has a column of checkboxes. */
  picks: boolean;
  /** Null for a row that cannot be selected. */
  selected: boolean | null;
  /** Whether Tab reaches this row's checkbox, or the button that opens it. */
  active: boolean;
  name: string;
  /** Depth of the row; null in a table without nested rows. */
  level: number | null;
  /** Number of nested rows, and whether they are shown. */
  count: number;
  open: boolean;
  /** Name of the parent row; empty for none. */
  above: string;
}

function content<Row>(row: Row, column: Column<Row>, tabIndex: number): ReactNode {
  const value = column.value(row);
  const shown =
    column.cell?.(row, tabIndex) ??
    (value === null ? texts.none : typeof value === 'number' ? grouped(value) : value);
  if (column.kind !== 'id' || value === null) return shown;
  return (
    <span className="id">
      <span>{column.cell || typeof value === 'string' ? shown : value}</span>
      <CopyButton text={String(value)} label={column.header} tabIndex={tabIndex} />
    </span>
  );
}

const ignore = () => undefined;

function classesOf<Row>({ kind, wrap }: Column<Row>, place: number): string | undefined {
  const classes = [kind === 'number' && 'number', wrap && 'wraps', place === 0 && 'title'];
  return classes.filter(Boolean).join(' ') || undefined;
}

/** One row. The body handles clicks and keys for all rows, so that unchanged rows are not rendered again. */
function PlainRow<Row>(props: TableRowProps<Row>) {
  const { row, columns, cards, measure, index, picks, selected, active, name, level } = props;
  // With a selection, arrow keys move from row to row, so Tab stops only at the buttons of one row.
  const tabIndex = selected === null || active ? 0 : -1;
  const classes = ['row', picks && 'picks', selected !== null && 'selectable', selected && 'selected'].filter(
    Boolean,
  );
  return (
    <tr
      ref={measure}
      className={classes.join(' ')}
      role={cards ? 'row' : undefined}
      data-index={index}
      data-place={measure && props.place}
      aria-rowindex={index + 2}
    >
      {picks && (
        <td className="pick" role={cards ? 'cell' : undefined}>
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
            role={cards ? 'cell' : undefined}
            className={classesOf(column, place)}
            // The first cell is the card's title; a number without a label would not say what it counts.
            data-label={place === 0 && column.kind !== 'number' ? undefined : column.header || undefined}
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

/** The first cell of a nested row: indented by its depth, with the button that opens it. */
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

/** Returns the full text of a long cell, which is cut off at its edge: shown on hover. */
function titleOf(value: string | number | null): string | undefined {
  return typeof value === 'string' && value.length > 16 ? value : undefined;
}

// `memo` loses the type parameter of the component it wraps.
export const TableRow = memo(PlainRow) as typeof PlainRow;
