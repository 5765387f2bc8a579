/** `lms-admin keys`: writes a new key to a file, or encrypts stored tokens with it. */

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
    'writes a new key to FILE, or encrypts stored sign-ins again with LMS_ADMIN_KEY instead of LMS_ADMIN_KEY_OLD',
  failed: 'Nothing was encrypted again',
  options: {},
  positionals: [1, 2],
  async run({ config: settings, services, positionals: [what, file], say }) {
    if (what === 'new' && file !== undefined) {
      await layKeyDown(typedPath(file), randomBytes(32).toString('base64'));
      say(`A new key is in ${typedPath(file)}. To use it, see docs/operating/keys.md.`);
      return 0;
    }
    if (what !== 'rotate' || file !== undefined)
      throw new Refusal('Add what to do: new FILE, or rotate.', 'See "lms-admin help".');
    const config = settings();
    if (config.otherKey === null) {
      throw new Refusal(
        'LMS_ADMIN_KEY_OLD is not set, so LMS Admin cannot read what the previous key encrypted.',
        'Set it to the previous key, and LMS_ADMIN_KEY to the new one.',
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
          'The running server has a different LMS_ADMIN_KEY from this command.',
          'Restart the server with the new settings. The server then encrypts the sign-ins again automatically.',
        );
      }
      say(`Encrypted ${counted(done.sealed, 'sign-in')} with the new key.`);
      if (done.unreadable > 0)
        say(
          `${counted(done.unreadable, 'sign-in')} could not be read with either key. These people have to sign in again.`,
        );
      return 0;
    } finally {
      await reach.close();
    }
  },
};
