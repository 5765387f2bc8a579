/** The server as a process: settings from the environment, one line when it is ready, a clean end on a signal. */
import { buildServer } from './app.ts';
import { loadConfig } from './platform/config.ts';
import { lmsInWords } from './platform/installation.ts';
import { startFailure } from './platform/start-failure.ts';

/** Longest that a clean end may take. */
const STOP_MS = 7_000;

try {
  const config = loadConfig(process.env);
  const server = await buildServer(config);
  const stop = () => {
    setTimeout(() => process.exit(1), STOP_MS).unref();
    server.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  // Started by a parent that has died, however it died.
  process.once('disconnect', stop);
  await server.listen().catch(async (error: unknown) => {
    await server.close();
    throw error;
  });
  console.log(`LMS Admin ready on ${server.url} (${lmsInWords(config)})`);
} catch (error) {
  console.error(startFailure(error));
  process.exit(1);
}
