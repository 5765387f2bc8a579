import { lazy, Suspense } from 'react';
import { BrowserRouter } from 'react-router';
import { useSession } from '../api/session.ts';
import { Shell } from './shell/Shell.tsx';

const SessionExpiredDialog = lazy(() =>
  import('./sign-in/SessionExpiredDialog.tsx').then(({ SessionExpiredDialog: dialog }) => ({
    default: dialog,
  })),
);

/** The console of a signed-in administrator, with its routes. */
export default function SignedIn() {
  const { loginExpired } = useSession();
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
