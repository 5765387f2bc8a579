import type { Tool } from '@lms-admin/contract/tools';
import Box from '@mui/material/Box';
import OutlinedInput from '@mui/material/OutlinedInput';
import { styled } from '@mui/material/styles';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { useAnnounce } from '../../components/Announcer.tsx';
import { OutIcon, SearchIcon } from '../../components/Icons.tsx';
import { ACTIVITY_PATH } from '../../components/Job/activity-path.ts';
import { nameOfTool } from '../activity/tool-names.ts';
import { texts } from '../texts.ts';
import { fitsSearch, toolsOf } from './place.ts';

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
  /** The menu closes. */
  onDone: () => void;
}

/** The tools by name: typing narrows them, arrows go through them, Enter opens the first. */
export function AllToolsList({ record, recordingsUrl, onPress, onDone }: AllToolsListProps) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const [typed, setTyped] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const all: Entry[] = [
    ...toolsOf(record, recordingsUrl).map(({ id, path }: Tool) => ({ id, path, name: nameOfTool(id) })),
    { id: 'activity', path: ACTIVITY_PATH, name: texts.activity.title },
  ];
  const found = all.filter(({ name }) => fitsSearch(name, typed));

  function handleType(text: string) {
    setTyped(text);
    announce(texts.toolsFound(all.filter(({ name }) => fitsSearch(name, text)).length));
  }

  function handleOpened({ id }: Entry) {
    // A tool is opened as by its tab; Activity has none.
    if (id !== 'activity') onPress();
    onDone();
  }

  function handleKey(event: KeyboardEvent) {
    const links = [...(list.current?.querySelectorAll('a') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    if (event.key === 'Enter' && at < 0) {
      const [first] = found;
      if (!first || typed.trim() === '') return;
      event.preventDefault();
      if (first.path === null) links[0]?.click();
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
    // The keys are those of the field and of the links inside.
    <Box role="presentation" onKeyDown={handleKey}>
      <Box sx={{ px: 3 }}>
        <OutlinedInput
          autoFocus
          fullWidth
          inputRef={field}
          value={typed}
          placeholder={texts.findTool}
          startAdornment={
            <Box component="span" sx={{ display: 'flex', mr: 1, color: 'text.secondary' }}>
              <SearchIcon />
            </Box>
          }
          inputProps={{ 'aria-label': texts.findTool, autoComplete: 'off', spellCheck: false }}
          onChange={({ target }) => handleType(target.value)}
        />
      </Box>
      {found.length === 0 ? (
        <Box sx={{ px: 3, py: 2, color: 'text.secondary' }}>{texts.noToolFound(typed.trim())}</Box>
      ) : (
        <List ref={list}>
          {found.map((entry) => (
            <li key={entry.id}>
              {entry.path === null ? (
                <a href={recordingsUrl ?? ''} target="_blank" rel="noopener noreferrer" onClick={onDone}>
                  {entry.name}
                  <OutIcon size={15} aria-hidden="false" role="img" aria-label={texts.opensNewWindow} />
                </a>
              ) : (
                <Link
                  to={entry.path}
                  aria-current={entry.path === pathname ? 'page' : undefined}
                  onClick={({ metaKey, ctrlKey, shiftKey, altKey }) => {
                    if (!(metaKey || ctrlKey || shiftKey || altKey)) handleOpened(entry);
                  }}
                >
                  {entry.name}
                </Link>
              )}
            </li>
          ))}
        </List>
      )}
    </Box>
  );
}
