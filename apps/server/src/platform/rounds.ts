/** Regular background work. Every process does it independently: it is safe to run a round at any time, and twice. */
import type { Logger } from 'pino';

const EVERY_MS = 600_000;

/** Starts the rounds, the first one after a delay. @returns a function that ends them and waits for a running one */
export function startRounds(log: Logger, rounds: readonly (() => Promise<void>)[]): () => Promise<void> {
  let running: Promise<void> | null = null;
  const round = async () => {
    for (const one of rounds) {
      await one().catch((error: unknown) => log.error({ err: error }, 'housekeeping'));
    }
  };
  // Processes that started together must not run their rounds at the same moment.
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
