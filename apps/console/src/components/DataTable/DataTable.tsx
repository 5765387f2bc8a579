import Box from '@mui/material/Box';
import { type CSSProperties, lazy, Suspense, useEffect, useId, useMemo, useState } from 'react';
import { useAnnounce } from '../Announcer.tsx';
import { EmptyState } from '../States/EmptyState.tsx';
import { LoadLine } from './LoadLine.tsx';
import { everyRow } from './row-tree.ts';
import { SkeletonRows } from './SkeletonRows.tsx';
import { FILTER_HEIGHT, Frame, HEAD_HEIGHT, Region, ROW_HEIGHT, Table, WRAPPED_LINE } from './styles.ts';
import { TableBody } from './TableBody.tsx';
import { TableFooter } from './TableFooter.tsx';
import { TableHead } from './TableHead.tsx';
import { TableToolbar } from './TableToolbar.tsx';
import { TableTotals } from './TableTotals.tsx';
import { coverage, leastWidth, nextSort, pageOf, withKeys } from './table-rows.ts';
import { texts } from './texts.ts';
import type { DataTableProps, Key, Sort } from './types.ts';
import { useCards } from './useCards.ts';
import { useLines } from './useLines.ts';
import { type Filters, type ShownRows, useTableRows } from './useTableRows.ts';

const PICK_WIDTH = 48;
/** Rows in sight when no height is given; half a row more shows that the list goes on. */
const ROWS_IN_SIGHT = 10.5;
/** Milliseconds after the last keystroke until the number of matches is said. */
const SAY_AFTER_MS = 600;
const NO_FILTERS: Filters = {};

// Most tables have none. `lazy` loses the type parameter of what it wraps.
const TableFilters = lazy(() =>
  import('./TableFilters.tsx').then((module) => ({ default: module.TableFilters })),
) as unknown as typeof import('./TableFilters.tsx').TableFilters;

/**
 * The one table of the console: search, column filters, sort, selection, rows below rows, pages or one long scrolling
 * list, fluent with 50,000 rows. `rows`, `columns` and `rowKey` must keep their identity while they do not change.
 */
