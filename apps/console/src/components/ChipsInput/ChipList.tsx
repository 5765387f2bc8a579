import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { CloseIcon } from '../Icons.tsx';
import { texts } from './texts.ts';

const ROW = 40;
/** A line more of a chip. */
const LINE = 20;
const GAP = 8;
/** Width of a character of an address, on average, and of what stands beside the entry in a chip. */
const CHARACTER = 7.5;
const BESIDE = 48;
/** Least width of a chip: most school addresses fit in it; with a name beside it, an entry needs more. */
const CHIP = { plain: 264, detailed: 380 };
/** Height of the list; a longer one scrolls, and part of a row says so. */
const HEIGHT = ROW * 5.5;

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

/** What is known of the entries beyond their text. */
export interface EntryDetails {
  /** Name of the list, for people who hear it; left out for the number of entries. */
  list?: string;
  /** What stands above the list, in place of the number of entries. */
  summary: ReactNode;
  /** What a chip shows. */
  render: (entry: string) => ReactNode;
  /** The same in words, for people who hear it. */
  say: (entry: string) => string;
  /** Whether what is known stands below the entry, which then has the width for itself. */
  below?: boolean;
  /** Entries that come first in a list that has to be searched or scrolled: what is wrong. */
  first: ReadonlySet<string>;
}

export interface ChipListProps {
  chips: readonly string[];
  label: string;
  onRemove: (entry: string) => void;
  details?: EntryDetails | undefined;
  /** Back to the field, when an arrow key leaves the list or nothing is left in it. */
  onLeave: () => void;
  /** Gets the way to move focus to the last chip. */
  focusLast: { current: (() => void) | null };
}

/** The entries as a grid of chips that renders only what is in view. Arrow keys move, Delete removes. */
export function ChipList({ chips, label, onRemove, details, onLeave, focusLast }: ChipListProps) {
  const box = useRef<HTMLDivElement>(null);
  const buttons = useRef(new Map<number, HTMLButtonElement>());
  const [width, setWidth] = useState(0);
  const [active, setActive] = useState(0);
  const wanted = useRef<number | null>(null);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const least = details ? CHIP.detailed : CHIP.plain;
  const columns = Math.max(1, Math.floor((width + GAP) / (least + GAP)));
  const chipWidth = (width - GAP * (columns - 1)) / columns;
  const rows = Math.ceil(chips.length / columns);
  const row = ROW + LINE * (details?.below ? linesOf(chips, chipWidth - BESIDE) : 0);
  // Nothing that it answers is handed on or memoised.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: rows,
    getScrollElement: () => box.current,
    estimateSize: () => row,
    overscan: 4,
  });
  useLayoutEffect(() => virtual.measure(), [virtual, row]);
  const current = Math.min(active, chips.length - 1);

  function goTo(index: number) {
    wanted.current = index;
    setActive(index);
    virtual.scrollToIndex(Math.floor(index / columns));
    buttons.current.get(index)?.focus();
  }
  focusLast.current = () => goTo(chips.length - 1);

  // A chip far away exists only after the list has scrolled to it, so its focus has to wait for that.
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
    const steps: Record<string, number> = {
      ArrowLeft: index - 1,
      ArrowRight: index + 1,
      ArrowUp: index - columns,
      ArrowDown: index + columns,
      Home: 0,
      End: chips.length - 1,
    };
    const target = steps[event.key];
    if (target !== undefined) {
      event.preventDefault();
      if (target >= 0 && target < chips.length) goTo(target);
      else if (event.key === 'ArrowRight' || event.key === 'ArrowUp') onLeave();
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      removeAt(index, entry);
    }
  }

  const inView = virtual
    .getVirtualItems()
    .flatMap((row) =>
      Array.from({ length: columns }, (_, column) => row.index * columns + column).filter(
        (index) => index < chips.length,
      ),
    );
  // Tab must find the list even when the chip that had the focus has been scrolled out of the page.
  const tabbable = inView.includes(current) ? current : inView[0];

  return (
    <Box ref={box} sx={{ maxHeight: HEIGHT, overflowY: 'auto', overflowX: 'hidden', pt: '2px' }}>
      <Box
        component="ul"
        aria-label={label}
        sx={{ position: 'relative', m: 0, p: 0, listStyle: 'none', height: rows * row }}
      >
        {inView.map((index) => {
          const entry = chips[index] ?? '';
          return (
            <Chip
              key={entry}
              aria-setsize={chips.length}
              aria-posinset={index + 1}
              style={{
                top: Math.floor(index / columns) * row,
                height: row - GAP,
                left: (index % columns) * (chipWidth + GAP),
                width: chipWidth,
              }}
            >
              <span className="entry" title={entry}>
                {details?.render(entry) ?? entry}
              </span>
              <button
                type="button"
                aria-label={texts.remove(entry, details?.say(entry))}
                tabIndex={index === tabbable ? 0 : -1}
                ref={(element) => {
                  if (element) buttons.current.set(index, element);
                  return () => {
                    if (buttons.current.get(index) === element) buttons.current.delete(index);
                  };
                }}
                onFocus={() => setActive(index)}
                onKeyDown={(event) => handleKey(event, index, entry)}
                onClick={() => removeAt(index, entry)}
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

/** Lines that the longest entry takes: all chips are of one height. */
function linesOf(chips: readonly string[], width: number): number {
  const longest = chips.reduce((most, { length }) => Math.max(most, length), 0);
  return longest * CHARACTER > width ? 2 : 1;
}
