import Box from '@mui/material/Box';
import { useEffect, useId } from 'react';
import { useAnnounce } from '../Announcer.tsx';
import { EmptyState } from '../States/EmptyState.tsx';
import { LoadLine } from './LoadLine.tsx';
import { Frame, Region, ROW_HEIGHT } from './styles.ts';
import { TableFooter } from './TableFooter.tsx';
import { headHeightOf, TableGrid } from './TableGrid.tsx';
import { TableToolbar } from './TableToolbar.tsx';
import { texts } from './texts.ts';
import type { DataTableProps, Key } from './types.ts';
import { useCards } from './useCards.ts';
import { useCovered } from './useCovered.ts';
import type { ShownRows } from './useTableRows.ts';
import { NO_FILTERS, type TableView, useTableView } from './useTableView.ts';

/** Visible rows when no height is given; the half row shows that the list continues. */
const ROWS_IN_SIGHT = 10.5;
/** Milliseconds after the last keystroke until the number of matches is announced. */
const SAY_AFTER_MS = 600;

/**
 * The one table of the console: search, column filters, sort, selection, nested rows, pages or one long scrolling list,
 * fast with 50,000 rows. `rows`, `columns` and `rowKey` must keep their identity while they do not change.
 */
export function DataTable<Row extends object, K extends Key>(props: DataTableProps<Row, K>) {
  const { label, selection, progress = null, rowHeight = ROW_HEIGHT } = props;
  const helpId = useId();
  const cards = useCards();
  const view = useTableView(props);
  const { shown, setRegion } = view;
  const covered = useCovered(shown.rows, props);
  useMatchAnnouncement(shown);
  const headHeight = headHeightOf(props, cards);
  const limit = props.height ?? headHeight + rowHeight * ROWS_IN_SIGHT;
  const help = helpOf(props);
  return (
    <Frame>
      <Toolbar table={props} view={view} />
      {progress !== null && <LoadLine progress={progress} />}
      <Region
        ref={setRegion}
        role="region"
        aria-label={label}
        aria-busy={props.loading || undefined}
        data-flows={props.flows}
        // A region that scrolls must be reachable for people who scroll with keys.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        // A card is higher than a row: the table fills most of a phone's screen, so that several are visible.
        style={{ maxHeight: cards ? '72dvh' : limit, scrollPaddingTop: headHeight }}
      >
        <TableGrid
          table={props}
          view={view}
          covered={covered}
          cards={cards}
          headHeight={headHeight}
          help={help ? helpId : undefined}
        />
        <NoRows table={props} view={view} />
      </Region>
      {help && (
        <span id={helpId} hidden>
          {help}
        </span>
      )}
      <TableFooter
        label={label}
        counts={props.counts ?? texts.rows}
        count={shown.rows.length}
        page={view.page}
        onPage={view.turnTo}
        sizes={props.pageSizes}
        size={view.size}
        onSize={view.resize}
        selected={selection ? selection.selected.size : null}
        hidden={shown.searching ? covered.hidden : 0}
        onClear={() => selection?.onChange(new Set<K>())}
        waiting={view.waiting}
      />
    </Frame>
  );
}

interface PartProps<Row, K extends Key> {
  table: DataTableProps<Row, K>;
  view: TableView<Row, K>;
}

/** The line above the table, if it has any content. */
function Toolbar<Row, K extends Key>({ table, view }: PartProps<Row, K>) {
  const { search = false, actions } = table;
  const { query, filters, filtering, shown } = view;
  if (!search && actions === undefined && !shown.searching && !filtering) return null;
  return (
    <TableToolbar
      search={search}
      query={query}
      onQuery={(next) => view.search(next, filters)}
      placeholder={table.searchPlaceholder ?? texts.search(table.label)}
      hint={table.searchHint}
      found={shown.searching ? foundText(shown) : null}
      actions={actions}
      {...(filtering && { onClearFilters: () => view.search(query, NO_FILTERS) })}
    />
  );
}

/** Why no row is shown, if none is. */
function NoRows<Row, K extends Key>({ table, view }: PartProps<Row, K>) {
  const { rows, empty } = table;
  const { filtering, shown } = view;
  if (view.waiting || shown.rows.length > 0) return null;
  return (
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
  );
}

/** Describes the available keys, for screen readers; empty if none. */
function helpOf<Row, K extends Key>({ selection, childRows }: DataTableProps<Row, K>): string {
  return [selection && (selection.single ? texts.helpSingle : texts.help), childRows && texts.helpTree]
    .filter(Boolean)
    .join(' ');
}

/** Counts the matching rows, and names the entries of a pasted list that no row contains. */
function foundText<Row>({ found, all, missing }: ShownRows<Row>): string {
  const match = texts.found(found, all);
  return missing.length === 0 ? match : `${match}. ${texts.notFound(missing)}`;
}

/** Announces the number of rows that match a search, after a pause in typing. */
function useMatchAnnouncement<Row>({ searching, found, all }: ShownRows<Row>): void {
  const announce = useAnnounce();
  useEffect(() => {
    if (!searching) return undefined;
    const timer = setTimeout(() => announce(texts.found(found, all)), SAY_AFTER_MS);
    return () => clearTimeout(timer);
  }, [announce, searching, found, all]);
}
