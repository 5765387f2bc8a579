/** The settings, the access file and the key. */

import { existsSync } from 'node:fs';
import { counted } from '@lms-admin/domain/numbers';
import { readAccessFile } from '../../access/file.ts';
import { type Config, ConfigError, loadConfig } from '../../platform/config.ts';
import { unknownSettings } from '../../platform/config-view.ts';
import { lmsInWords } from '../../platform/installation.ts';
import { keyPath, loadSecrets, type Secrets } from '../../platform/secrets.ts';
import { type Finding, fail, ok, skip, warn } from './check.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** @returns also the settings; null if they are not valid */
export function settingsFindings(env: Env): { config: Config | null; findings: Finding[] } {
  try {
    const config = loadConfig(env);
    return { config, findings: understoodFindings(config, env) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const wrong = error.problems.map((problem) =>
      fail('settings', `${problem}.`, 'Correct it, and run the command again.'),
    );
    return { config: null, findings: [...wrong, ...unknownFindings(env)] };
  }
}

/** Returns the findings for valid settings, such as those of a running server. */
export function understoodFindings(config: Config, env: Env): Finding[] {
  return [ok('settings', `LMS Admin uses ${lmsInWords(config)}.`), ...unknownFindings(env)];
}

function unknownFindings(env: Env): Finding[] {
  return unknownSettings(env).map((name) =>
    warn('settings', `${name} is not a setting of LMS Admin.`, 'Correct its name, or remove it.'),
  );
}

export async function accessFindings(config: Config): Promise<Finding[]> {
  try {
    const { length } = await readAccessFile(config.accessFile);
    const read =
      config.accessSource === 'file'
        ? ''
        : ' It is read at the first start. After that, the records are in the database.';
    return [ok('access', `${config.accessFile} has ${counted(length, 'administrator')}.${read}`)];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((problem) =>
      fail('access', `${problem}.`, 'config/access.example.json explains each field.'),
    );
  }
}

/** @returns also the secrets; null if the key is missing or damaged */
export async function keyFindings(config: Config): Promise<{ secrets: Secrets | null; findings: Finding[] }> {
  const path = keyPath(config.dataFolder);
  if (config.encryptionKey === null && !existsSync(path)) {
    return {
      secrets: null,
      findings: [skip('key', 'No key yet: the first start in practice mode creates one.')],
    };
  }
  try {
    const secrets = await loadSecrets(config);
    const where = config.encryptionKey === null ? path : 'LMS_ADMIN_KEY';
    return { secrets, findings: [ok('key', `The key in ${where} is complete.`)] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const next =
      'Restore the file from the place where you keep keys. Or remove it, and people have to sign in again.';
    return { secrets: null, findings: error.problems.map((problem) => fail('key', `${problem}.`, next)) };
  }
}
