/** What is looked after now and then. Every process does it by itself: each round may be run at any time, and twice. */
import type { Logger } from 'pino';

const EVERY_MS = 600_000;

/** Begins the rounds, the first one after a while. @returns ends them, waiting for one that is under way */
export function startRounds(log: Logger, rounds: readonly (() => Promise<void>)[]): () => Promise<void> {
  let running: Promise<void> | null = null;
  const round = async () => {
    for (const one of rounds) {
      await one().catch((error: unknown) => log.error({ err: error }, 'housekeeping'));
    }
  };
  // Processes that started together do not do it in the same moment.
  const timer = setInterval(
    () => {
      running ??= round().finally(() => {
        running = null;
      });
    },
    EVERY_MS * (0.8 + Math.random() * 0.4),
  );
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
