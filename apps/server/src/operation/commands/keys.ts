/** `lms-admin keys`: a new key into a file; what is stored, sealed with it. */

import { randomBytes } from 'node:crypto';
import { counted } from '@lms-admin/domain/numbers';
import { loadSecrets } from '../../platform/secrets.ts';
import { layKeyDown } from '../backup/key.ts';
import { reachDatabase } from '../reach.ts';
import { Refusal } from '../refusal.ts';
import { type Command, typedPath } from './command.ts';

export const command: Command = {
  usage: 'keys new FILE | keys rotate',
  about:
    'writes a new key into FILE; or seals what is stored with LMS_ADMIN_KEY, which LMS_ADMIN_KEY_OLD had sealed',
  failed: 'Nothing was sealed again',
  options: {},
  positionals: [1, 2],
  async run({ config: settings, services, positionals: [what, file], say }) {
    if (what === 'new' && file !== undefined) {
      await layKeyDown(typedPath(file), randomBytes(32).toString('base64'));
      say(`A new key is in ${typedPath(file)}. How it is put to use: docs/operating/keys.md.`);
      return 0;
    }
    if (what !== 'rotate' || file !== undefined)
      throw new Refusal('Say what to do: new FILE, or rotate.', 'See "lms-admin help".');
    const config = settings();
    if (config.otherKey === null) {
      throw new Refusal(
        'LMS_ADMIN_KEY_OLD is not set, so nothing can be read that the former key has sealed.',
        'Set it to the former key, and LMS_ADMIN_KEY to the new one.',
      );
    }
    const { keyId } = await loadSecrets(config);
    const reach = await reachDatabase(config, services);
    try {
      const done = (await reach.ask('keysReseal', { keyId })) as {
        sealed: number;
        unreadable: number;
      } | null;
      if (done === null) {
        throw new Refusal(
          'The server that runs has another LMS_ADMIN_KEY than this command.',
          'Restart it with the new settings: it then does the same by itself.',
        );
      }
      say(`Sealed ${counted(done.sealed, 'sign-in')} with the new key.`);
      if (done.unreadable > 0)
        say(
          `${counted(done.unreadable, 'sign-in')} were sealed with neither key: these people sign in again.`,
        );
      return 0;
    } finally {
      await reach.close();
    }
  },
};
