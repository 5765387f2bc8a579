import Box from '@mui/material/Box';
import { useEffect, useId, useRef, useState } from 'react';
import { useAnnounce } from '../Announcer.tsx';
import { EmptyState } from '../States/EmptyState.tsx';
import { LoadLine } from './LoadLine.tsx';
import { SkeletonRows } from './SkeletonRows.tsx';
import { Frame, HEAD_HEIGHT, Region, ROW_HEIGHT, Table } from './styles.ts';
import { TableBody } from './TableBody.tsx';
import { TableFooter } from './TableFooter.tsx';
import { TableHead } from './TableHead.tsx';
import { TableToolbar } from './TableToolbar.tsx';
import { TableTotals } from './TableTotals.tsx';
import { coverage, nextSort, pageOf, withKeys } from './table-rows.ts';
import { texts } from './texts.ts';
import type { Column, DataTableProps, Key, Sort } from './types.ts';
import { useTableRows } from './useTableRows.ts';

const MIN_WIDTH = 96;
const PICK_WIDTH = 48;
/** Rows in sight when no height is given; half a row more shows that the list goes on. */
const ROWS_IN_SIGHT = 10.5;
/** Milliseconds after the last keystroke until the number of matches is said. */
const SAY_AFTER_MS = 600;

/**
 * The one table of the console: search, sort, selection, pages or one long scrolling list, fluent with 50,000 rows.
 * `rows`, `columns` and `rowKey` must keep their identity while they do not change.
 */
export function DataTable<Row extends object, K extends Key>(props: DataTableProps<Row, K>) {
  const { rows, columns, rowKey, label, search = false, selection, pageSizes, empty, actions } = props;
  const { loading = false, progress = null, height, defaultSort = null, totals } = props;
  const [typed, setTyped] = useState('');
  const [sort, setSort] = useState<Sort | null>(defaultSort);
  const [wantedPage, setWantedPage] = useState(0);
  const [size, setSize] = useState<number | null>(props.defaultPageSize ?? pageSizes?.[0] ?? null);
  const region = useRef<HTMLDivElement>(null);
  const help = useId();

  const shown = useTableRows(rows, columns, typed, sort, search);
  const page = pageOf(shown.rows.length, wantedPage, size);
  const searching = shown.query.trim() !== '';
  useSaidMatches(searching, shown.rows.length, rows.length);

  const keys = selection ? shown.rows.map(rowKey) : [];
  const { covers, hidden } = coverage(keys, selection?.selected ?? new Set<K>());
  const rowLabel = props.rowLabel ?? ((row: Row) => String(columns[0]?.value(row) ?? ''));

  function toTop() {
    setWantedPage(0);
    region.current?.scrollTo({ top: 0 });
  }

  // Rows that have come are drawn a moment later; until then the table is not empty, it waits.
  const waiting = rows.length === 0 ? loading : shown.rows.length === 0 && !searching;
  // 'All' would mean those that happen to be here, and nobody would notice the rest.
  const arriving = progress !== null;
  const nothing = !waiting && shown.rows.length === 0;
  const limit = height ?? HEAD_HEIGHT + ROW_HEIGHT * ROWS_IN_SIGHT;
  const widthOf = (column: Column<Row>) => column.minWidth ?? MIN_WIDTH;
  const leastWidth = columns.reduce((sum, column) => sum + widthOf(column), selection ? PICK_WIDTH : 0);
  return (
    <Frame>
      {(search || actions !== undefined) && (
        <TableToolbar
          search={search}
          query={typed}
          onQuery={(query) => {
            setTyped(query);
            toTop();
          }}
          placeholder={props.searchPlaceholder ?? texts.search(label)}
          found={searching ? texts.found(shown.rows.length, rows.length) : null}
          actions={actions}
        />
      )}
      {progress !== null && <LoadLine progress={progress} />}
      <Region
        ref={region}
        role="region"
        aria-label={label}
        aria-busy={loading || undefined}
        // A region that scrolls must be reachable for people who scroll with keys.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        style={{ maxHeight: limit }}
      >
        <Table
          aria-label={label}
          aria-rowcount={waiting ? -1 : shown.rows.length + (totals ? 2 : 1)}
          aria-describedby={selection ? help : undefined}
          style={{ minWidth: leastWidth }}
        >
          <colgroup>
            {selection && <col style={{ width: PICK_WIDTH }} />}
            {columns.map((column) => (
              <col key={column.id} style={column.width ? { width: column.width } : undefined} />
            ))}
          </colgroup>
          <TableHead
            columns={columns}
            sort={sort}
            onSort={(column) => {
              setSort(nextSort(sort, column));
              toTop();
            }}
            covers={selection ? covers : null}
            selectAllLabel={
              arriving
                ? texts.selectAllLater
                : searching
                  ? texts.selectAllFound(shown.rows.length)
                  : texts.selectAll
            }
            onSelectAll={() => selection?.onChange(withKeys(selection.selected, keys, covers !== 'all'))}
            disabled={shown.rows.length === 0 || arriving}
          />
          {waiting ? (
            <SkeletonRows columns={columns.length + (selection ? 1 : 0)} label={label} />
          ) : (
            <TableBody
              rows={shown.rows}
              columns={columns}
              rowKey={rowKey}
              rowLabel={rowLabel}
              selection={selection}
              start={page.start}
              end={page.end}
              region={region}
            />
          )}
          {totals && !waiting && (
            <TableTotals
              columns={columns}
              totals={totals}
              picks={selection !== undefined}
              rowIndex={shown.rows.length + 2}
            />
          )}
        </Table>
        {nothing && (
          <Box sx={{ position: 'sticky', left: 0 }}>
            {searching && rows.length > 0 ? (
              <EmptyState title={texts.nothingFound(shown.query)}>{texts.nothingFoundNext}</EmptyState>
            ) : typeof empty === 'string' ? (
              <EmptyState title={empty} />
            ) : (
              empty
            )}
          </Box>
        )}
      </Region>
      {selection && (
        <span id={help} hidden>
          {texts.help}
        </span>
      )}
      <TableFooter
        label={label}
        count={shown.rows.length}
        page={page}
        onPage={(next) => {
          setWantedPage(next);
          region.current?.scrollTo({ top: 0 });
        }}
        sizes={pageSizes}
        size={size}
        onSize={(next) => {
          setSize(next);
          toTop();
        }}
        selected={selection ? selection.selected.size : null}
        hidden={searching ? hidden : 0}
        onClear={() => selection?.onChange(new Set<K>())}
        waiting={waiting}
      />
    </Frame>
  );
}

/** Says how many rows a search left, once the typing pauses. */
function useSaidMatches(searching: boolean, found: number, all: number): void {
  const announce = useAnnounce();
  useEffect(() => {
    if (!searching) return undefined;
    const timer = setTimeout(() => announce(texts.found(found, all)), SAY_AFTER_MS);
    return () => clearTimeout(timer);
  }, [announce, searching, found, all]);
}
