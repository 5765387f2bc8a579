import { type CSSProperties, lazy, Suspense } from 'react';
import { useDelayed } from '../States/useDelayed.ts';
import { FILTER_HEIGHT, HEAD_HEIGHT, ROW_HEIGHT, Table, WRAPPED_LINE } from './styles.ts';
import { TableBody } from './TableBody.tsx';
import { TableHead } from './TableHead.tsx';
import { TableTotals } from './TableTotals.tsx';
import { leastWidth } from './table-rows.ts';
import { texts } from './texts.ts';
import type { DataTableProps, Key } from './types.ts';
import type { Covered } from './useCovered.ts';
import type { TableView } from './useTableView.ts';

const PICK_WIDTH = 48;

// Most tables have no filters. `lazy` loses the type parameter of the component it wraps.
const TableFilters = lazy(() =>
  import('./TableFilters.tsx').then((module) => ({ default: module.TableFilters })),
) as unknown as typeof import('./TableFilters.tsx').TableFilters;

interface TableGridProps<Row, K extends Key> {
  table: DataTableProps<Row, K>;
  view: TableView<Row, K>;
  covered: Covered;
  /** Whether each row is a card. */
  cards: boolean;
  /** Height of the head in px. */
  headHeight: number;
  /** ID of the text that lists the keys. */
  help: string | undefined;
}

/** Head, rows and totals. */
export function TableGrid<Row extends object, K extends Key>(props: TableGridProps<Row, K>) {
  const { table, view, covered, cards, help } = props;
  const { columns, label, selection, totals, rowHeight = ROW_HEIGHT } = table;
  const lineCount = (view.lines ?? view.shown.rows).length;
  const picks = selection !== undefined;
  return (
    <Table
      role={cards ? 'table' : undefined}
      aria-label={label}
      aria-rowcount={view.waiting ? -1 : lineCount + (totals ? 2 : 1)}
      aria-describedby={help}
      style={{
        ...(cards ? {} : { minWidth: leastWidth(columns, picks ? PICK_WIDTH : 0) }),
        ...measuresOf(rowHeight),
      }}
    >
      <colgroup>
        {picks && <col style={{ width: PICK_WIDTH }} />}
        {columns.map((column) => (
          <col key={column.id} style={column.width ? { width: column.width } : undefined} />
        ))}
      </colgroup>
      <GridHead {...props} />
      {view.waiting ? (
        <SkeletonRows columns={columns.length + (picks ? 1 : 0)} label={label} />
      ) : (
        <TableBody
          cards={cards}
          rows={view.shown.rows}
          lines={view.lines}
          columns={columns}
          rowKey={table.rowKey}
          rowLabel={table.rowLabel ?? ((row: Row) => String(columns[0]?.value(row) ?? ''))}
          selection={selection}
          onSelectAll={() => covered.selectAll(true)}
          onToggle={(key, open) => {
            view.toggle(key, open);
            if (open) table.onOpen?.(key);
          }}
          start={view.lines ? 0 : view.page.start}
          end={view.lines ? lineCount : view.page.end}
          region={view.region}
          headHeight={props.headHeight}
          rowHeight={rowHeight}
        />
      )}
      {totals && !view.waiting && (
        <TableTotals cards={cards} columns={columns} totals={totals} picks={picks} rowIndex={lineCount + 2} />
      )}
    </Table>
  );
}

/** The column heads, and the filter fields below them if there are any. */
function GridHead<Row extends object, K extends Key>(props: TableGridProps<Row, K>) {
  const { table, view, covered, cards } = props;
  const { columns, selection } = table;
  // 'All' would select only the rows loaded so far, without saying so.
  const arriving = (table.progress ?? null) !== null;
  return (
    <TableHead
      columns={columns}
      cards={cards}
      sort={view.sort}
      onSort={view.sortBy}
      covers={selection ? covered.covers : null}
      selectAllLabel={
        arriving
          ? texts.selectAllLater
          : view.shown.searching
            ? texts.selectAllFound(covered.count)
            : texts.selectAll
      }
      onSelectAll={selection?.single ? null : () => covered.selectAll(covered.covers !== 'all')}
      disabled={covered.count === 0 || arriving}
    >
      {hasFilters(table) && (
        <Suspense fallback={<tr className="filters" style={{ height: FILTER_HEIGHT }} />}>
          <TableFilters
            columns={columns}
            rows={table.rows}
            childRows={table.childRows}
            filters={view.filters}
            onFilters={(next) => view.search(view.query, next)}
            picks={selection !== undefined}
            cards={cards}
          />
        </Suspense>
      )}
    </TableHead>
  );
}

function hasFilters<Row, K extends Key>({ columns }: DataTableProps<Row, K>): boolean {
  return columns.some((column) => column.filter !== undefined);
}

/** Returns the height of the head in px. With cards, the head exists only if it contains a control. */
export function headHeightOf<Row, K extends Key>(table: DataTableProps<Row, K>, cards: boolean): number {
  const { columns, selection } = table;
  if (hasFilters(table)) return HEAD_HEIGHT + FILTER_HEIGHT;
  const plain = (!selection || selection.single) && columns.every((one) => one.sortable === false);
  return cards && plain ? 0 : HEAD_HEIGHT;
}

/** Returns the CSS variables for rows higher than a line or two. */
function measuresOf(rowHeight: number): CSSProperties | undefined {
  if (rowHeight === ROW_HEIGHT) return undefined;
  const lines = Math.floor((rowHeight - 4) / WRAPPED_LINE);
  const measures = { '--row': `${rowHeight}px`, '--lines': lines, '--air': '2px' };
  return measures as CSSProperties;
}

const ROWS = 6;
const WIDTHS = ['62%', '84%', '48%', '73%', '56%'];

/** Placeholders for rows that are loading, shown after 0.3 s. */
function SkeletonRows({ columns, label }: { columns: number; label: string }) {
  const shown = useDelayed(true);
  return (
    <tbody aria-label={texts.loading(label)}>
      {Array.from({ length: ROWS }, (_, row) => (
        // Placeholders have no identity but their index.
        // oxlint-disable-next-line react/no-array-index-key
        <tr key={row}>
          {Array.from({ length: columns }, (_, column) => (
            // oxlint-disable-next-line react/no-array-index-key
            <td key={column}>
              {shown && <span className="bar" style={{ width: WIDTHS[(row + column) % WIDTHS.length] }} />}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
