/** The key of the installation in a backup, always encrypted under a passphrase. */
import { randomBytes, scrypt } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createSecrets } from '../../platform/secrets.ts';
import { Refusal } from '../refusal.ts';

const PURPOSE = 'key of a backup';
const LEAST_CHARACTERS = 12;
/** Each guess costs about 100 ms and 128 MB. */
const COST = { N: 131_072, r: 8, p: 1, maxmem: 268_435_456 };

export interface SealedKey {
  salt: string;
  sealed: string;
}

/** @throws Refusal for a passphrase that is too short */
export async function sealKey(key: string, passphrase: string): Promise<SealedKey> {
  if (passphrase.length < LEAST_CHARACTERS) {
    throw new Refusal(
      'The passphrase is too short. No backup was made.',
      `Use a passphrase of at least ${LEAST_CHARACTERS} characters.`,
    );
  }
  const salt = randomBytes(16);
  const secrets = createSecrets(await derived(passphrase, salt));
  return { salt: salt.toString('base64'), sealed: secrets.seal(key, PURPOSE) };
}

/** @throws Refusal for a wrong passphrase */
export async function openKey({ salt, sealed }: SealedKey, passphrase: string): Promise<string> {
  const secrets = createSecrets(await derived(passphrase, Buffer.from(salt, 'base64')));
  try {
    return secrets.open(sealed, PURPOSE);
  } catch (cause) {
    throw new Refusal(
      'The passphrase does not open the key in the backup. Nothing was changed.',
      'Check it and try again.',
      { cause },
    );
  }
}

/** Writes the key to a file that only its owner can read. @throws Refusal if the file exists with different content */
export async function layKeyDown(path: string, key: string): Promise<void> {
  const refuse = (cause?: unknown) =>
    new Refusal(
      `The key cannot be written to ${path}. Nothing was changed.`,
      'Name a new file in a folder that LMS Admin can write to.',
      { cause },
    );
  const there = await readFile(path, 'utf8').catch(() => null);
  // Left behind by an interrupted restore.
  if (there === key) return;
  if (there !== null) throw refuse();
  try {
    // The file gets its final name only when complete.
    await writeFile(`${path}.part`, key, { mode: 0o600 });
    await rename(`${path}.part`, path);
  } catch (cause) {
    throw refuse(cause);
  }
}

function derived(passphrase: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFC'), salt, 32, COST, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
