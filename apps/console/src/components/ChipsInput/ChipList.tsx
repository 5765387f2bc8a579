import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { CloseIcon } from '../Icons.tsx';
import { texts } from './texts.ts';
import { type ChipGrid, HEIGHT, useChipGrid } from './useChipGrid.ts';

const Chip = styled('li')(({ theme }) => ({
  position: 'absolute',
  display: 'flex',
  alignItems: 'center',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 6,
  backgroundColor: theme.vars.palette.surface.sunken,
  '& > .entry': {
    flex: 1,
    minWidth: 0,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    paddingInlineStart: 12,
    ...theme.typography.body2,
  },
  '& > button': {
    flex: 'none',
    display: 'grid',
    placeItems: 'center',
    width: 30,
    height: 30,
    padding: 0,
    border: 0,
    borderRadius: 5,
    background: 'none',
    color: theme.vars.palette.text.secondary,
    cursor: 'pointer',
  },
  '& > button:hover': { color: theme.vars.palette.error.main },
  '& > button:focus-visible': { outlineOffset: -2 },
  '&:focus-within': { borderColor: theme.vars.palette.surface.outline },
}));

/** Details of the entries beyond their text. */
export interface EntryDetails {
  /** Name of the list for screen readers; the number of entries if omitted. */
  list?: string;
  /** Content above the list in place of the number of entries. */
  summary: ReactNode;
  /** Renders the content of a chip. */
  render: (entry: string) => ReactNode;
  /** The content of a chip as text, for screen readers. */
  say: (entry: string) => string;
  /** Whether the details are below the entry, which then has the whole width. */
  below?: boolean;
  /** Entries with a problem, placed first in a list that needs search or scrolling. */
  first: ReadonlySet<string>;
}

export interface ChipListProps {
  chips: readonly string[];
  label: string;
  onRemove: (entry: string) => void;
  details?: EntryDetails | undefined;
  /** Returns focus to the field when an arrow key leaves the list or the list is empty. */
  onLeave: () => void;
  /** Receives a function that moves focus to the last chip. */
  focusLast: Ref<() => void>;
}

/** The entries as a grid of chips that renders only the visible ones. Arrow keys move, Delete removes. */
export function ChipList(props: ChipListProps) {
  const { chips, label, details } = props;
  const box = useRef<HTMLDivElement>(null);
  const grid = useChipGrid(box, chips, details);
  const keys = useChipKeys(props, grid);
  return (
    <Box ref={box} sx={{ maxHeight: HEIGHT, overflowY: 'auto', overflowX: 'hidden', pt: '2px' }}>
      <Box
        component="ul"
        aria-label={label}
        sx={{ position: 'relative', m: 0, p: 0, listStyle: 'none', height: grid.height }}
      >
        {grid.inView.map((index) => {
          const entry = chips[index] ?? '';
          return (
            <Chip
              key={entry}
              aria-setsize={chips.length}
              aria-posinset={index + 1}
              style={grid.placeOf(index)}
            >
              <span className="entry" title={entry}>
                {details?.render(entry) ?? entry}
              </span>
              <button
                type="button"
                aria-label={texts.remove(entry, details?.say(entry))}
                tabIndex={index === keys.tabbable ? 0 : -1}
                ref={(element) => keys.keep(index, element)}
                onFocus={() => keys.setActive(index)}
                onKeyDown={(event) => keys.handleKey(event, index, entry)}
                onClick={() => keys.removeAt(index, entry)}
              >
                <CloseIcon size={16} />
              </button>
            </Chip>
          );
        })}
      </Box>
    </Box>
  );
}

/** Finds the target of a key press on a chip, possibly beyond the list; undefined for any other key. */
function targetOf(key: string, index: number, columns: number, count: number): number | undefined {
  const steps: Record<string, number> = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index - columns,
    ArrowDown: index + columns,
    Home: 0,
    End: count - 1,
  };
  return steps[key];
}

/** Moves from chip to chip and removes chips; focus then goes to the chip that takes the removed one's place. */
function useChipKeys({ chips, onRemove, onLeave, focusLast }: ChipListProps, grid: ChipGrid) {
  const { columns, inView, scrollTo } = grid;
  const buttons = useRef(new Map<number, HTMLButtonElement>());
  const [active, setActive] = useState(0);
  const wanted = useRef<number | null>(null);
  const current = Math.min(active, chips.length - 1);

  function goTo(index: number) {
    wanted.current = index;
    setActive(index);
    scrollTo(index);
    buttons.current.get(index)?.focus();
  }
  useImperativeHandle(focusLast, () => () => goTo(chips.length - 1));

  // A distant chip exists only after the list has scrolled to it, so its focus has to wait for that.
  useEffect(() => {
    if (wanted.current === null) return;
    const button = buttons.current.get(wanted.current);
    if (!button) return;
    wanted.current = null;
    button.focus();
  });

  function removeAt(index: number, entry: string) {
    onRemove(entry);
    if (chips.length === 1) return onLeave();
    const next = Math.min(index, chips.length - 2);
    wanted.current = next;
    setActive(next);
  }

  function handleKey(event: KeyboardEvent, index: number, entry: string) {
    const target = targetOf(event.key, index, columns, chips.length);
    if (target !== undefined) {
      event.preventDefault();
      if (target >= 0 && target < chips.length) goTo(target);
      else if (event.key === 'ArrowRight' || event.key === 'ArrowUp') onLeave();
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      removeAt(index, entry);
    }
  }

  return {
    // Tab must reach the list even when the focused chip has been scrolled out of view.
    tabbable: inView.includes(current) ? current : inView[0],
    setActive,
    removeAt,
    handleKey,
    /** Keeps the button of a chip for as long as it is rendered. */
    keep(index: number, element: HTMLButtonElement | null) {
      if (element) buttons.current.set(index, element);
      return () => {
        if (buttons.current.get(index) === element) buttons.current.delete(index);
      };
    },
  };
}
