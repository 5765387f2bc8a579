import { format } from './texts.ts';
import type { Column } from './types.ts';

interface TableTotalsProps<Row> {
  columns: readonly Column<Row>[];
  totals: Readonly<Record<string, string | number>>;
  /** Whether a column of checkboxes stands before the others. */
  picks: boolean;
  /** Number of the line for people who hear the table. */
  rowIndex: number;
}

/** The sums of a table below its rows. */
export function TableTotals<Row>({ columns, totals, picks, rowIndex }: TableTotalsProps<Row>) {
  return (
    <tfoot>
      <tr aria-rowindex={rowIndex}>
        {picks && <td className="pick" />}
        {columns.map((column, place) => {
          const total = totals[column.id] ?? '';
          const shown = typeof total === 'number' ? format(total) : total;
          const kind = column.kind === 'number' ? 'number' : undefined;
          return place === 0 ? (
            <th key={column.id} scope="row">
              {shown}
            </th>
          ) : (
            <td key={column.id} className={kind}>
              {shown}
            </td>
          );
        })}
      </tr>
    </tfoot>
  );
}
