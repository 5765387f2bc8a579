import { toolAt } from '@lms-admin/contract/tools';
import type { Permissions } from '@lms-admin/domain/access';
import { styled } from '@mui/material/styles';
import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { ChevronLeftIcon, ChevronRightIcon } from '../../components/Icons.tsx';
import { texts } from '../texts.ts';
import { measures } from '../tokens.ts';
import { AllTools } from './AllTools.tsx';
import { tabsOf } from './place.ts';
import { ToolLink } from './ToolLink.tsx';
import { useOverflow } from './useOverflow.ts';

const Rail = styled('div')(({ theme }) => ({
  position: 'relative',
  backgroundColor: theme.vars.palette.background.paper,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
}));

const Column = styled('div')(({ theme }) => ({
  display: 'flex',
  maxWidth: measures.page,
  margin: '0 auto',
  padding: '0 24px',
  [theme.breakpoints.down('sm')]: { padding: '0 16px' },
}));

const Tabs = styled('div')({ position: 'relative', flex: 1, minWidth: 0 });

const Strip = styled('ul')({
  display: 'flex',
  margin: '0 -8px',
  padding: 0,
  listStyle: 'none',
  overflowX: 'auto',
  scrollBehavior: 'smooth',
  scrollbarWidth: 'none',
  // The strip fades out on a side where more tabs follow, so that nothing is visible beneath the button there.
  '--from': '0px',
  '--to': '0px',
  '&[data-before]': { '--from': '56px' },
  '&[data-after]': { '--to': '80px' },
  maskImage:
    'linear-gradient(to right, transparent calc(var(--from) * 0.45), #000 var(--from), #000 calc(100% - var(--to)), transparent calc(100% - var(--to) * 0.6))',
  '& a': {
    position: 'relative',
    display: 'inline-flex',
    alignItems: 'center',
    gap: 6,
    height: 48,
    padding: '0 8px',
    color: 'var(--lms-palette-text-secondary)',
    fontWeight: 560,
    whiteSpace: 'nowrap',
    textDecoration: 'none',
    '&:hover': { color: 'var(--lms-palette-text-primary)' },
    '&:focus-visible': { outlineOffset: -4, borderRadius: 8 },
    '&::after': {
      content: '""',
      position: 'absolute',
      left: 8,
      right: 8,
      bottom: 0,
      height: 3,
      borderRadius: '3px 3px 0 0',
      backgroundColor: 'transparent',
    },
    '&:hover::after': { backgroundColor: 'var(--lms-palette-divider)' },
    '&[aria-current=page]': { color: 'var(--lms-palette-primary-main)', fontWeight: 650 },
    '&[aria-current=page]::after': { backgroundColor: 'var(--lms-palette-primary-main)' },
  },
});

const Shift = styled('button')(({ theme }) => ({
  position: 'absolute',
  top: 8,
  zIndex: 1,
  display: 'grid',
  placeItems: 'center',
  width: 32,
  height: 32,
  padding: 0,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: '50%',
  backgroundColor: theme.vars.palette.background.paper,
  color: theme.vars.palette.text.primary,
  cursor: 'pointer',
  '&:hover': { backgroundColor: theme.vars.palette.surface.rowSelected },
}));

interface ToolTabsProps {
  record: Permissions;
  /** Address of the external request page; without one, its tab is hidden (OP-15). */
  recordingsUrl: string | null;
  /** Called when a tab is pressed in this window (SHELL-25). */
  onPress: () => void;
}

/**
 * Scrolls a tab into view when it becomes the open tab, or when the open tab is added. Does not use `scrollIntoView`:
 * browsers would then start the next Tab at this tab, past the link that skips to the content.
 */
function bringIntoView(item: Element | null): void {
  const list = item?.parentElement;
  if (!item || !list) return;
  const [one, all] = [item.getBoundingClientRect(), list.getBoundingClientRect()];
  const away = one.left + one.width / 2 - (all.left + all.width / 2);
  list.scrollTo({ left: list.scrollLeft + away, behavior: 'instant' });
}

/**
 * Keeps the open tab visible when the window becomes narrower, a phone is turned, or a tab appears late (the
 * recordings, once the settings are known).
 */
function useOpenInView(strip: RefObject<HTMLUListElement | null>, count: number): void {
  useEffect(() => {
    const list = count > 0 ? strip.current : null;
    if (!list) return undefined;
    const watcher = new ResizeObserver(() => {
      bringIntoView(list.querySelector<HTMLLIElement>('li:has([aria-current=page])'));
    });
    for (const box of [list, ...list.children]) watcher.observe(box);
    return () => watcher.disconnect();
  }, [strip, count]);
}

/** Scrolls the strip. Two presses in a row scroll twice as far, not back to the middle. */
function useShift(strip: RefObject<HTMLUListElement | null>) {
  /** Target position of the current scrolling. */
  const target = useRef<number | null>(null);
  function shift(way: 1 | -1) {
    const list = strip.current;
    if (!list) return;
    const wanted = (target.current ?? list.scrollLeft) + way * list.clientWidth * 0.7;
    target.current = Math.min(Math.max(0, wanted), list.scrollWidth - list.clientWidth);
    list.scrollTo({ left: target.current });
  }
  function arrived() {
    target.current = null;
  }
  return { shift, arrived };
}

/** For pointers only: keys reach every tab, and a focused tab scrolls into view automatically. */
const noStop = { type: 'button', tabIndex: -1 } as const;

/** The tools as a row of links that scrolls when there are many (SHELL-24). */
export function ToolTabs({ record, recordingsUrl, onPress }: ToolTabsProps) {
  const { pathname } = useLocation();
  const current = toolAt(pathname)?.id;
  const strip = useRef<HTMLUListElement>(null);
  const { before, after } = useOverflow(strip);
  const tabs = tabsOf(record, recordingsUrl);

  useOpenInView(strip, tabs.length);
  const { shift, arrived } = useShift(strip);
  if (tabs.length === 0) return null;
  return (
    <Rail>
      <Column>
        <Tabs>
          {before && (
            <Shift {...noStop} aria-label={texts.earlierTabs} style={{ left: -20 }} onClick={() => shift(-1)}>
              <ChevronLeftIcon size={18} />
            </Shift>
          )}
          <nav aria-label={texts.tools}>
            <Strip
              ref={strip}
              onScrollEnd={arrived}
              data-before={before || undefined}
              data-after={after || undefined}
            >
              {tabs.map((tool) => (
                <li key={tool.id} ref={tool.id === current ? bringIntoView : undefined}>
                  <ToolLink
                    path={tool.path}
                    isOpen={tool.id === current}
                    recordingsUrl={recordingsUrl}
                    onOpened={onPress}
                  >
                    {tool.tab}
                  </ToolLink>
                </li>
              ))}
            </Strip>
          </nav>
          {after && (
            <Shift {...noStop} aria-label={texts.laterTabs} style={{ right: 4 }} onClick={() => shift(1)}>
              <ChevronRightIcon size={18} />
            </Shift>
          )}
        </Tabs>
        {tabs.length > 1 && <AllTools record={record} recordingsUrl={recordingsUrl} onPress={onPress} />}
      </Column>
    </Rail>
  );
}
