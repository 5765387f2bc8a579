/** The server as a process: settings from the environment, one line when it is ready, a clean end on a signal. */
import { buildServer } from './app.ts';
import { ConfigError, loadConfig } from './platform/config.ts';

/** Longest that a clean end may take. */
const STOP_MS = 7_000;

try {
  const server = await buildServer(loadConfig(process.env));
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
  await server.listen();
  console.log(`LMS Admin ready on ${server.url}`);
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
}
