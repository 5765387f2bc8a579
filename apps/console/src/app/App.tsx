import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { BrowserRouter } from 'react-router';
import { queryClient } from '../api/queries.ts';
import { useSession } from '../api/session.ts';
import { LiveRegions } from '../components/Announcer.tsx';
import { fetchDialogs } from '../components/Dialogs/AppDialog.tsx';
import { Shell } from './shell/Shell.tsx';
import { AuthenticatingScreen } from './sign-in/AuthenticatingScreen.tsx';
import { useEntry } from './sign-in/entry.ts';
import { WelcomeScreen } from './sign-in/WelcomeScreen.tsx';
import { theme } from './theme.ts';

const loadExpiredDialog = () => import('./sign-in/SessionExpiredDialog.tsx');
const SessionExpiredDialog = lazy(() =>
  loadExpiredDialog().then(({ SessionExpiredDialog: dialog }) => ({ default: dialog })),
);

function Gate() {
  const { phase, error } = useEntry();
  const { profile, loginExpired } = useSession();
  if (phase === 'authenticating') return <AuthenticatingScreen />;
  if (phase === 'welcome' || !profile) return <WelcomeScreen error={error} />;
  return (
    <BrowserRouter>
      <Shell />
      {loginExpired && (
        <Suspense fallback={null}>
          <SessionExpiredDialog />
        </Suspense>
      )}
    </BrowserRouter>
  );
}

/** Milliseconds after the first screen when the dialogs, which must always open, are fetched. */
const FETCH_DIALOGS_MS = 2_000;

/** The whole console. */
export function App() {
  useEffect(() => {
    // Fetched in advance: when a session ends, the server may be a newer one that has this script no more.
    const timer = setTimeout(() => {
      Promise.all([loadExpiredDialog(), fetchDialogs()]).catch(() => undefined);
    }, FETCH_DIALOGS_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <ThemeProvider theme={theme} storageManager={null} disableTransitionOnChange>
      <CssBaseline enableColorScheme />
      <QueryClientProvider client={queryClient}>
        <Gate />
        <LiveRegions />
      </QueryClientProvider>
    </ThemeProvider>
  );
}
