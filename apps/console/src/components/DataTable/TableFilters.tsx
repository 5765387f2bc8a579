import { styled } from '@mui/material/styles';
import { useMemo } from 'react';
import { everyRow } from './row-tree.ts';
import { choicesOf } from './table-rows.ts';
import { texts } from './texts.ts';
import type { ChildRows, Column } from './types.ts';
import type { Filters } from './useTableRows.ts';

const FilterField = styled('input')(({ theme }) => ({
  boxSizing: 'border-box',
  width: '100%',
  height: 32,
  padding: '0 6px',
  border: `1px solid ${theme.vars.palette.surface.outline}`,
  borderRadius: 6,
  backgroundColor: theme.vars.palette.background.paper,
  color: theme.vars.palette.text.primary,
  font: 'inherit',
  fontWeight: 400,
  '&:focus-visible': { outlineOffset: -1, borderColor: 'transparent' },
}));

interface TableFiltersProps<Row> {
  columns: readonly Column<Row>[];
  /** All rows, regardless of the search, so that the choices stay the same. */
  rows: readonly Row[];
  childRows: ChildRows<Row> | undefined;
  filters: Filters;
  onFilters: (filters: Filters) => void;
  /** Whether a column of checkboxes comes first. */
  picks: boolean;
  /** Whether the rows are cards. */
  cards: boolean;
}

/** The filter fields below the column heads. */
export function TableFilters<Row>(props: TableFiltersProps<Row>) {
  const { columns, rows, childRows, filters, onFilters, picks, cards } = props;
  const choices = useMemo(
    () =>
      new Map(
        columns
          .filter((column) => column.filter === 'choice')
          .map((column) => [column.id, choicesOf(everyRow(rows, childRows), column)]),
      ),
    [columns, rows, childRows],
  );
  return (
    <tr className="filters" role={cards ? 'row' : undefined}>
      {picks && <td className="pick" role={cards ? 'cell' : undefined} />}
      {columns.map((column) => {
        const value = filters[column.id] ?? '';
        const set = (next: string) => onFilters({ ...filters, [column.id]: next });
        return (
          <td key={column.id} role={cards ? 'cell' : undefined}>
            {column.filter === 'words' && (
              <FilterField
                type="search"
                aria-label={texts.filter(column.header)}
                value={value}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => set(event.target.value)}
                onKeyDown={(event) => {
                  if (event.key !== 'Escape' || value === '') return;
                  // As in the search, Escape clears the field first; only then can it close a dialog.
                  event.stopPropagation();
                  set('');
                }}
              />
            )}
            {column.filter === 'choice' && (
              <FilterField
                as="select"
                aria-label={texts.filter(column.header)}
                value={value}
                onChange={(event: { target: { value: string } }) => set(event.target.value)}
              >
                <option value="">{texts.everything}</option>
                {choices.get(column.id)?.map((choice) => (
                  <option key={choice} value={choice}>
                    {choice}
                  </option>
                ))}
              </FilterField>
            )}
          </td>
        );
      })}
    </tr>
  );
}
