/** The latest calls to other systems: how long they took, and how they ended. */
import type { SystemOutside } from '@lms-admin/contract/system';
import { type OutsideOutcome, type OutsideSystem, shortName } from '../../platform/outside.ts';

const MINUTES = 15;
/** Outcomes that are failures of the other system. */
const FAILED: ReadonlySet<OutsideOutcome> = new Set(['down', 'timeout', 'too-much']);

export function outsideOf(systems: readonly OutsideSystem[], now: number): SystemOutside {
  const since = now - MINUTES * 60_000;
  return {
    minutes: MINUTES,
    systems: systems.map((one) => {
      const { calls, recent } = one.stats();
      const latest = recent.filter(({ at }) => at >= since);
      const times = latest.map(({ ms }) => ms).toSorted((a, b) => a - b);
      return {
        system: shortName(one.system),
        calls: latest.length,
        median: whole(times[Math.floor((times.length - 1) / 2)]),
        slowest: whole(times.at(-1)),
        throttled: latest.filter(({ outcome }) => outcome === 'throttled').length,
        failed: latest.filter(({ outcome }) => FAILED.has(outcome)).length,
        total: calls,
      };
    }),
  };
}

const whole = (ms: number | undefined) => (ms === undefined ? null : Math.round(ms));
