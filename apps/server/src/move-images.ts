/** The command that moves images, as a process: settings from the environment, what it did as a line each. */
import { createObjects } from './files/homes.ts';
import { movedInWords, moveImages } from './images/move.ts';
import { OutsideError } from './outbound/errors.ts';
import { loadConfig } from './platform/config.ts';
import { toAppError } from './platform/http-errors.ts';
import { claimDatabase } from './platform/installation.ts';
import { openDatabase } from './platform/open-database.ts';
import { startFailure } from './platform/start-failure.ts';

try {
  const config = loadConfig(process.env);
  const { databaseUrl, dataFolder: dataDir } = config;
  const database = await openDatabase({ databaseUrl, dataDir });
  const objects = createObjects(database.db, config.images);
  try {
    await claimDatabase(database.db, config);
    const moved = await moveImages(database.db, objects);
    for (const line of movedInWords(moved, objects.home.home)) console.log(line);
    // What could not be moved is still where it was.
    if (moved.unknown.size > 0 || moved.missing.length > 0) process.exitCode = 1;
  } finally {
    await objects.close();
    await database.close();
  }
} catch (error) {
  if (error instanceof OutsideError) {
    const { message, next } = toAppError(error);
    console.error(`${message} ${next} What was moved so far stays moved; run it again to go on.`);
  } else console.error(startFailure(error));
  process.exit(1);
}