export function DataTable<Row extends object, K extends Key>(props: DataTableProps<Row, K>) {
  const { rows, columns, rowKey, label, search = false, selection, childRows, pageSizes, empty } = props;
  const { loading = false, progress = null, height, defaultSort = null, totals, actions, flows } = props;
  const { rowHeight = ROW_HEIGHT } = props;
  const [typed, setTyped] = useState('');
  const [filters, setFilters] = useState(NO_FILTERS);
  const [sort, setSort] = useState<Sort | null>(defaultSort);
  const [wantedPage, setWantedPage] = useState(0);
  const [size, setSize] = useState<number | null>(props.defaultPageSize ?? pageSizes?.[0] ?? null);
  // Not a ref: what is in sight is worked out by a child, whose effects come before a ref of its parent is set.
  const [region, setRegion] = useState<HTMLDivElement | null>(null);
  const help = useId();
  const cards = useCards();

  const shown = useTableRows({ rows, columns, childRows, query: typed, filters, sort, search });
  const page = pageOf(shown.rows.length, wantedPage, size);
  const onPage = useMemo(
    () => (childRows ? shown.rows.slice(page.start, page.end) : shown.rows),
    [shown.rows, childRows, page.start, page.end],
  );
  const { lines, toggle, reset } = useLines(onPage, shown, columns, rowKey, childRows, props);
  useSaidMatches(shown.searching, shown.found, shown.all);

  const keys = useMemo(() => {
    if (!selection) return [];
    const some = childRows ? [...everyRow(shown.rows, childRows)] : shown.rows;
    const { selectable } = selection;
    return (selectable ? some.filter(selectable) : some).map(rowKey);
  }, [selection, shown.rows, childRows, rowKey]);
  const { covers, hidden } = coverage(keys, selection?.selected ?? new Set<K>());
  const single = selection?.single ?? false;
  const selectAll = (on: boolean) => single || selection?.onChange(withKeys(selection.selected, keys, on));
  const rowLabel = props.rowLabel ?? ((row: Row) => String(columns[0]?.value(row) ?? ''));

  function toTop() {
    setWantedPage(0);
    region?.scrollTo({ top: 0 });
  }

  function handleSearch(query: string, next: Filters) {
    setTyped(query);
    setFilters(next);
    reset();
    toTop();
  }

  // Rows that have come are rendered a moment later; until then the table is not empty, it waits.
  const waiting = rows.length === 0 ? loading : shown.rows.length === 0 && !shown.searching;
  // 'All' would mean those that happen to be here, and nobody would notice the rest.
  const arriving = progress !== null;
  const nothing = !waiting && shown.rows.length === 0;
  const hasFilters = columns.some((column) => column.filter !== undefined);
  // The head of cards stands there for what can be pressed in it.
  const plainHead = !hasFilters && (!selection || single) && columns.every((one) => one.sortable === false);
  const headHeight = cards && plainHead ? 0 : HEAD_HEIGHT + (hasFilters ? FILTER_HEIGHT : 0);
  const limit = height ?? headHeight + rowHeight * ROWS_IN_SIGHT;
  const lineCount = lines?.length ?? shown.rows.length;
  const filtering = Object.values(filters).some((filter) => filter !== '');
  return (
    <Frame>
      {(search || actions !== undefined || shown.searching || filtering) && (
        <TableToolbar
          search={search}
          query={typed}
          onQuery={(query) => handleSearch(query, filters)}
          placeholder={props.searchPlaceholder ?? texts.search(label)}
          hint={props.searchHint}
          found={shown.searching ? foundText(shown) : null}
          actions={actions}
          {...(filtering && { onClearFilters: () => handleSearch(typed, NO_FILTERS) })}
        />
      )}
      {progress !== null && <LoadLine progress={progress} />}
      <Region
        ref={setRegion}
        role="region"
        aria-label={label}
        aria-busy={loading || undefined}
        data-flows={flows}
        // A region that scrolls must be reachable for people who scroll with keys.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        // A card is higher than a row: most of a telephone's screen, so that some are in view at once.
        style={{ maxHeight: cards ? '72dvh' : limit, scrollPaddingTop: headHeight }}
      >
        <Table
          role={cards ? 'table' : undefined}
          aria-label={label}
          aria-rowcount={waiting ? -1 : lineCount + (totals ? 2 : 1)}
          aria-describedby={selection || childRows ? help : undefined}
          style={{
            ...(cards ? {} : { minWidth: leastWidth(columns, selection ? PICK_WIDTH : 0) }),
            ...measuresOf(rowHeight),
          }}
        >
          <colgroup>
            {selection && <col style={{ width: PICK_WIDTH }} />}
            {columns.map((column) => (
              <col key={column.id} style={column.width ? { width: column.width } : undefined} />
            ))}
          </colgroup>
          <TableHead
            columns={columns}
            cards={cards}
            sort={sort}
            onSort={(column) => {
              setSort(nextSort(sort, column));
              toTop();
            }}
            covers={selection ? covers : null}
            selectAllLabel={
              arriving
                ? texts.selectAllLater
                : shown.searching
                  ? texts.selectAllFound(keys.length)
                  : texts.selectAll
            }
            onSelectAll={single ? null : () => selectAll(covers !== 'all')}
            disabled={keys.length === 0 || arriving}
          >
            {hasFilters && (
              <Suspense fallback={<tr className="filters" style={{ height: FILTER_HEIGHT }} />}>
                <TableFilters
                  columns={columns}
                  rows={rows}
                  childRows={childRows}
                  filters={filters}
                  onFilters={(next) => handleSearch(typed, next)}
                  picks={selection !== undefined}
                  cards={cards}
                />
              </Suspense>
            )}
          </TableHead>
          {waiting ? (
            <SkeletonRows columns={columns.length + (selection ? 1 : 0)} label={label} />
          ) : (
            <TableBody
              cards={cards}
              rows={shown.rows}
              lines={lines}
              columns={columns}
              rowKey={rowKey}
              rowLabel={rowLabel}
              selection={selection}
              onSelectAll={() => selectAll(true)}
              onToggle={(key, open) => {
                toggle(key, open);
                if (open) props.onOpen?.(key);
              }}
              start={lines ? 0 : page.start}
              end={lines ? lines.length : page.end}
              region={region}
              headHeight={headHeight}
              rowHeight={rowHeight}
            />
          )}
          {totals && !waiting && (
            <TableTotals
              cards={cards}
              columns={columns}
              totals={totals}
              picks={selection !== undefined}
              rowIndex={lineCount + 2}
            />
          )}
        </Table>
        {nothing && (
          <Box sx={{ position: 'sticky', left: 0 }}>
            {shown.searching && rows.length > 0 ? (
              <EmptyState title={filtering ? texts.nothingLeft : texts.nothingFound(shown.query)}>
                {filtering ? texts.nothingLeftNext : texts.nothingFoundNext}
              </EmptyState>
            ) : typeof empty === 'string' ? (
              <EmptyState title={empty} />
            ) : (
              empty
            )}
          </Box>
        )}
      </Region>
      {(selection || childRows) && (
        <span id={help} hidden>
          {[
            ...(selection ? [single ? texts.helpSingle : texts.help] : []),
            ...(childRows ? [texts.helpTree] : []),
          ].join(' ')}
        </span>
      )}
      <TableFooter
        label={label}
        counts={props.counts ?? texts.rows}
        count={shown.rows.length}
        page={page}
        onPage={(next) => {
          setWantedPage(next);
          region?.scrollTo({ top: 0 });
        }}
        sizes={pageSizes}
        size={size}
        onSize={(next) => {
          setSize(next);
          toTop();
        }}
        selected={selection ? selection.selected.size : null}
        hidden={shown.searching ? hidden : 0}
        onClear={() => selection?.onChange(new Set<K>())}
        waiting={waiting}
      />
    </Frame>
  );
}

/** What the styles go by where rows are higher than a line or two. */
/** How many rows match, and which entries of a pasted list are in none. */
function foundText({ found, all, missing }: Pick<ShownRows<object>, 'found' | 'all' | 'missing'>): string {
  const match = texts.found(found, all);
  return missing.length === 0 ? match : `${match}. ${texts.notFound(missing)}`;
}

function measuresOf(rowHeight: number): CSSProperties | undefined {
  if (rowHeight === ROW_HEIGHT) return undefined;
  const lines = Math.floor((rowHeight - 4) / WRAPPED_LINE);
  const measures = { '--row': `${rowHeight}px`, '--lines': lines, '--air': '2px' };
  return measures as CSSProperties;
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
