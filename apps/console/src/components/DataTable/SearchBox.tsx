import { CloseIcon, SearchIcon } from '../Icons.tsx';
import { QuietButton, SearchField } from './styles.ts';
import { queryOfList } from './table-rows.ts';
import { texts } from './texts.ts';

interface SearchBoxProps {
  label: string;
  /** Placeholder of the empty field; the label if omitted. */
  hint?: string;
  query: string;
  onQuery: (query: string) => void;
}

/** Search field of a list: Escape and a button clear it. Rows match any of several pasted spreadsheet cells. */
export function SearchBox({ label, hint = label, query, onQuery }: SearchBoxProps) {
  return (
    <SearchField>
      <SearchIcon size={18} />
      <input
        type="search"
        aria-label={label}
        placeholder={hint}
        value={query}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onQuery(event.target.value)}
        onPaste={(event) => {
          // The field itself would join the lines into one word.
          const list = queryOfList(event.clipboardData.getData('text/plain'));
          if (list === null) return;
          event.preventDefault();
          onQuery(list);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || query === '') return;
          // Escape clears the field first; only then can it close a dialog around the table.
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
