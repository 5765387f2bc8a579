import { CloseIcon, SearchIcon } from '../Icons.tsx';
import { QuietButton, SearchField } from './styles.ts';
import { queryOfList } from './table-rows.ts';
import { texts } from './texts.ts';

interface SearchBoxProps {
  label: string;
  /** What is in it while it is empty; its name when left out. */
  hint?: string;
  query: string;
  onQuery: (query: string) => void;
}

/** The search of a list: Escape, and a button, empty it. Several cells of a spreadsheet can be pasted: any of them is found. */
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
          // The field itself would make one word of the lines.
          const list = queryOfList(event.clipboardData.getData('text/plain'));
          if (list === null) return;
          event.preventDefault();
          onQuery(list);
        }}
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
