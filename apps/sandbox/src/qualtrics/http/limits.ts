/** Calls per minute (Qualtrics reference §9), and simultaneous exports. */

import type { QualtricsLimits } from '../../config.ts';
import { MINUTE } from '../store/time.ts';
import { tooMany } from './errors.ts';

export type Counted = 'all' | 'start' | 'progress' | 'file';

export class Limits {
  /** False: without limits. */
  plan: QualtricsLimits | false;
  readonly #now: () => number;
  #minute = 0;
  #used: Record<Counted, number> = { all: 0, start: 0, progress: 0, file: 0 };

  constructor(plan: QualtricsLimits | false, now: () => number) {
    this.plan = plan;
    this.#now = now;
  }

  /** Counts one of the brand's calls, both in total and by kind. @throws QualtricsError 429 */
  enter(kind: Counted): void {
    if (this.plan === false) return;
    const minute = Math.floor(this.#now() / MINUTE);
    if (minute !== this.#minute) this.clear();
    this.#minute = minute;
    const { perMinute } = this.plan;
    if (this.#used.all >= perMinute.all || this.#used[kind] >= perMinute[kind]) throw this.tooFast();
    this.#used.all++;
    if (kind !== 'all') this.#used[kind]++;
  }

  /** @param running number of the user's running exports @throws QualtricsError 429 */
  enterExport(running: number): void {
    if (this.plan !== false && running >= this.plan.exportsAtOnce) throw tooMany(1);
  }

  /** Returns the 429 for exceeding the limit per minute. */
  tooFast() {
    return tooMany(Math.ceil((MINUTE - (this.#now() % MINUTE)) / 1000));
  }

  /** Resets all counts. */
  clear(): void {
    this.#used = { all: 0, start: 0, progress: 0, file: 0 };
  }
}
