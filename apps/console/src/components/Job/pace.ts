/** Progress of counted work, and an estimate of the remaining time, from real numbers. Pure. */

export interface Pace {
  /** The stage that is counted: each stage is counted and estimated separately. */
  stage: string;
  done: number;
  /** Null while the total is unknown. */
  total: number | null;
  /** Time of the stage's first figure by the caller's clock, in milliseconds, and the count at that time. */
  since: number;
  from: number;
  now: number;
}

/** Adds new figures. Older ones (fewer done) do not move the bar back. */
export function advance(
  before: Pace | null,
  { stage, done, total }: Pick<Pace, 'stage' | 'done' | 'total'>,
  now: number,
): Pace {
  if (before?.stage !== stage) return { stage, done, total, since: now, from: done, now };
  return { ...before, done: Math.max(before.done, done), total, now };
}

/** Returns the whole percentage done, 0 to 100; null while the total is unknown. */
export function percent({ done, total }: Pick<Pace, 'done' | 'total'>): number | null {
  if (total === null) return null;
  return total === 0 ? 0 : Math.min(100, Math.floor((done / total) * 100));
}

/** Estimates the seconds left at the pace so far; null while there is too little data. */
export function secondsLeft({ done, total, since, from, now }: Omit<Pace, 'stage'>): number | null {
  const elapsed = (now - since) / 1000;
  const progress = done - from;
  if (total === null || elapsed < 1 || progress < 3 || done >= total) return null;
  return Math.max(1, Math.round(((total - done) * elapsed) / progress));
}
