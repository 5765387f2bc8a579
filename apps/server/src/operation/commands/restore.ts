/** `lms-admin restore FILE`: a backup into an empty place. */
import { openDatabase } from '../../platform/open-database.ts';
import { keyPath } from '../../platform/secrets.ts';
import { restoreBackup } from '../backup/restore.ts';
import { askPassphrase } from '../passphrase.ts';
import { openWorkInWords } from '../restored.ts';
import { type Command, typedPath } from './command.ts';

export const command: Command = {
  usage: 'restore FILE [--with-key] [--key-file PATH] [--go-on]',
  about:
    'restores a backup of this version into an empty database, with the server stopped; its work waits for "release", or with --go-on goes on at the start',
  failed: 'Nothing was restored',
  options: { 'with-key': { type: 'boolean' }, 'key-file': { type: 'string' }, 'go-on': { type: 'boolean' } },
  positionals: [1, 1],
  async run({ config: settings, positionals: [name = ''], options, say }) {
    const config = settings();
    const named = options['key-file'];
    const ownPlace = config.encryptionKey === null ? keyPath(config.dataFolder) : typedPath('lms-admin.key');
    const keyFile =
      typeof named === 'string' ? typedPath(named) : options['with-key'] === true ? ownPlace : null;
    const passphrase = () => askPassphrase('Passphrase of the key', { twice: false });
    const held = options['go-on'] !== true;
    const { manifest, keyId } = await restoreBackup(config, {
      file: typedPath(name),
      keyFile,
      passphrase,
      held,
    });
    say(`Restored the backup of ${manifest.madeAt}.`);
    const database = await openDatabase({
      databaseUrl: config.databaseUrl,
      dataDir: config.dataFolder,
      schema: 'current',
    });
    try {
      for (const line of await openWorkInWords(database.db)) say(line);
    } finally {
      await database.close();
    }
    if (keyFile !== null && keyFile !== keyPath(config.dataFolder)) {
      say(`The key is in ${keyFile}. Set LMS_ADMIN_KEY to what it holds, then remove the file.`);
    } else if (keyId !== manifest.keyId) {
      say(
        'The key set here is not the one of the backup, so everyone has to sign in again. To keep the sign-ins, set LMS_ADMIN_KEY to the key of that time before the start.',
      );
    }
    if (held) {
      say(
        'Work that changes something outside waits until "lms-admin release". Before that, make sure that no other server works on the same data.',
      );
    }
    say('Start LMS Admin now. Its log says what the LMS has from after the backup.');
    return 0;
  },
};
