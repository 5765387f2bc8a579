/** Looks now and then whether the directory is to be read again. Every server does it: of two that find so at once, one begins. */
import type { Logger } from 'pino';
import type { Jobs } from '../jobs/jobs.ts';
import type { Directory } from './directory.ts';

const EVERY_MS = 60_000;

/** The first look comes after a while: a start has enough to do. @returns ends it, waiting for a look that is under way */
export function startDirectoryRounds(directory: Directory, jobs: Jobs, log: Logger): () => Promise<void> {
  let running: Promise<void> | null = null;
  let stopped = false;
  const look = () => {
    running ??= directory
      .refreshWhenDue(jobs)
      .catch((error: unknown) => {
        if (!stopped) log.warn({ err: error }, 'the directory could not be refreshed yet; tried again');
      })
      .finally(() => {
        running = null;
      });
  };
  const timer = setInterval(look, EVERY_MS);
  timer.unref();
  return async () => {
    stopped = true;
    clearInterval(timer);
    await running;
  };
}
