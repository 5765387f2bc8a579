import { useEffect, useState } from 'react';
import { onConnection } from '../../api/connection.ts';
import { ApiError, isAbort } from '../../api/errors.ts';
import { nextPoll, startWatch, type Watch, type WatchAction, type WatchRules, watch } from './watch.ts';

/** Errors that would be the same at every further poll. */
const FINAL_REFUSALS: readonly string[] = ['not-allowed', 'not-found', 'bad-request'];

/** The work to follow, and how to read it. Keep its identity between renders. */
export interface Watchable<Seen, Answer> extends WatchRules<Seen, Answer> {
  read: (id: string, signal: AbortSignal) => Promise<Answer>;
}

export interface Watching<Seen> {
  state: Watch<Seen>;
  pollNow: () => void;
}

/**
 * Follows work while its view is open: one poll at a time, silent when a poll fails, with growing pauses after
 * failures, until the work has reached its final state (IMP-05, IMP-06, OP-39). The one hook for all running work.
 * @param id ID of the work, null if none; another ID starts again
 */
export function useWatch<Seen, Answer>(work: Watchable<Seen, Answer>, id: string | null): Watching<Seen> {
  const [kept, keep] = useState({ id, work, state: startWatch(work) });
  const fresh = kept.id === id && kept.work === work ? kept : { id, work, state: startWatch(work) };
  if (fresh !== kept) keep(fresh);
  const { state } = fresh;

  // Each answer leads to a new state and each state to one poll, so that polls never overlap.
  useEffect(() => {
    const wait = nextPoll(work, state);
    if (wait === null || id === null) return undefined;
    const controller = new AbortController();
    const act = (action: WatchAction<Answer>) => {
      if (!controller.signal.aborted) keep({ id, work, state: watch(work, state, action) });
    };
    const poll = async () => {
      try {
        act({ type: 'seen', answer: await work.read(id, controller.signal) });
      } catch (error) {
        if (isAbort(error)) return;
        const refused = error instanceof ApiError && FINAL_REFUSALS.includes(error.code);
        act(refused ? { type: 'refused', error } : { type: 'missed' });
      }
    };
    const timer = setTimeout(() => void poll(), wait);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [work, id, state]);

  // When the connection is restored, polling resumes without waiting for the end of a long pause, so that work that
  // has ended in the meantime is shown immediately.
  useEffect(
    () =>
      onConnection(() => {
        if (!navigator.onLine) return;
        keep((now) =>
          now.id === null ? now : { ...now, state: watch(now.work, now.state, { type: 'online' }) },
        );
      }),
    [],
  );

  return { state, pollNow: () => keep({ id, work, state: watch(work, state, { type: 'again' }) }) };
}
