import { grouped } from '@lms-admin/domain/numbers';
import { ChevronLeftIcon, ChevronRightIcon } from '../Icons.tsx';
import { Line, QuietButton, SizeSelect } from './styles.ts';
import type { PageOfRows } from './table-rows.ts';
import { texts } from './texts.ts';

interface TableFooterProps {
  label: string;
  count: number;
  counts: (rows: number) => string;
  page: PageOfRows;
  onPage: (page: number) => void;
  sizes: readonly number[] | undefined;
  size: number | null;
  onSize: (size: number) => void;
  /** Null for a table without selection. */
  selected: number | null;
  /** Selected rows that the search hides. */
  hidden: number;
  onClear: () => void;
  /** Nothing has arrived yet, so there is nothing to count. */
  waiting: boolean;
}

/** Footer of a table: the number of selected rows, always visible, and the page buttons. */
export function TableFooter(props: TableFooterProps) {
  const { label, count, counts, page, onPage, sizes, size, onSize, selected, hidden, onClear, waiting } =
    props;
  return (
    <Line>
      {selected !== null && (
        <span>
          <strong style={{ color: 'var(--lms-palette-text-primary)', fontWeight: 650 }}>
            {texts.selected(selected)}
          </strong>
          {hidden > 0 && `, ${texts.hidden(hidden)}`}
        </span>
      )}
      {selected !== null && selected > 0 && (
        <QuietButton type="button" className="underlined" onClick={onClear}>
          {texts.clearSelection}
        </QuietButton>
      )}
      <span style={{ flex: 1 }} />
      {sizes === undefined ? (
        <span>{waiting ? null : counts(count)}</span>
      ) : (
        <>
          <label style={{ display: 'inline-flex', alignItems: 'center', gap: 8 }}>
            {texts.rowsPerPage}
            <SizeSelect value={size ?? ''} onChange={(event) => onSize(Number(event.target.value))}>
              {sizes.map((one) => (
                <option key={one} value={one}>
                  {grouped(one)}
                </option>
              ))}
            </SizeSelect>
          </label>
          <span>{waiting ? null : texts.range(page.start, page.end, count)}</span>
          <span role="group" aria-label={label} style={{ display: 'inline-flex' }}>
            <QuietButton
              type="button"
              aria-label={texts.previousPage}
              disabled={page.page === 0}
              onClick={() => onPage(page.page - 1)}
            >
              <ChevronLeftIcon />
            </QuietButton>
            <QuietButton
              type="button"
              aria-label={texts.nextPage}
              disabled={page.page >= page.pages - 1}
              onClick={() => onPage(page.page + 1)}
            >
              <ChevronRightIcon />
            </QuietButton>
          </span>
        </>
      )}
    </Line>
  );
}
