/**
 * Checks at intervals whether the directory is due for a refresh, on all servers; only one of them starts it. Each
 * server prepares its own search by name.
 */
import type { Logger } from 'pino';
import type { Jobs } from '../jobs/jobs.ts';
import type { Directory } from './directory.ts';
import type { NameSearch } from './name-search.ts';

const EVERY_MS = 60_000;

/**
 * Starts the checks after a delay, since startup is busy.
 * @returns a function that ends them and waits for a running one
 */
export function startDirectoryRounds(
  { directory, names }: { directory: Directory; names: NameSearch },
  jobs: Jobs,
  log: Logger,
): () => Promise<void> {
  let running: Promise<void> | null = null;
  let stopped = false;
  const look = () => {
    running ??= directory
      .refreshWhenDue(jobs)
      .catch((error: unknown) => {
        if (!stopped)
          log.warn({ err: error }, 'the directory could not be refreshed yet; it will be tried again');
      })
      .then(() => names.keepCurrent())
      .catch((error: unknown) => {
        if (!stopped) log.warn({ err: error }, 'the names of the directory could not be read yet');
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
