/** People of the account, cached for a minute: each change of a meeting needs some of them (reference §6). */
import { LRUCache } from 'lru-cache';
import type { ZoomSettings } from '../platform/zoom-settings.ts';
import type { Calls } from './calls.ts';
import { at, orNull } from './meetings.ts';
import { type ZoomClient, ZoomError } from './types.ts';
import { schedulersAnswer, userAnswer } from './wire.ts';

const KEPT_MS = 60_000;
/** Maximum number of cached answers. */
const MOST_KEPT = 2_000;

type People = Pick<ZoomClient, 'user' | 'owners' | 'mayHandOver'>;

export function createPeople(
  calls: Calls,
  { defaultOwner, owners: named }: Pick<ZoomSettings, 'defaultOwner' | 'owners'>,
  now: () => number,
): People {
  const { user, active, schedulersOf } = lookups(calls, new Remembered(now));
  return {
    user,
    async owners(signal) {
      const [all, listed, standard] = await Promise.all([
        active(signal),
        named ? named.map((email) => ({ email })) : schedulersOf(defaultOwner, signal),
        user(defaultOwner, signal),
      ]);
      if (!standard) {
        const failure = {
          status: 404,
          sent: 'answered',
          detail: 'the default owner is not a Zoom user',
        } as const;
        throw new ZoomError('not-found', failure, { reason: 'host-gone', who: defaultOwner });
      }
      const byEmail = new Map(all.map((one) => [one.email, one]));
      // A person who is not in the list is not active, and cannot own meetings.
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

/** Answers of the last minute. */
class Remembered {
  readonly #answers: LRUCache<string, Promise<unknown>>;

  constructor(now: () => number) {
    this.#answers = new LRUCache({ max: MOST_KEPT, ttl: KEPT_MS, ttlResolution: 0, perf: { now } });
  }

  /** Returns a cached answer or makes the call. Failures are not cached. Callers who leave do not stop shared calls. */
  orAsk<T>(key: string, signal: AbortSignal | undefined, ask: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const before = this.#answers.get(key);
    if (before) return before as Promise<T>;
    const answer = ask();
    this.#answers.set(key, answer);
    answer.catch(() => {
      if (this.#answers.peek(key) === answer) this.#answers.delete(key);
    });
    return answer;
  }
}

/** Looks up one person, all active people, and a person's schedulers. */
function lookups(calls: Calls, remembered: Remembered) {
  const path = (who: string) => at('users', who);

  const user: ZoomClient['user'] = (who, signal) =>
    remembered.orAsk(`user ${who.toLowerCase()}`, signal, () => {
      const call = { label: 'Light', method: 'GET', answer: userAnswer, about: { who } } as const;
      return orNull('host-gone', calls.call({ ...call, path: path(who) }));
    });

  const active = (signal?: AbortSignal) =>
    remembered.orAsk('all', signal, () => calls.list('/users?status=active', 'users', userAnswer));

  const schedulersOf = (who: string, signal?: AbortSignal) =>
    remembered.orAsk(`schedulers ${who.toLowerCase()}`, signal, async () => {
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

  return { user, active, schedulersOf };
}
