/** People of the account, remembered for a minute: each change of a meeting asks for some of them (reference §6). */
import { LRUCache } from 'lru-cache';
import type { ZoomSettings } from '../platform/zoom-settings.ts';
import type { Calls } from './calls.ts';
import { type ZoomClient, ZoomError } from './types.ts';
import { schedulersAnswer, userAnswer } from './wire.ts';

const KEPT_MS = 60_000;
/** Answers that are remembered at most. */
const MOST_KEPT = 2_000;

export function createPeople(
  calls: Calls,
  { defaultOwner, owners: named }: Pick<ZoomSettings, 'defaultOwner' | 'owners'>,
  now: () => number,
): Pick<ZoomClient, 'user' | 'owners' | 'mayHandOver'> {
  const known = new LRUCache<string, Promise<unknown>>({
    max: MOST_KEPT,
    ttl: KEPT_MS,
    ttlResolution: 0,
    perf: { now },
  });

  /** Failures are not remembered. One who leaves ends nothing that others wait for. */
  function kept<T>(key: string, signal: AbortSignal | undefined, ask: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const before = known.get(key);
    if (before) return before as Promise<T>;
    const asked = ask();
    known.set(key, asked);
    asked.catch(() => {
      if (known.peek(key) === asked) known.delete(key);
    });
    return asked;
  }

  const path = (who: string) => `/users/${encodeURIComponent(who)}`;

  const user: ZoomClient['user'] = (who, signal) =>
    kept(`user ${who.toLowerCase()}`, signal, async () => {
      try {
        return await calls.call({
          label: 'Light',
          method: 'GET',
          path: path(who),
          answer: userAnswer,
          about: { who },
        });
      } catch (error) {
        if (error instanceof ZoomError && error.reason === 'host-gone') return null;
        throw error;
      }
    });

  const everybody = (signal?: AbortSignal) =>
    kept('all', signal, () => calls.list('/users?status=active', 'users', userAnswer));

  const schedulersOf = (who: string, signal?: AbortSignal) =>
    kept(`schedulers ${who.toLowerCase()}`, signal, async () => {
      const target = `${path(who)}/schedulers`;
      const { schedulers } = await calls.call({
        label: 'Medium',
        method: 'GET',
        path: target,
        answer: schedulersAnswer,
        about: { who },
      });
      return schedulers;
    });

  return {
    user,
    async owners(signal) {
      const [all, listed, standard] = await Promise.all([
        everybody(signal),
        named ? named.map((email) => ({ email })) : schedulersOf(defaultOwner, signal),
        user(defaultOwner, signal),
      ]);
      if (!standard) {
        const failure = { status: 404, sent: 'answered', detail: 'the default owner is no user' } as const;
        throw new ZoomError('not-found', failure, { reason: 'host-gone', who: defaultOwner });
      }
      const byEmail = new Map(all.map((one) => [one.email, one]));
      // Who is not in the list is not active, and can own nothing.
      const owners = listed.flatMap(({ email }) => byEmail.get(email.toLowerCase()) ?? []);
      return {
        default: standard,
        owners: owners.sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.email < b.email ? -1 : 1)),
      };
    },
    async mayHandOver(from, to, signal) {
      const [one, other] = await Promise.all([user(from, signal), user(to, signal)]);
      if (!one?.licensed || !other?.licensed) return false;
      return (await schedulersOf(from, signal)).some(({ id }) => id === other.id);
    },
  };
}
