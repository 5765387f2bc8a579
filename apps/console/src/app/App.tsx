import { APP_NAME } from '@lms-admin/domain/constants';
import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { queryClient } from '../api/queries.ts';
import { useSession } from '../api/session.ts';
import { LiveRegions } from '../components/Announcer.tsx';
import { fetchDialogs } from '../components/Dialogs/AppDialog.tsx';
import { loadSignedIn } from './later-parts.ts';
import { ScreenBoundary } from './screens/ScreenBoundary.tsx';
import { AuthenticatingScreen } from './sign-in/AuthenticatingScreen.tsx';
import { useEntry } from './sign-in/entry.ts';
import { WelcomeScreen } from './sign-in/WelcomeScreen.tsx';
import { theme } from './theme.ts';

const loadExpiredDialog = () => import('./sign-in/SessionExpiredDialog.tsx');
const SignedIn = lazy(loadSignedIn);

function Gate() {
  const { phase, error } = useEntry();
  const { profile } = useSession();
  if (phase === 'authenticating') return <AuthenticatingScreen />;
  if (phase === 'welcome' || !profile) return <WelcomeScreen error={error} />;
  return (
    <ScreenBoundary title={APP_NAME}>
      <Suspense fallback={null}>
        <SignedIn />
      </Suspense>
    </ScreenBoundary>
  );
}

/** Milliseconds after the first screen until other parts load, including the dialogs, which must always open. */
const FETCH_AHEAD_MS = 2_000;

/** The whole console. */
export function App() {
  useEffect(() => {
    // Loaded in advance: by the time a session ends, a newer server may not have this script.
    const timer = setTimeout(() => {
      Promise.all([loadSignedIn(), loadExpiredDialog(), fetchDialogs()]).catch(() => undefined);
    }, FETCH_AHEAD_MS);
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
