/** `lms-admin move-images`: moves every image to where the current settings store new ones. */
import { createObjects } from '../../files/homes.ts';
import { movedInWords, moveImages } from '../../images/move.ts';
import { OutsideError } from '../../outbound/errors.ts';
import { toAppError } from '../../platform/http-errors.ts';
import { claimDatabase, isHeld } from '../../platform/installation.ts';
import { openDatabase } from '../../platform/open-database.ts';
import { Refusal } from '../refusal.ts';
import type { Command } from './command.ts';

/** The bucket may belong to another server that still needs its content. */
const HELD = [
  'LMS Admin was restored from a backup, and held work has not been released. No image was moved.',
  'Make sure that no other server works on the same data, run "lms-admin release", and then move the images.',
] as const;

export const command: Command = {
  usage: 'move-images',
  about: 'moves images to the place where new ones are stored',
  failed: 'Images cannot be moved',
  options: {},
  positionals: [0, 0],
  async run({ config: settings, say }) {
    const config = settings();
    const { databaseUrl, dataFolder: dataDir } = config;
    const database = await openDatabase({ databaseUrl, dataDir });
    const objects = createObjects(database.db, config.images);
    try {
      await claimDatabase(database.db, config);
      if (await isHeld(database.db)) throw new Refusal(...HELD);
      const moved = await moveImages(database.db, objects);
      for (const line of movedInWords(moved, objects.home.home)) say(line);
      // Images that could not be moved are still in their old store.
      return moved.unknown.size > 0 || moved.missing.length > 0 ? 1 : 0;
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error;
      const { message, next } = toAppError(error);
      throw new Refusal(
        message,
        `${next} The images moved so far stay moved. Run the command again to continue.`,
      );
    } finally {
      await objects.close();
      await database.close();
    }
  },
};
