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
  /** Whether the window is so narrow that the row is a card; then what it is has to be said. */
  cards: boolean;
  /** Told when the row is there, where heights are measured; `place` is its own among them. */
  measure: ((row: HTMLTableRowElement | null) => void) | undefined;
  place: number;
  /** Place among the rows that the search leaves, 0-based. */
  index: number;
  /** Whether the table has a column of checkboxes. */
  picks: boolean;
  /** Null for a row that cannot be selected. */
  selected: boolean | null;
  /** Whether this row's checkbox, or the button that opens it, is the one that Tab reaches. */
  active: boolean;
  name: string;
  /** How deep the row is; null in a table whose rows have no rows of their own. */
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

/** One row. Clicks and keys are handled once for the whole body, so that rows that did not change are not rendered again. */
function PlainRow<Row>(props: TableRowProps<Row>) {
  const { row, columns, cards, measure, index, picks, selected, active, name, level } = props;
  // With a selection the arrows go from row to row, so Tab needs to stop at the buttons of one row only.
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
            // The first one is the card's title; a bare number would not say of what.
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
