/** A plan in the making as lines: progress now and then, at last the plan. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProgressLine } from '@lms-admin/contract/enrollments';

/** Least time between two lines of progress, in milliseconds. */
const LINE_MS = 100;

export interface PlanProgress {
  signal: AbortSignal;
  /** Called with progress, as often as something is done. */
  onLine: (line: ProgressLine) => void;
}

/**
 * Makes a plan and tells how far it is, at most every tenth of a second; each line has the newest numbers.
 * @throws what making the plan throws
 */
export async function* planLines<P>(
  make: (progress: PlanProgress) => Promise<P>,
  signal: AbortSignal,
): AsyncGenerator<ProgressLine | { plan: P }, void, void> {
  let latest: ProgressLine | null = null;
  let ended = false;
  let wake = () => {};
  const made = make({
    signal,
    onLine(line) {
      latest = line;
      wake();
    },
  }).finally(() => {
    ended = true;
    wake();
  });
  // Its failure is thrown below, when the reader gets there.
  made.catch(() => {});
  const settled = made.then(
    () => {},
    () => {},
  );
  while (!ended) {
    if (latest === null) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      continue;
    }
    const line: ProgressLine = latest;
    latest = null;
    yield line;
    const timer = new AbortController();
    await Promise.race([settled, sleep(LINE_MS, undefined, { signal: timer.signal }).catch(() => {})]);
    timer.abort();
  }
  const plan = await made;
  if (latest !== null) yield latest;
  yield { plan };
}
