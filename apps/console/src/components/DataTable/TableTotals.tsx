import { grouped } from '@lms-admin/domain/numbers';
import type { Column } from './types.ts';

interface TableTotalsProps<Row> {
  columns: readonly Column<Row>[];
  /** Whether the rows are cards. */
  cards: boolean;
  totals: Readonly<Record<string, string | number>>;
  /** Whether a column of checkboxes comes first. */
  picks: boolean;
  /** Index of the line for screen readers. */
  rowIndex: number;
}

/** The totals of a table below its rows. */
export function TableTotals<Row>({ columns, cards, totals, picks, rowIndex }: TableTotalsProps<Row>) {
  return (
    <tfoot role={cards ? 'rowgroup' : undefined}>
      <tr role={cards ? 'row' : undefined} aria-rowindex={rowIndex}>
        {picks && <td className="pick" role={cards ? 'cell' : undefined} />}
        {columns.map((column, place) => {
          const total = totals[column.id] ?? '';
          const shown = typeof total === 'number' ? grouped(total) : total;
          const kind = column.kind === 'number' ? 'number' : undefined;
          return place === 0 ? (
            <th key={column.id} scope="row" role={cards ? 'rowheader' : undefined}>
              {shown}
            </th>
          ) : (
            <td key={column.id} role={cards ? 'cell' : undefined} className={kind} data-label={column.header}>
              {shown}
            </td>
          );
        })}
      </tr>
    </tfoot>
  );
}
