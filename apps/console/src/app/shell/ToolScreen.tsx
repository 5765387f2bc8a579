import { messages } from '@lms-admin/contract/messages';
import type { PublicSettings } from '@lms-admin/contract/settings';
import { APP_NAME } from '@lms-admin/domain/constants';
import { createElement, lazy, type ReactNode, Suspense, useEffect } from 'react';
import { Navigate } from 'react-router';
import { SCREENS } from '../../tools/index.ts';
import { NoPermissionScreen } from '../screens/NoPermissionScreen.tsx';
import { ScreenBoundary } from '../screens/ScreenBoundary.tsx';
import { ScreenLoading } from '../screens/ScreenLoading.tsx';
import { texts } from '../texts.ts';
import { setTitle } from './page-title.ts';
import type { Place } from './place.ts';

const ActivityScreen = lazy(() =>
  import('../activity/ActivityScreen.tsx').then(({ ActivityScreen: screen }) => ({ default: screen })),
);
const JobScreen = lazy(() =>
  import('../activity/JobScreen.tsx').then(({ JobScreen: screen }) => ({ default: screen })),
);

const NotFoundScreen = lazy(() =>
  import('../screens/NotFoundScreen.tsx').then(({ NotFoundScreen: screen }) => ({ default: screen })),
);

const MyAccess = lazy(() =>
  import('../access/MyAccess.tsx').then(({ MyAccess: screen }) => ({ default: screen })),
);

function titleOf(place: Place): string | null {
  switch (place.kind) {
    case 'tool':
      return place.tool.tab ?? (place.tool.id === 'system' ? texts.system : texts.awardImport);
    case 'not-found':
      return messages.shell.notFound;
    case 'no-permission':
      return texts.noToolTitle;
    case 'activity':
      return texts.activity.title;
    case 'own-access':
      return texts.ownAccess;
    case 'redirect':
      return null;
  }
}

interface ToolScreenProps {
  place: Place;
  settings: PublicSettings | null;
  /** Whether the administrator came from another screen of the console, so that focus goes to the new heading. */
  arrived: boolean;
}

/** The screen of a place, loaded when it is first opened, with its own error boundary. */
export function ToolScreen({ place, settings, arrived }: ToolScreenProps) {
  const title = titleOf(place);
  useEffect(() => {
    if (title !== null) setTitle(`${title} · ${APP_NAME}`);
  }, [title]);
  return (
    <ScreenBoundary title={title ?? APP_NAME}>
      <Suspense fallback={<ScreenLoading />}>
        {screenOf(place, settings)}
        {arrived && <Arrival />}
      </Suspense>
    </ScreenBoundary>
  );
}

function screenOf(place: Place, settings: PublicSettings | null): ReactNode {
  const email = settings?.it_support_email ?? null;
  switch (place.kind) {
    case 'redirect':
      return <Navigate to={place.to} replace />;
    case 'no-permission':
      return <NoPermissionScreen email={email} />;
    case 'not-found':
      return <NotFoundScreen />;
    case 'activity':
      return place.job === null ? <ActivityScreen /> : <JobScreen key={place.job} id={place.job} />;
    case 'own-access':
      return <MyAccess />;
    case 'tool': {
      const screen = SCREENS[place.tool.id];
      return screen ? createElement(screen) : <NotFoundScreen />;
    }
  }
}

/** Moves focus to the heading once the screen and its script are loaded. */
function Arrival() {
  useEffect(() => focusHeading(), []);
  return null;
}

/** Moves focus to the heading of a new screen, or to the main part, so that screen readers continue there. */
function focusHeading(): void {
  const main = document.querySelector<HTMLElement>('main');
  const heading = main?.querySelector<HTMLElement>('h1') ?? main;
  if (!heading) return;
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  window.scrollTo({ top: 0 });
}
