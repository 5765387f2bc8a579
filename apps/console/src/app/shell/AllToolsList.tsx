import type { Tool } from '@lms-admin/contract/tools';
import Box from '@mui/material/Box';
import OutlinedInput from '@mui/material/OutlinedInput';
import { styled } from '@mui/material/styles';
import { type KeyboardEvent, type Ref, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useAnnounce } from '../../components/Announcer.tsx';
import { SearchIcon } from '../../components/Icons.tsx';
import { ACTIVITY_PATH } from '../../components/Job/activity-path.ts';
import { nameOfTool } from '../activity/tool-names.ts';
import { texts } from '../texts.ts';
import { fitsSearch, toolsOf } from './place.ts';
import { OutLink, ToolLink } from './ToolLink.tsx';

const List = styled('ul')({
  listStyle: 'none',
  margin: '8px 0 12px',
  padding: 0,
  '& a': {
    display: 'flex',
    alignItems: 'center',
    gap: 8,
    minHeight: 44,
    padding: '0 24px',
    color: 'inherit',
    textDecoration: 'none',
    '&:hover, &:focus-visible': { backgroundColor: 'var(--lms-palette-surface-rowSelected)' },
    '&:focus-visible': { outlineOffset: -3 },
    '&[aria-current=page]': { color: 'var(--lms-palette-primary-main)', fontWeight: 650 },
  },
});

interface Entry {
  id: string;
  name: string;
  path: string | null;
}

interface AllToolsListProps {
  record: Parameters<typeof toolsOf>[0];
  recordingsUrl: string | null;
  onPress: () => void;
  /** Called when the menu closes. */
  onDone: () => void;
}

const words = {
  findTool: 'Find a tool',
  noToolFound: (query: string) => `You have no tool called “${query}”.`,
  toolsFound: (count: number) => (count === 1 ? '1 tool' : `${count} tools`),
  searchGuide: (query: string) => (query === '' ? 'Search the guide' : `Search the guide for “${query}”`),
};

/** Returns the address of the guide's search for these words; without words, of its search field. */
const guideSearch = (query: string) =>
  query === '' ? '/guide/search.html' : `/guide/search.html?q=${encodeURIComponent(query)}`;

function entriesOf(record: AllToolsListProps['record'], recordingsUrl: string | null): Entry[] {
  return [
    ...toolsOf(record, recordingsUrl).map(({ id, path }: Tool) => ({ id, path, name: nameOfTool(id) })),
    { id: 'activity', path: ACTIVITY_PATH, name: texts.activity.title },
  ];
}

const fitting = (all: readonly Entry[], typed: string) => all.filter(({ name }) => fitsSearch(name, typed));

/**
 * The tools by name: typing narrows the list, arrow keys move, Enter opens the first. The guide is last, because its
 * search also finds words that are not names of tools.
 */
export function AllToolsList({ record, recordingsUrl, onPress, onDone }: AllToolsListProps) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const [typed, setTyped] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const all = entriesOf(record, recordingsUrl);
  const found = fitting(all, typed);

  function handleType(text: string) {
    setTyped(text);
    announce(words.toolsFound(fitting(all, text).length));
  }

  function handleOpened({ id }: Entry) {
    // Same as a press on the tool's tab; Activity has no tab.
    if (id !== 'activity') onPress();
    onDone();
  }

  function handleKey(event: KeyboardEvent) {
    const links = [...(list.current?.querySelectorAll('a') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    if (event.key === 'Enter' && at < 0) {
      const [first] = found;
      if (typed.trim() === '') return;
      event.preventDefault();
      if (!first || first.path === null) links[0]?.click();
      else {
        void navigate(first.path);
        handleOpened(first);
      }
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const next = at + (event.key === 'ArrowDown' ? 1 : -1);
      (next < 0 ? field.current : (links[next] ?? links.at(-1)))?.focus();
    }
  }

  return (
    // Handles the keys of the field and of the links inside.
    <Box role="presentation" onKeyDown={handleKey}>
      <SearchField ref={field} typed={typed} onType={handleType} />
      {found.length === 0 && (
        <Box sx={{ px: 3, pt: 2, color: 'text.secondary' }}>{words.noToolFound(typed.trim())}</Box>
      )}
      <List ref={list}>
        {found.map((entry) => (
          <li key={entry.id}>
            <ToolLink
              path={entry.path}
              isOpen={entry.path === pathname}
              recordingsUrl={recordingsUrl}
              onOpened={() => handleOpened(entry)}
              onLeft={onDone}
            >
              {entry.name}
            </ToolLink>
          </li>
        ))}
        <li>
          <OutLink href={guideSearch(typed.trim())} onLeft={onDone}>
            {words.searchGuide(typed.trim())}
          </OutLink>
        </li>
      </List>
    </Box>
  );
}

interface SearchFieldProps {
  ref: Ref<HTMLInputElement>;
  typed: string;
  onType: (text: string) => void;
}

function SearchField({ ref, typed, onType }: SearchFieldProps) {
  return (
    <Box sx={{ px: 3 }}>
      <OutlinedInput
        autoFocus
        fullWidth
        inputRef={ref}
        value={typed}
        placeholder={words.findTool}
        startAdornment={
          <Box component="span" sx={{ display: 'flex', mr: 1, color: 'text.secondary' }}>
            <SearchIcon />
          </Box>
        }
        inputProps={{ 'aria-label': words.findTool, autoComplete: 'off', spellCheck: false }}
        onChange={({ target }) => onType(target.value)}
      />
    </Box>
  );
}
