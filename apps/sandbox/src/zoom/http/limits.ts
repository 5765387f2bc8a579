/** Zoom's limits (Zoom reference §5): the account's by label, a host's per day, and the limit on tokens. */

import type { FastifyReply } from 'fastify';
import type { ZoomLimits } from '../../config.ts';
import type { Member } from '../store/model.ts';
import type { ZoomStore } from '../store/store.ts';
import { dayOf, MINUTE, nextDay, SECOND, zoomTime } from '../store/time.ts';
import { tokenRefusal, tooMany } from './errors.ts';

export type Label = 'Light' | 'Medium';

const EACH_SECOND = 'You have reached the maximum per-second rate limit for this API. Try again later.';
const AT_ONCE =
  'Too many concurrent requests. A request to change this meeting or user has already been made.';
const EACH_DAY = (until: string) =>
  `You have reached the maximum daily rate limit for this API. Refer to the response header for details on when you can make another request. (${until})`;
const HOST_DAY = (most: number) =>
  `You have exceeded the daily rate limit (${most}) of Meeting Create/Update API requests permitted for this particular user. You may resume these requests at GMT 00:00:00.`;

/** A count within a window of time. */
class Windowed {
  #window: number | string | null = null;
  used = 0;

  /** Restarts the count for a new window. */
  in(window: number | string): this {
    if (window !== this.#window) this.used = 0;
    this.#window = window;
    return this;
  }
}

export class Limits {
  /** False: without limits. */
  plan: ZoomLimits | false;
  readonly #store: ZoomStore;
  readonly #now: () => number;
  readonly #seconds = { Light: new Windowed(), Medium: new Windowed() };
  readonly #days = { Light: new Windowed(), Medium: new Windowed() };
  readonly #tokens = new Windowed();

  constructor(plan: ZoomLimits | false, store: ZoomStore, now: () => number) {
    this.plan = plan;
    this.#store = store;
    this.#now = now;
  }

  /** Counts one of the account's calls and sets the headers. @throws ZoomError 429 */
  enter(label: Label, reply: FastifyReply): void {
    if (this.plan === false) return;
    const now = this.#now();
    const perDay = this.plan.perDay[label];
    const day = this.#days[label].in(dayOf(now));
    if (perDay !== null && day.used >= perDay) {
      const until = zoomTime(nextDay(now));
      throw tooMany(EACH_DAY(until), { ...headers(label, 'Daily-limit', perDay, 0), 'retry-after': until });
    }
    const perSecond = this.plan.perSecond[label];
    const second = this.#seconds[label].in(Math.floor(now / SECOND));
    if (second.used >= perSecond) throw this.tooFast(label);
    day.used++;
    second.used++;
    void reply.headers(headers(label, 'QPS', perSecond, perSecond - second.used));
  }

  /** Returns the 429 for exceeding the limit per second. */
  tooFast(label: Label) {
    const perSecond = this.plan === false ? 0 : this.plan.perSecond[label];
    const reset = String(Math.floor(this.#now() / SECOND) + 1);
    return tooMany(EACH_SECOND, { ...headers(label, 'QPS', perSecond, 0), 'x-ratelimit-reset': reset });
  }

  /** Returns the 429 for a second change while the first is in progress. */
  tooManyAtOnce(label: Label) {
    const perSecond = this.plan === false ? 0 : this.plan.perSecond[label];
    const left = Math.max(0, perSecond - this.#seconds[label].used);
    return tooMany(AT_ONCE, headers(label, 'QPS', perSecond, left));
  }

  /**
   * Counts a request to create or update one of this host's meetings, whatever its result.
   * @throws ZoomError 429 without `Retry-After` and with the account's figures, as observed in Zoom
   */
  enterHostDay(label: Label, host: Member, reply: FastifyReply): void {
    if (this.plan === false) return;
    const most = this.plan.hostDay;
    const used = this.usedToday(host.id);
    if (used >= most) {
      const perDay = this.plan.perDay.Light ?? 60_000;
      const left = Math.max(0, perDay - this.#days.Light.in(dayOf(this.#now())).used);
      throw tooMany(HOST_DAY(most), headers('Light', 'Daily-limit', perDay, left));
    }
    this.#store.hostDays.set(host.id, { day: dayOf(this.#now()), used: used + 1 });
    void reply.headers(headers(label, 'Daily-limit', most, most - used - 1));
  }

  /** Counts the host's requests on this UTC day. */
  usedToday(hostId: string): number {
    const kept = this.#store.hostDays.get(hostId);
    return kept?.day === dayOf(this.#now()) ? kept.used : 0;
  }

  /** Counts a request for a token. @throws ZoomError 429 */
  enterToken(): void {
    if (this.plan === false) return;
    const minute = this.#tokens.in(Math.floor(this.#now() / MINUTE));
    if (minute.used >= this.plan.tokensPerMinute)
      throw tokenRefusal('rate_limit_exceeded', 'Too many token requests', 429);
    minute.used++;
  }

  /** Resets all counts. */
  clear(): void {
    for (const counted of [...Object.values(this.#seconds), ...Object.values(this.#days), this.#tokens])
      counted.used = 0;
  }
}

function headers(
  label: Label,
  type: 'QPS' | 'Daily-limit',
  limit: number,
  remaining: number,
): Record<string, string> {
  return {
    'x-ratelimit-category': label,
    'x-ratelimit-type': type,
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
  };
}
