import { useEffect } from 'react';
import { followAccess } from '../../api/access.ts';
import { session } from '../../api/session.ts';
import { noteTools } from './lost-tools.ts';

/** Milliseconds between two requests while the page is visible. */
const EVERY_MS = 4_000;

/** Updates the tabs within 5 seconds of a change of access. A hidden page asks when it is shown again. */
export function useFollowedAccess(visible: boolean): void {
  useEffect(() => session.watch(noteTools), []);
  useEffect(() => {
    if (!visible) return;
    const timer = setInterval(() => {
      const { profile, loginExpired } = session.get();
      // A failed request is repeated at the next interval.
      if (profile !== null && !loginExpired) followAccess().catch(() => undefined);
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [visible]);
}
