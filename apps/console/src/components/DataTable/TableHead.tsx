import type { ReactNode } from 'react';
import { SortDownIcon, SortIcon, SortUpIcon } from '../Icons.tsx';
import { SortButton } from './styles.ts';
import type { Coverage } from './table-rows.ts';
import type { Column, Sort } from './types.ts';

interface TableHeadProps<Row> {
  columns: readonly Column<Row>[];
  /** Whether the rows are cards. */
  cards: boolean;
  sort: Sort | null;
  onSort: (column: string) => void;
  /** Null for a table without selection. */
  covers: Coverage | null;
  /** Name of the checkbox in the head. */
  selectAllLabel: string;
  /** Null without such a checkbox; the column then has an empty head. */
  onSelectAll: (() => void) | null;
  disabled: boolean;
  /** Another row of the head. */
  children: ReactNode;
}

function direction(sort: Sort | null, column: string): 'ascending' | 'descending' | 'none' {
  if (sort?.column !== column) return 'none';
  return sort.descending ? 'descending' : 'ascending';
}

const SORT_ICONS = { ascending: SortUpIcon, descending: SortDownIcon, none: SortIcon };

/** The head: the checkbox for all rows that match the search, and a sort button on each column. */
export function TableHead<Row>(props: TableHeadProps<Row>) {
  const { columns, cards, sort, onSort, covers, selectAllLabel, onSelectAll, disabled, children } = props;
  return (
    <thead role={cards ? 'rowgroup' : undefined} className={children ? 'filtered' : undefined}>
      <tr role={cards ? 'row' : undefined} aria-rowindex={1}>
        {covers !== null && onSelectAll === null && <td className="pick" role={cards ? 'cell' : undefined} />}
        {covers !== null && onSelectAll !== null && (
          <th className="pick" scope="col" role={cards ? 'columnheader' : undefined}>
            <input
              type="checkbox"
              aria-label={selectAllLabel}
              title={disabled ? selectAllLabel : undefined}
              checked={covers === 'all'}
              disabled={disabled}
              ref={(box) => {
                if (box) box.indeterminate = covers === 'some';
              }}
              onChange={onSelectAll}
            />
          </th>
        )}
        {columns.map((column) => {
          const sorted = direction(sort, column.id);
          const SortIconNow = SORT_ICONS[sorted];
          const sortable = column.sortable !== false;
          const classes = [column.kind === 'number' && 'number', !sortable && 'still'];
          return (
            <th
              key={column.id}
              scope="col"
              role={cards ? 'columnheader' : undefined}
              className={classes.filter(Boolean).join(' ') || undefined}
              aria-sort={sortable && sorted !== 'none' ? sorted : undefined}
            >
              {sortable ? (
                <SortButton
                  type="button"
                  data-sorted={sorted === 'none' ? undefined : ''}
                  onClick={() => onSort(column.id)}
                >
                  <span>{column.header}</span>
                  <SortIconNow size={14} />
                </SortButton>
              ) : (
                column.header
              )}
            </th>
          );
        })}
      </tr>
      {children}
    </thead>
  );
}
