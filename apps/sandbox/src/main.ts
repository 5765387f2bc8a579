/** The sandbox as a process of its own. */

import { readSettings, SettingsError } from './config.ts';
import { startSandbox } from './server.ts';

try {
  const options = readSettings(process.env);
  const sandbox = await startSandbox(options);
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    void sandbox.close().finally(() => process.exit(0));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  process.stdout.write(`Practice LMS ready on http://localhost:${sandbox.port}\n`);
} catch (error) {
  const known = error instanceof SettingsError || (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  const message = known && error instanceof Error ? error.message : error;
  process.stderr.write(`The practice LMS does not start: ${known ? message : ''}\n`);
  if (!known) console.error(error);
  process.exit(1);
}
