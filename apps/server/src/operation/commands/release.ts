/** `lms-admin release`: releases work that was held after a restore. */
import { counted } from '@lms-admin/domain/numbers';
import type { Released } from '../held.ts';
import { reachDatabase } from '../reach.ts';
import type { Command } from './command.ts';

export const command: Command = {
  usage: 'release',
  about: 'releases work that has been waiting since a restore',
  failed: 'Nothing was released',
  options: {},
  positionals: [0, 0],
  async run({ config, say }) {
    const reach = await reachDatabase(config());
    try {
      const { released, jobs } = (await reach.ask('release')) as Released;
      if (!released) say('Nothing is held.');
      else if (jobs === 0) say('Released. No work was waiting.');
      else say(`Released. ${counted(jobs, 'job')} will continue.`);
      return 0;
    } finally {
      await reach.close();
    }
  },
};
