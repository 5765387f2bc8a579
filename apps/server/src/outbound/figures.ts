/** Counts of a client's calls, for `/metrics`. */
import type { OutsideOutcome, OutsideStats, RecentCall } from '../platform/outside.ts';
import type { OutboundAnswer } from './answer.ts';
import { OutsideError } from './errors.ts';

/** Calls remembered individually. */
const RECENT = 200;

/** Creates figures that start at zero. `begin` counts a call and returns a function that counts its end. */
export function createFigures() {
  const outcomes: Record<OutsideOutcome, number> = {
    ok: 0,
    rejected: 0,
    throttled: 0,
    down: 0,
    timeout: 0,
    'too-much': 0,
    abandoned: 0,
  };
  const sums = { calls: 0, time: 0, inFlight: 0, highWater: 0 };
  const recent: RecentCall[] = [];
  return {
    begin() {
      const started = performance.now();
      sums.calls++;
      sums.highWater = Math.max(sums.highWater, ++sums.inFlight);
      return (answer: OutboundAnswer | null, error: unknown, throttled: boolean) => {
        sums.inFlight--;
        const ms = performance.now() - started;
        sums.time += ms;
        const outcome = throttled ? 'throttled' : outcomeOf(answer, error);
        outcomes[outcome]++;
        recent.push({ at: Date.now(), ms, outcome });
        if (recent.length > RECENT) recent.shift();
      };
    },
    stats: (): OutsideStats => ({ ...sums, outcomes: { ...outcomes }, recent: [...recent] }),
  };
}

function outcomeOf(answer: OutboundAnswer | null, error: unknown): OutsideOutcome {
  if (error instanceof OutsideError) {
    return error.kind === 'timeout' || error.kind === 'too-much' ? error.kind : 'down';
  }
  // Stopped by LMS Admin, whatever the reason.
  if (error !== null || answer === null) return 'abandoned';
  if (answer.status >= 500) return 'down';
  return answer.status >= 400 ? 'rejected' : 'ok';
}

/** Returns the sum for a client with several outbound connections. */
export function summed(stats: readonly OutsideStats[]): OutsideStats {
  const sum = { ...createFigures().stats() };
  const outcomes = { ...sum.outcomes };
  for (const one of stats) {
    for (const name of ['calls', 'time', 'inFlight', 'highWater'] as const) sum[name] += one[name];
    for (const name of Object.keys(outcomes) as OutsideOutcome[]) outcomes[name] += one.outcomes[name];
  }
  return { ...sum, outcomes, recent: latest(stats.flatMap(({ recent }) => recent)) };
}

const latest = (calls: readonly RecentCall[]) => calls.toSorted((a, b) => a.at - b.at).slice(-RECENT);
