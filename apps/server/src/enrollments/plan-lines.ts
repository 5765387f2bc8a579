/** A plan in the making as lines: progress now and then, at last the plan. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlanLine, PlanRequest } from '@lms-admin/contract/enrollments';
import type { Admin } from '../access/admin.ts';
import type { Plans } from './plans.ts';

/** Least time between two lines of progress, in milliseconds. */
const LINE_MS = 100;

/**
 * Makes a plan and tells how far it is, at most every tenth of a second; each line has the newest numbers.
 * @throws what making the plan throws
 */
export async function* planLines(
  plans: Plans,
  admin: Admin,
  request: PlanRequest,
  signal: AbortSignal,
): AsyncGenerator<PlanLine, void, void> {
  let latest: PlanLine | null = null;
  let ended = false;
  let wake = () => {};
  const made = plans
    .make(admin, request, {
      signal,
      onLine(line) {
        latest = line;
        wake();
      },
    })
    .finally(() => {
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
    const line: PlanLine = latest;
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
