import type { ImportScreen } from '@lms-admin/domain/import-states';
import { useEffect, useReducer } from 'react';
import { invoke } from '../../api/client.ts';
import { ApiError, isAbort } from '../../api/errors.ts';
import { nextLook, startWatch, type WatchState, watchImport } from './import-watch.ts';

/** Refusals that looking again does not change. */
const FINAL_REFUSALS: readonly string[] = ['not-allowed', 'not-found', 'bad-request'];

/**
 * Follows an import while its view is open: a look every 2 seconds until it has ended, one at a time, silent when a look
 * fails (IMP-05, IMP-06, OP-39).
 * @param id null until the server has the import
 */
export function useImportWatch(
  screen: ImportScreen,
  id: string | null,
): { state: WatchState; lookAgain: () => void } {
  const [state, dispatch] = useReducer(watchImport, screen, startWatch);

  // Each answer makes a new state and each state one look, so that two are never on their way.
  useEffect(() => {
    const wait = nextLook(state, id);
    if (wait === null || id === null) return undefined;
    const controller = new AbortController();
    const look = async () => {
      try {
        const { data } = await invoke('sis-import-status', { import: id }, [], { signal: controller.signal });
        dispatch({ type: 'seen', import: data });
      } catch (error) {
        if (controller.signal.aborted || isAbort(error)) return;
        const refused = error instanceof ApiError && FINAL_REFUSALS.includes(error.code);
        dispatch({ type: refused ? 'refused' : 'missed' });
      }
    };
    // The first look needs no pause: after a reload the import may long have ended.
    const first = state.import === null && state.failures === 0;
    const timer = setTimeout(() => void look(), first ? 0 : wait);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [state, id]);

  return { state, lookAgain: () => dispatch({ type: 'again' }) };
}
