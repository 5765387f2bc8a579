import { useEffect, useState } from 'react';
import { ApiError, isAbort } from '../../api/errors.ts';
import { nextLook, startWatch, type Watch, type WatchAction, type WatchRules, watch } from './watch.ts';

/** Refusals that looking again does not change. */
const FINAL_REFUSALS: readonly string[] = ['not-allowed', 'not-found', 'bad-request'];

/** What is followed, and how to look at it. Keep it the same between renders. */
export interface Watchable<Seen, Answer> extends WatchRules<Seen, Answer> {
  look: (id: string, signal: AbortSignal) => Promise<Answer>;
}

export interface Watching<Seen> {
  state: Watch<Seen>;
  lookAgain: () => void;
}

/**
 * Follows work while its view is open: one look at a time, silent when a look fails, with growing pauses then, until there
 * is nothing more to see (IMP-05, IMP-06, OP-39). The one hook for everything that goes on.
 * @param id of what is followed, null while there is nothing yet; another id begins anew
 */
export function useWatch<Seen, Answer>(work: Watchable<Seen, Answer>, id: string | null): Watching<Seen> {
  const [kept, keep] = useState({ id, work, state: startWatch(work) });
  const fresh = kept.id === id && kept.work === work ? kept : { id, work, state: startWatch(work) };
  if (fresh !== kept) keep(fresh);
  const { state } = fresh;

  // Each answer makes a new state and each state one look, so that two are never on their way.
  useEffect(() => {
    const wait = nextLook(work, state);
    if (wait === null || id === null) return undefined;
    const controller = new AbortController();
    const tell = (action: WatchAction<Answer>) => {
      if (!controller.signal.aborted) keep({ id, work, state: watch(work, state, action) });
    };
    const look = async () => {
      try {
        tell({ type: 'seen', answer: await work.look(id, controller.signal) });
      } catch (error) {
        if (isAbort(error)) return;
        const refused = error instanceof ApiError && FINAL_REFUSALS.includes(error.code);
        tell(refused ? { type: 'refused', error } : { type: 'missed' });
      }
    };
    const timer = setTimeout(() => void look(), wait);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [work, id, state]);

  return { state, lookAgain: () => keep({ id, work, state: watch(work, state, { type: 'again' }) }) };
}
