import { useEffect } from 'react';
import { followAccess } from '../../api/access.ts';
import { session } from '../../api/session.ts';
import { noteTools } from './lost-tools.ts';

/** Milliseconds between two questions, while someone looks at the page. */
const EVERY_MS = 4_000;

/** The tabs follow a change of access within 5 seconds on a page that is looked at. A hidden one asks when it is seen again. */
export function useFollowedAccess(visible: boolean): void {
  useEffect(() => session.watch(noteTools), []);
  useEffect(() => {
    if (!visible) return;
    const timer = setInterval(() => {
      const { profile, loginExpired } = session.get();
      // What fails is asked again.
      if (profile !== null && !loginExpired) followAccess().catch(() => undefined);
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [visible]);
}
