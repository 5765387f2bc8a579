/** `lms-admin restore FILE`: restores a backup into an empty installation. */
import { randomBytes } from 'node:crypto';
import { openDatabase } from '../../platform/open-database.ts';
import { keyPath } from '../../platform/secrets.ts';
import { restoreBackup } from '../backup/restore.ts';
import { askPassphrase } from '../passphrase.ts';
import { openWorkInWords } from '../restored.ts';
import { type Command, typedPath } from './command.ts';

export const command: Command = {
  usage: 'restore FILE [--with-key] [--key-file PATH] [--go-on]',
  about:
    'restores a backup of this version into an empty database while the server is stopped; its work waits for "release", or with --go-on continues at the next start',
  failed: 'Nothing was restored',
  options: { 'with-key': { type: 'boolean' }, 'key-file': { type: 'string' }, 'go-on': { type: 'boolean' } },
  positionals: [1, 1],
  async run({ config: settings, positionals: [name = ''], options, say }) {
    const named = options['key-file'];
    const hasKey = typeof named === 'string' || options['with-key'] === true;
    const config = settings(hasKey ? withAnyKey(process.env) : process.env);
    const ownPlace = config.encryptionKey === null ? keyPath(config.dataFolder) : typedPath('lms-admin.key');
    const keyFile = !hasKey ? null : typeof named === 'string' ? typedPath(named) : ownPlace;
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
    // Practice mode finds the key in the data folder; a real LMS needs the path in its settings.
    if (keyFile !== null && !(config.practice && keyFile === keyPath(config.dataFolder))) {
      say(
        `The key is in ${keyFile}. Set LMS_ADMIN_KEY_FILE to this path; or set LMS_ADMIN_KEY to its content, and delete the file.`,
      );
    } else if (keyId !== manifest.keyId) {
      say(
        'The key set here is not the key of the backup, so everyone has to sign in again. To keep the sign-ins, set LMS_ADMIN_KEY to the key of the backup before you start.',
      );
    }
    if (held) {
      say(
        'Work that changes other systems waits until you run "lms-admin release". Before you do, make sure that no other server works on the same data.',
      );
    }
    say('Start LMS Admin now. Its log lists what the LMS received after the backup.');
    return 0;
  },
};

/**
 * Adds any key to the environment, because the key may exist only in the backup. A real LMS requires one, and until the
 * restore any key will do.
 */
function withAnyKey(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (env.LMS_ADMIN_KEY || !env.LMS_URL) return env;
  return { ...env, LMS_ADMIN_KEY: randomBytes(32).toString('hex'), LMS_ADMIN_KEY_FILE: undefined };
}
