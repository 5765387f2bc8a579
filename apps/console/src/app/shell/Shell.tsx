import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useLocation } from 'react-router';
import { useSettings } from '../../api/queries.ts';
import { useProfile } from '../../api/session.ts';
import { SCREENS, TYPED } from '../../tools/index.ts';
import { texts } from '../texts.ts';
import { measures } from '../tokens.ts';
import { ClearedNotice } from './ClearedNotice.tsx';
import { bringBack, type Cleared, clearChosen } from './chosen.ts';
import { Footer } from './Footer.tsx';
import { GUIDE_FLOATS, GUIDE_SPACE, GuideButton } from './GuideButton.tsx';
import { OfflineNotice } from './OfflineNotice.tsx';
import { hasTool, type Place, placeAt } from './place.ts';
import { ToolScreen } from './ToolScreen.tsx';
import { ToolTabs } from './ToolTabs.tsx';
import { TopBar } from './TopBar.tsx';

/** Renders nothing. Loaded after the first screen. If loading fails, the shell works without it. */
const JobNews = lazy(() =>
  import('./JobNews.tsx').then(
    ({ JobNews: news }) => ({ default: news }),
    () => ({ default: () => null }),
  ),
);

/** Loaded only when needed: most access has no end date. */
const AccessNotice = lazy<() => ReactNode>(() =>
  import('./AccessNotice.tsx').then(
    ({ AccessNotice: notice }) => ({ default: notice }),
    () => ({ default: () => null }),
  ),
);

const Skip = styled('a')(({ theme }) => ({
  position: 'absolute',
  left: 16,
  top: -80,
  zIndex: theme.zIndex.tooltip,
  padding: '10px 16px',
  borderRadius: 8,
  backgroundColor: theme.vars.palette.background.paper,
  color: theme.vars.palette.primary.main,
  fontWeight: 650,
  '&:focus': { top: 10 },
}));

/** Chooses the installation's own guide if it has one, otherwise the guide's page about the screen, or its overview. */
function pageOf(place: Place, named: string | null): string {
  if (named !== null) return named;
  if (place.kind === 'activity') return '/guide/activity.html';
  if (place.kind === 'own-access') return '/guide/access.html';
  return place.kind === 'tool' && SCREENS[place.tool.id]
    ? `/guide/${place.tool.id}.html`
    : '/guide/index.html';
}

/** Handles presses on tabs: each press clears the choices of every tool, and offers to restore them. */
function usePresses() {
  const [presses, setPresses] = useState(0);
  const [cleared, setCleared] = useState<Cleared | null>(null);
  function press() {
    // Includes tools whose screen is not open at the moment (SHELL-25, OP-20).
    const now = clearChosen(TYPED);
    if (now !== null) setCleared(now);
    setPresses((count) => count + 1);
  }
  function putBack() {
    if (cleared !== null) bringBack(cleared, TYPED);
    setCleared(null);
    setPresses((count) => count + 1);
  }
  return { presses, cleared: cleared !== null, press, putBack, dismiss: () => setCleared(null) };
}

/** Counts the administrator's moves from one screen to another. */
function useMoves(pathname: string): number {
  const [last, setLast] = useState({ pathname, moves: 0 });
  if (last.pathname !== pathname) {
    // The redirect from `/` is not a move by the administrator.
    setLast({ pathname, moves: last.moves + (last.pathname === '/' ? 0 : 1) });
  }
  return last.moves;
}

/** Everything around the screens of a signed-in administrator: top bar, tabs, notices and footer. */
export function Shell() {
  const { pathname } = useLocation();
  const { sub_account, access_until } = useProfile();
  const settings = useSettings();
  const place = placeAt(pathname, sub_account);
  const { presses, cleared, press, putBack, dismiss } = usePresses();
  const moves = useMoves(pathname);
  const page = pageOf(place, settings?.guide_url ?? null);
  const guide = place.kind === 'tool' && place.tool.guide && settings ? page : null;
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', minHeight: '100vh' }}>
      <Skip href="#content">{texts.skip}</Skip>
      <TopBar settings={settings} />
      <ToolTabs record={sub_account} recordingsUrl={settings?.recordings_url ?? null} onPress={press} />
      <OfflineNotice />
      {access_until !== null && (
        <Suspense>
          <AccessNotice />
        </Suspense>
      )}
      <ClearedNotice offered={cleared} onBringBack={putBack} onDismiss={dismiss} />
      {hasTool(sub_account) && (
        <Suspense>
          <JobNews />
        </Suspense>
      )}
      <Box sx={{ position: 'relative', flex: 1, width: '100%', maxWidth: measures.page, mx: 'auto' }}>
        <Box
          component="main"
          id="content"
          tabIndex={-1}
          sx={{
            px: { xs: 2, sm: 3 },
            py: { xs: 3, sm: 4 },
            '& h1, & h1 + p':
              guide === null
                ? {}
                : {
                    paddingRight: `${GUIDE_SPACE}px`,
                    [`@media (min-width: ${GUIDE_FLOATS}px)`]: { paddingRight: 0 },
                  },
          }}
        >
          {/* Pressing the tab of the open tool restarts the tool. */}
          <ToolScreen
            key={place.kind === 'tool' ? `${place.tool.id} ${presses}` : pathname}
            place={place}
            settings={settings}
            arrived={moves + presses > 0}
          />
        </Box>
        {guide !== null && <GuideButton href={guide} />}
      </Box>
      <Footer institution={settings?.institution ?? null} guide={page} />
    </Box>
  );
}
