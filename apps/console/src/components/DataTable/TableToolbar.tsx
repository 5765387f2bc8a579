import { type ReactNode, startTransition, useState } from 'react';
import { SearchBox } from './SearchBox.tsx';
import { Line, QuietButton } from './styles.ts';
import { texts } from './texts.ts';

interface TableToolbarProps {
  search: boolean;
  /** Initial search text; later changes are reported to `onQuery`. */
  query: string;
  onQuery: (query: string) => void;
  placeholder: string;
  hint: string | undefined;
  /** 'x of y match', or nothing. */
  found: string | null;
  /** Omitted while no filter is set. */
  onClearFilters?: () => void;
  actions: ReactNode;
}

/** Toolbar of a table: its search field, the matches, and the tool's own buttons. */
export function TableToolbar(props: TableToolbarProps) {
  const { search, query, onQuery, placeholder, hint, found, onClearFilters, actions } = props;
  // State of the field itself, so that only the field renders immediately; the table is updated afterwards.
  const [typed, setTyped] = useState(query);
  function handleQuery(next: string) {
    setTyped(next);
    startTransition(() => onQuery(next));
  }
  return (
    <Line>
      {search && (
        <SearchBox label={placeholder} hint={hint ?? placeholder} query={typed} onQuery={handleQuery} />
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
