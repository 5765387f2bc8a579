import Paper from '@mui/material/Paper';
import Popper from '@mui/material/Popper';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useEffect, useId, useMemo, useState } from 'react';
import { useProfile } from '../../api/session.ts';
import { useAnnounce } from '../Announcer.tsx';
import type { EntrySuggestionsProps } from '../ChipsInput/suggestions.ts';
import { asOfWords } from '../moments.ts';
import { texts } from './texts.ts';
import { type Suggestion, useSuggestions } from './useSuggestions.ts';

/** Few enough to be read at a glance. */
const MOST = 8;

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: '4px 0',
  listStyle: 'none',
  maxHeight: 360,
  overflowY: 'auto',
  '& li': { padding: '6px 14px', cursor: 'pointer', overflowWrap: 'anywhere' },
  '& li[aria-selected=true], & li:hover': { backgroundColor: theme.vars.palette.surface.rowSelected },
  '& .quiet': { ...theme.typography.body2, color: theme.vars.palette.text.secondary },
}));

/**
 * People whose name contains the typed text, below the field: an arrow key and Enter, or a press, chooses one. Enter
 * without an arrow key confirms the text itself, as usual.
 */
export function NameSuggestions(props: EntrySuggestionsProps) {
  const { kind, text, chips, field, onKeys, onOpen, onChoose } = props;
  const list = useId();
  // The index reached with the arrow keys, and the list of people that it belongs to.
  const [active, setActive] = useState<{ of: readonly Suggestion[]; at: number } | null>(null);
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const { people: all, asOf } = useSuggestions(kind, text, chips, MOST);
  const zone = useProfile().userProfile.time_zone;
  const found = useMemo(() => all.slice(0, MOST), [all]);
  const open = found.length > 0 && closedFor !== text;
  const at = open && active?.of === found ? active.at : -1;
  const announce = useAnnounce();
  useEffect(() => {
    if (found.length > 0) announce(texts.suggested(found.length));
  }, [announce, found]);
  useEffect(() => {
    onOpen(open ? { list, active: at < 0 ? null : optionId(list, at) } : null);
    return () => onOpen(null);
  }, [onOpen, open, list, at]);
  useKeys(onKeys, {
    found: open ? found : [],
    at,
    onMove: (to) => setActive({ of: found, at: to }),
    onClose: () => setClosedFor(text),
    onChoose: ({ entry }) => onChoose(entry),
  });

  if (!open) return null;
  return (
    <Popper
      open
      role="presentation"
      anchorEl={field.current}
      // Not inside the card of a list, because the suggestions would be cut off at its edge.
      container={() => field.current?.closest('main, [role=dialog]') ?? document.body}
      placement="bottom-start"
      style={{ width: field.current?.offsetWidth, zIndex: 'var(--lms-zIndex-tooltip, 1500)' }}
    >
      <Paper variant="outlined" elevation={0} sx={{ mt: 0.5 }}>
        <List
          id={list}
          role="listbox"
          aria-label={texts.suggestions}
          // The field keeps the focus; otherwise its text would be confirmed unchanged.
          onMouseDown={(event) => event.preventDefault()}
        >
          {found.map((one, index) => (
            <Option
              key={one.entry}
              id={optionId(list, index)}
              one={one}
              selected={index === at}
              onChoose={onChoose}
            />
          ))}
        </List>
        {(all.length > MOST || asOf !== null) && (
          <Typography variant="body2" color="textSecondary" sx={{ px: 1.75, pb: 1 }}>
            {[
              ...(asOf === null ? [] : [asOfWords(asOf, zone)]),
              ...(all.length > MOST ? [texts.moreNames] : []),
            ].join(' ')}
          </Typography>
        )}
      </Paper>
    </Popper>
  );
}

interface OptionProps extends Pick<EntrySuggestionsProps, 'onChoose'> {
  id: string;
  one: Suggestion;
  selected: boolean;
}

function Option({ id, one, selected, onChoose }: OptionProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field handles the keys
    <li id={id} role="option" aria-selected={selected} onClick={() => onChoose(one.entry)}>
      {one.name} <span className="quiet">{one.entry}</span>
    </li>
  );
}

const optionId = (list: string, index: number) => `${list}-${index}`;

interface ListKeys {
  found: readonly Suggestion[];
  at: number;
  onMove: (to: number) => void;
  onClose: () => void;
  onChoose: (one: Suggestion) => void;
}

/** Handles the keys of the field while the list is open. */
function useKeys(onKeys: EntrySuggestionsProps['onKeys'], list: ListKeys): void {
  useEffect(() => {
    const { found, at, onMove, onClose, onChoose } = list;
    onKeys((key) => {
      if (found.length === 0) return false;
      const chosen = found[at];
      if (key === 'ArrowDown') onMove((at + 1) % found.length);
      else if (key === 'ArrowUp') onMove(at <= 0 ? found.length - 1 : at - 1);
      else if (key === 'Escape') onClose();
      else if (key === 'Enter' && chosen) onChoose(chosen);
      else return false;
      return true;
    });
    return () => onKeys(null);
  });
}
