/** Encryption of secrets in the database: AES-256-GCM under one key of the installation. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, ConfigError } from './config.ts';
import { decodeKey } from './settings.ts';

export interface Secrets {
  /** Short id of the current key: it identifies the key without revealing anything about it. */
  readonly keyId: string;
  /**
   * Encrypts a text.
   * @param purpose its use and owner, bound to the ciphertext: a value cannot be moved to another row
   */
  seal(text: string, purpose: string): string;
  /** @throws Error for a wrong key, a wrong purpose or a changed value */
  open(sealed: string, purpose: string): string;
  /** Returns whether a value was encrypted with the current key, and not with the former one. */
  isCurrent(sealed: string): boolean;
  /** Returns whether a value was encrypted with either key. */
  isKnown(sealed: string): boolean;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Creates secrets that encrypt with one key, and decrypt with it or the former one. */
export function createSecrets(key: Buffer, former: Buffer | null = null): Secrets {
  const current = underKey(key);
  const other = former === null ? null : underKey(former);
  return {
    ...current,
    isKnown: (sealed) => current.isCurrent(sealed) || other?.isCurrent(sealed) === true,
    open: (sealed, purpose) =>
      (other?.isCurrent(sealed) && !current.isCurrent(sealed) ? other : current).open(sealed, purpose),
  };
}

/** Creates secrets under a key of 32 bytes. Values contain a short key id, to recognise a wrong key. */
function underKey(key: Buffer): Omit<Secrets, 'isKnown'> {
  const keyId = createHash('sha256').update('lms-admin key id').update(key).digest('hex').slice(0, 8);
  return {
    keyId,
    seal(text, purpose) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose));
      const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `v1.${keyId}.${sealed.toString('base64url')}`;
    },
    isCurrent: (sealed) => sealed.split('.')[1] === keyId,
    open(value, purpose) {
      const [version, id, data] = value.split('.');
      if (version !== 'v1' || data === undefined) throw new Error('not a sealed value');
      if (id !== keyId) throw new Error('sealed with another key');
      const sealed = Buffer.from(data, 'base64url');
      if (sealed.length < IV_BYTES + TAG_BYTES) throw new Error('not a sealed value');
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(purpose)).setAuthTag(sealed.subarray(-TAG_BYTES));
      const text = decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
  };
}

/** Loads the installation's key: from the setting, or (practice mode) from a file in the data folder. */
export async function loadSecrets(config: Config): Promise<Secrets> {
  const key = decodedKey(await installationKey(config), config);
  return createSecrets(key, config.otherKey === null ? null : decodeKey(config.otherKey));
}

/** @throws ConfigError when the key's file is damaged */
export function decodedKey(text: string, { dataFolder }: Config): Buffer {
  const key = decodeKey(text);
  if (key) return key;
  throw new ConfigError([`the file key in ${dataFolder} is damaged: it should contain 32 bytes as base64`]);
}

/** Returns the key as text, and creates it if there is none. */
export async function installationKey({ encryptionKey, dataFolder }: Config): Promise<string> {
  return encryptionKey ?? (await keyFile(dataFolder));
}

/** Returns the path of practice mode's key. */
export const keyPath = (dataFolder: string) => join(dataFolder, 'key');

async function keyFile(folder: string): Promise<string> {
  const path = keyPath(folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    // Exclusive: if two processes start together, one creates the key and the other reads it.
    const file = await open(path, 'wx', 0o600);
    const key = randomBytes(32).toString('base64');
    await file.writeFile(key);
    await file.close();
    return key;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  await chmod(path, 0o600);
  return (await readFile(path, 'utf8')).trim();
}
