/** The server process: reads the environment's settings, logs one line when ready, and stops cleanly on a signal. */
import { buildServer } from './app.ts';
import { loadConfig } from './platform/config.ts';
import { lmsInWords } from './platform/installation.ts';
import { serviceManagerOf } from './platform/service-manager.ts';
import { startFailure } from './platform/start-failure.ts';

/** Time limit for a clean shutdown. */
const STOP_MS = 7_000;
/** Milliseconds to wait for a PostgreSQL server that is starting at the same time. */
const DATABASE_START_MS = 60_000;

try {
  const config = loadConfig(process.env);
  const manager = serviceManagerOf(process.env);
  const server = await buildServer(config, { databaseStartMs: DATABASE_START_MS });
  const stop = () => {
    manager.stopping();
    setTimeout(() => process.exit(1), STOP_MS).unref();
    server.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  // Closing a terminal ends the programs started in it. Otherwise the signal asks for new log files, and there are none here.
  process.on('SIGHUP', () => {
    if (process.stdin.isTTY) stop();
  });
  // The parent process that started this one has died.
  process.once('disconnect', stop);
  await server.listen().catch(async (error: unknown) => {
    await server.close();
    throw error;
  });
  manager.ready();
  console.log(`LMS Admin ready on ${server.url} (with ${lmsInWords(config)})`);
} catch (error) {
  console.error(startFailure(error));
  process.exit(1);
}
