/** How far counted work is, and an estimate of how long it still takes, made of true numbers. Pure. */

export interface Pace {
  /** What is counted: another stage is counted, and estimated, on its own. */
  stage: string;
  done: number;
  /** Null while no one knows how much there is. */
  total: number | null;
  /** Milliseconds of the first figure of the stage, by the clock that the caller uses, and what was done by then. */
  since: number;
  from: number;
  now: number;
}

/** The next figures. Some that are older than what is shown (fewer done) do not turn the bar back. */
export function advance(
  before: Pace | null,
  { stage, done, total }: Pick<Pace, 'stage' | 'done' | 'total'>,
  now: number,
): Pace {
  if (before?.stage !== stage) return { stage, done, total, since: now, from: done, now };
  return { ...before, done: Math.max(before.done, done), total, now };
}

/** Percent done, whole, 0 to 100; null while no one knows how much there is. */
export function percent({ done, total }: Pick<Pace, 'done' | 'total'>): number | null {
  if (total === null) return null;
  return total === 0 ? 0 : Math.min(100, Math.floor((done / total) * 100));
}

/** Seconds still to go by the pace so far; null while there is too little to judge by. */
export function secondsLeft({ done, total, since, from, now }: Omit<Pace, 'stage'>): number | null {
  const elapsed = (now - since) / 1000;
  const progress = done - from;
  if (total === null || elapsed < 1 || progress < 3 || done >= total) return null;
  return Math.max(1, Math.round(((total - done) * elapsed) / progress));
}
