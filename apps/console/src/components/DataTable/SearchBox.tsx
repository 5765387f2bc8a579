import { CloseIcon, SearchIcon } from '../Icons.tsx';
import { QuietButton, SearchField } from './styles.ts';
import { texts } from './texts.ts';

interface SearchBoxProps {
  /** Its name, and what stands in it while it is empty. */
  label: string;
  query: string;
  onQuery: (query: string) => void;
}

/** The search of a list: Escape, and a button, empty it. */
export function SearchBox({ label, query, onQuery }: SearchBoxProps) {
  return (
    <SearchField>
      <SearchIcon size={18} />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
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
  );
}
