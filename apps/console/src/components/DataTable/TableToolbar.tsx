import type { ReactNode } from 'react';
import { CloseIcon, SearchIcon } from '../Icons.tsx';
import { Line, QuietButton, SearchField } from './styles.ts';
import { texts } from './texts.ts';

interface TableToolbarProps {
  search: boolean;
  query: string;
  onQuery: (query: string) => void;
  placeholder: string;
  /** 'x of y match', or nothing. */
  found: string | null;
  /** Left out while no filter is set. */
  onClearFilters?: () => void;
  actions: ReactNode;
}

/** Above a table: its search field, what the search found, and the tool's own buttons. */
export function TableToolbar(props: TableToolbarProps) {
  const { search, query, onQuery, placeholder, found, onClearFilters, actions } = props;
  return (
    <Line>
      {search && (
        <SearchField>
          <SearchIcon size={18} />
          <input
            type="search"
            aria-label={placeholder}
            placeholder={placeholder}
            value={query}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => onQuery(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || query === '') return;
              // Escape empties the field first; only then may it close a dialog around the table.
              event.stopPropagation();
              onQuery('');
            }}
          />
          {query !== '' && (
            <QuietButton
              type="button"
              aria-label={texts.clearSearch}
              style={{ position: 'absolute', right: 2, top: 2 }}
              onClick={(event) => {
                onQuery('');
                event.currentTarget.parentElement?.querySelector('input')?.focus();
              }}
            >
              <CloseIcon size={16} />
            </QuietButton>
          )}
        </SearchField>
      )}
      {found !== null && <span>{found}</span>}
      {onClearFilters && (
        <QuietButton type="button" className="underlined" onClick={onClearFilters}>
          {texts.clearFilters}
        </QuietButton>
      )}
      {actions !== undefined && <div style={{ marginLeft: 'auto', display: 'flex', gap: 8 }}>{actions}</div>}
    </Line>
  );
}
