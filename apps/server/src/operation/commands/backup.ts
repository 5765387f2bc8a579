/** `lms-admin backup FILE`: writes everything into one file while the server runs. */
import { counted } from '@lms-admin/domain/numbers';
import type { Config } from '../../platform/config.ts';
import type { Manifest } from '../backup/manifest.ts';
import { writeBackup } from '../backup/write.ts';
import { askPassphrase } from '../passphrase.ts';
import { reachDatabase } from '../reach.ts';
import { type Command, typedPath } from './command.ts';

export const command: Command = {
  usage: 'backup FILE [--with-key]',
  about: 'writes the database, files and practice LMS to FILE while the server runs',
  failed: 'No backup was made',
  options: { 'with-key': { type: 'boolean' } },
  positionals: [1, 1],
  async run({ config: settings, positionals: [name = ''], options, say }) {
    const config = settings();
    const file = typedPath(name);
    const withKey = options['with-key'] === true;
    const passphrase = withKey ? await askPassphrase('Passphrase for the key', { twice: true }) : null;
    const reach = await reachDatabase(config);
    try {
      const { manifest, bytes } = await writeBackup(reach, config, { file, passphrase });
      for (const line of describeBackup(manifest, config, file, bytes)) say(line);
    } finally {
      await reach.close();
    }
    return 0;
  },
};

function describeBackup(
  { madeAt: createdAt, version, database, campus, key }: Manifest,
  config: Config,
  file: string,
  bytes: number,
) {
  const rows = Object.values(database.rows).reduce((sum, one) => sum + one, 0);
  const size = new Intl.NumberFormat('en-GB').format(Math.ceil(bytes / 1_000));
  const missing = [
    ...(key === null ? ['the key (LMS_ADMIN_KEY, in practice mode the file key in LMS_ADMIN_DATA)'] : []),
    'the settings',
    'the access file',
    'logs',
    ...(config.images.s3 === null && config.images.old === null ? [] : ['images in a bucket']),
  ];
  return [
    `Backup of ${createdAt} in ${file}: ${size} KB. It was read back and is complete.`,
    `It contains ${counted(rows, 'row')} of the database with its files${campus > 0 ? `, ${counted(campus, 'file')} of the practice LMS` : ''}${key === null ? '' : ' and the key, encrypted with your passphrase'}.`,
    `It does not contain: ${missing.join('; ')}. Back these up separately.`,
    ...(key === null
      ? [
          'Without the key, everyone has to sign in again after a restore, and work that waits for a sign-in ends.',
        ]
      : []),
    `To restore it, use version ${version} of LMS Admin.`,
  ];
}
