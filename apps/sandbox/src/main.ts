/** Runs the sandbox as its own process. */

import { readSettings, SettingsError } from './config.ts';
import { FolderInUse } from './memory/lock.ts';
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
  // The parent process has died, for whatever reason.
  process.on('disconnect', stop);
  process.stdout.write(`Practice LMS ready on http://localhost:${sandbox.port}\n`);
} catch (error) {
  const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  if (taken)
    process.stderr.write(
      'The practice LMS cannot start: another program uses its port. Set SANDBOX_PORT to a free port.\n',
    );
  else if (error instanceof SettingsError || error instanceof FolderInUse) {
    process.stderr.write(`The practice LMS does not start: ${error.message}\n`);
  } else console.error(error);
  process.exit(1);
}
