import { DRAFT_PAGE_ROWS, type SisDraft } from '@lms-admin/contract/sis-drafts';
import { grouped } from '@lms-admin/domain/numbers';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { Theme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { DataTable } from '../../../components/DataTable/DataTable.tsx';
import type { Column } from '../../../components/DataTable/types.ts';
import { CheckIcon } from '../../../components/Icons.tsx';
import { Notice } from '../../../components/Notice/Notice.tsx';
import { CorrectionCell, cellId } from './CorrectionCell.tsx';
import {
  columnName,
  leftOfPaste,
  neighbour,
  openColumns,
  pastedEdits,
  type ShownRow,
} from './correction-rows.ts';
import { groupKey } from './corrections.ts';
import { texts } from './texts.ts';
import type { CorrectionWork } from './useCorrections.ts';

const rowKey = ({ row }: ShownRow) => row;
/** Number of cells of a card, in addition to the marked ones, that identify the row. */
const BESIDE = 3;

/** Rows with problems, or corrected ones, whose cells are corrected in place. On a narrow screen each row is a card. */
export function CorrectionTable({ work, draft }: { work: CorrectionWork; draft: SisDraft }) {
  const narrow = useMediaQuery(({ breakpoints }: Theme) => breakpoints.down('sm'));
  const { rows, total, page, corrected, left, edit, apply } = work;
  const { columns } = draft;
  const list = useRef<HTMLDivElement>(null);
  const onPaste = useAfterPaste(rows, columns, work.busy !== null, list);
  const from = page * DRAFT_PAGE_ROWS;
  const more = from + DRAFT_PAGE_ROWS < total;
  const cells = useMemo(
    () => cellsOf(columns, rows, { edit, apply, onPaste, more }),
    [columns, rows, edit, apply, onPaste, more],
  );
  const first = useFirstColumns(columns, rows, corrected ? 'corrected' : work.group);
  const tableColumns = useMemo(() => tableColumnsOf(columns, first, cells), [columns, first, cells]);
  const label = corrected ? texts.corrected.label : texts.label;
  const [listed, all] = corrected ? [draft.corrected_listed, draft.corrected] : [draft.listed, draft.wrong];
  const group = draft.groups.find((one) => work.group === groupKey(one)) ?? null;
  return (
    <Box ref={list} sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {corrected && <Typography variant="h3">{texts.corrected.title(draft.corrected)}</Typography>}
      <Typography variant="body2" color="textSecondary">
        {corrected ? `${texts.corrected.how} ${texts.table.keys}` : texts.table.keys}
      </Typography>
      {left !== '' && <Notice tone="warning" title={left} />}
      {narrow ? (
        <Box
          component="ul"
          aria-label={label}
          sx={{ display: 'grid', gap: 1.5, m: 0, p: 0, listStyle: 'none' }}
        >
          {rows.map((one) => (
            <Card key={one.row} one={one} columns={columns} cells={cells} />
          ))}
        </Box>
      ) : (
        <DataTable<ShownRow, number>
          label={label}
          rows={rows}
          columns={tableColumns}
          rowKey={rowKey}
          empty={texts.table.empty}
        />
      )}
      {listed < all && (
        <Typography variant="body2" color="textSecondary">
          {corrected ? texts.table.listedCorrected(listed, all) : texts.table.listed(listed, all)}
        </Typography>
      )}
      {total > DRAFT_PAGE_ROWS && (
        <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
          <Typography>
            {texts.table.page(from + 1, Math.min(total, from + DRAFT_PAGE_ROWS), total)}
          </Typography>
          <Button
            size="small"
            color="inherit"
            variant="outlined"
            disabled={page === 0}
            onClick={() => work.show(group, page - 1, corrected)}
          >
            {texts.table.previous}
          </Button>
          <Button
            size="small"
            color="inherit"
            variant="outlined"
            disabled={!more}
            onClick={() => work.show(group, page + 1, corrected)}
          >
            {texts.table.next}
          </Button>
        </Box>
      )}
    </Box>
  );
}

/** The contents of the cells: fields in the marked ones. */
interface Cells {
  nameOf: (at: number) => string;
  cell: (one: ShownRow, at: number) => ReactNode;
  leaveOut: (one: ShownRow) => ReactNode;
}

function cellsOf(
  columns: SisDraft['columns'],
  rows: readonly ShownRow[],
  {
    edit,
    apply,
    onPaste,
    more,
  }: Pick<CorrectionWork, 'edit' | 'apply'> & {
    onPaste: (column: number) => void;
    /** Whether there are more rows than are listed. */
    more: boolean;
  },
): Cells {
  const nameOf = (at: number) => {
    const column = columns[at];
    return (column && columnName(column)) ?? texts.table.unnamed(at + 1);
  };
  return {
    nameOf,
    cell(one, at) {
      if (!openColumns(one, columns).includes(at)) return one.cells[at] ?? '';
      const from = { row: one.row, column: at };
      const problems = one.problems.filter(({ column }) => column === at || column === null);
      return (
        <CorrectionCell
          {...from}
          value={one.cells[at] ?? ''}
          label={texts.table.cell(nameOf(at), one.row)}
          problem={problems.map(({ message }) => message).join(' ')}
          onChange={(value) => edit([{ ...from, value }])}
          onMove={(step) => {
            const next = neighbour(rows, columns, from, step);
            if (next) document.getElementById(cellId(next.row, next.column))?.focus();
          }}
          onPasted={(text) => {
            const edits = pastedEdits(text, rows, columns, from);
            if (edits) {
              onPaste(at);
              edit(edits, texts.table.pasteLeft(leftOfPaste(text, edits.length), more));
            }
            return edits !== null;
          }}
        />
      );
    },
    leaveOut: (one) => (
      <Button
        size="small"
        color="inherit"
        aria-label={texts.table.leaveOutOf(one.row)}
        onClick={() => apply({ does: 'leave-out', rows: [one.row] })}
      >
        {texts.table.leaveOut}
      </Button>
    ),
  };
}

/** Milliseconds to wait for the cell in total, and to keep it in view once it exists. */
const RENDERED_MS = 5_000;
const RESTED_MS = 500;

/**
 * Moves focus to a cell. A long list renders only its visible rows: it is scrolled until the cell exists, and kept
 * there while the rows above are measured.
 */
function focusCell(list: HTMLElement | null, index: number, id: string): void {
  const region = list?.querySelector('[role="region"]');
  const begun = Date.now();
  let missing = begun;
  let focused = document.activeElement;
  function look() {
    const now = Date.now();
    // If the focus is already elsewhere, it stays there.
    if (![focused, document.body].includes(document.activeElement)) return;
    const cell = document.getElementById(id);
    if (cell) {
      if (cell !== document.activeElement) cell.focus();
    } else {
      missing = now;
      const rendered = [...(region?.querySelectorAll<HTMLElement>('tr[data-index]') ?? [])];
      const below = rendered.every((row) => Number(row.dataset.index) < index);
      region?.scrollBy(0, (below ? 1 : -1) * (region.clientHeight / 2));
    }
    focused = document.activeElement;
    if (now - missing < RESTED_MS && now - begun < RENDERED_MS) requestAnimationFrame(look);
  }
  look();
}

/** Moves focus to the first cell that is still wrong after a column has been pasted. */
function useAfterPaste(
  rows: readonly ShownRow[],
  columns: SisDraft['columns'],
  busy: boolean,
  list: RefObject<HTMLElement | null>,
) {
  const [pastes, setPastes] = useState(0);
  const column = useRef<number | null>(null);
  const begun = useRef(false);
  useEffect(() => {
    if (column.current === null) return;
    if (busy) begun.current = true;
    if (busy || !begun.current) return;
    begun.current = false;
    setPastes((count) => count + 1);
  }, [busy]);
  useEffect(() => {
    const wanted = column.current;
    if (pastes === 0 || wanted === null) return;
    column.current = null;
    const wrong = rows.filter(({ right }) => !right);
    const next =
      wrong.find((one) => openColumns(one, columns).includes(wanted)) ??
      wrong.find((one) => openColumns(one, columns).length > 0);
    const [any] = next ? openColumns(next, columns) : [];
    if (next === undefined || any === undefined) return;
    const at = openColumns(next, columns).includes(wanted) ? wanted : any;
    focusCell(list.current, rows.indexOf(next), cellId(next.row, at));
    // Only a checked paste moves the focus, not the rows that arrive later.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [pastes]);
  return useCallback((at: number) => {
    column.current = at;
  }, []);
}

/** Finds the columns with a problem. They keep their order, so that no column moves during typing. */
function useFirstColumns(
  columns: SisDraft['columns'],
  rows: readonly ShownRow[],
  group: string | null,
): readonly number[] {
  const [kept, keep] = useState<{ group: string | null; first: readonly number[] }>({ group, first: [] });
  const first = kept.group === group ? kept.first : [];
  const marked = new Set(rows.flatMap((one) => openColumns(one, columns)));
  const more = [...marked].filter((at) => !first.includes(at)).sort((a, b) => a - b);
  if (more.length === 0 && kept.group === group) return first;
  const next = [...first, ...more];
  keep({ group, first: next });
  return next;
}

/** Places the actions of a row and the columns with a problem first, so that no scrolling is needed. */
function tableColumnsOf(
  columns: SisDraft['columns'],
  first: readonly number[],
  cells: Cells,
): readonly Column<ShownRow>[] {
  const order = [...first, ...columns.keys()].filter((at, index, all) => all.indexOf(at) === index);
  const fixed = { sortable: false } as const;
  return [
    {
      ...fixed,
      id: 'row',
      header: texts.table.row,
      value: rowKey,
      kind: 'number',
      width: '84px',
      minWidth: 84,
    },
    {
      ...fixed,
      id: 'problem',
      header: texts.table.problem,
      value: wrongOf,
      wrap: true,
      // In px: a percentage of a table wider than the window would take its width from the cells.
      width: '280px',
      minWidth: 280,
      cell: whatOf,
    },
    {
      ...fixed,
      id: 'out',
      header: texts.table.out,
      value: () => '',
      width: '124px',
      minWidth: 124,
      cell: cells.leaveOut,
    },
    ...order.map(
      (at): Column<ShownRow> => ({
        ...fixed,
        id: `c${at}`,
        header: cells.nameOf(at),
        value: (one) => one.cells[at] ?? '',
        minWidth: first.includes(at) ? 180 : 140,
        cell: (one) => cells.cell(one, at),
      }),
    ),
  ];
}

const whatOf = (one: ShownRow) => <What one={one} />;

function wrongOf({ problems, right }: ShownRow): string {
  // One reason may apply to several cells.
  const messages = new Set(problems.map(({ message }) => message));
  return right ? texts.table.corrected : [...messages].join(' ');
}

function What({ one }: { one: ShownRow }) {
  if (!one.right) return <span title={wrongOf(one)}>{wrongOf(one)}</span>;
  return (
    <Box component="span" sx={{ display: 'inline-flex', gap: 0.5, alignItems: 'center' }}>
      <Box component="span" sx={{ color: 'success.main', lineHeight: 0 }}>
        <CheckIcon size={18} />
      </Box>
      {texts.table.corrected}
    </Box>
  );
}

interface CardProps {
  one: ShownRow;
  columns: SisDraft['columns'];
  cells: Cells;
}

function Card({ one, columns, cells }: CardProps) {
  const open = openColumns(one, columns);
  const beside = one.cells
    .flatMap((cell, at) => (cell !== '' && !open.includes(at) ? [at] : []))
    .slice(0, BESIDE);
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gap: 1,
        p: 1.5,
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        bgcolor: 'background.paper',
      }}
    >
      <Box sx={{ display: 'flex', justifyContent: 'space-between', alignItems: 'center', gap: 1 }}>
        <Typography sx={{ fontWeight: 620 }}>{`${texts.table.row} ${grouped(one.row)}`}</Typography>
        {cells.leaveOut(one)}
      </Box>
      <Typography sx={{ overflowWrap: 'anywhere' }}>
        <What one={one} />
      </Typography>
      {[...open, ...beside].map((at) => (
        <Box key={at} sx={{ display: 'grid', gap: 0.25 }}>
          <Typography variant="body2" color="textSecondary">
            {cells.nameOf(at)}
          </Typography>
          <Box sx={{ overflowWrap: 'anywhere' }}>{cells.cell(one, at)}</Box>
        </Box>
      ))}
    </Box>
  );
}
