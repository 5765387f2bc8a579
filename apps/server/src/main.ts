/** The server as a process: settings from the environment, one line when it is ready, a clean end on a signal. */
import { buildServer } from './app.ts';
import { ConfigError, loadConfig } from './platform/config.ts';
import { FolderInUse } from './platform/lock.ts';

/** Longest that a clean end may take. */
const STOP_MS = 7_000;

/** Failures that a person can mend: their message says how. */
function plainText(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof ConfigError || error instanceof FolderInUse) return error.message;
  if ('code' in error && error.code === 'EADDRINUSE') {
    return `LMS Admin cannot start: ${error.message}. Set PORT to a free port.`;
  }
  return null;
}

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
  await server.listen().catch(async (error: unknown) => {
    await server.close();
    throw error;
  });
  console.log(`LMS Admin ready on ${server.url}`);
} catch (error) {
  console.error(plainText(error) ?? error);
  process.exit(1);
}
