/** Creates a backup: one zip with the database, the practice LMS, and a manifest. */

import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join, posix, sep } from 'node:path';
import { PassThrough, type Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Config } from '../../platform/config.ts';
import { createSecrets, decodedKey, installationKey } from '../../platform/secrets.ts';
import type { Reach } from '../reach.ts';
import { Refusal } from '../refusal.ts';
import { sealKey } from './key.ts';
import { CAMPUS, DATABASE, MANIFEST, type Manifest, newManifest } from './manifest.ts';
import { checkBackup } from './read.ts';

/** @param passphrase encrypts the key; null leaves the key out @throws Refusal */
export async function writeBackup(
  reach: Reach,
  config: Config,
  { file, passphrase }: { file: string; passphrase: string | null },
): Promise<{ manifest: Manifest; bytes: number }> {
  await requireFree(file);
  const key = await installationKey(config);
  const sealed = passphrase === null ? null : await sealKey(key, passphrase);
  const part = `${file}.part`;
  try {
    const out = createWriteStream(part, { mode: 0o600, flags: 'wx' });
    const zip = new ZipFile();
    const writing = pipeline(zip.outputStream, out);
    // A failure before the promise is awaited is reported below.
    writing.catch(() => {});
    const database = await Promise.race([addDatabase(zip, reach), writing.then(ended)]);
    const campus = config.campusFolder === null ? 0 : await addCampus(zip, config.campusFolder);
    const manifest = newManifest({
      ...database,
      mode: config.practice ? 'practice' : 'production',
      lms: config.lms.url,
      campus,
      keyId: createSecrets(decodedKey(key, config)).keyId,
      key: sealed,
    });
    zip.addBuffer(Buffer.from(JSON.stringify(manifest)), MANIFEST);
    zip.end();
    await writing;
    await onDisk(part);
    await checkBackup(part);
    await rename(part, file);
    return { manifest, bytes: (await stat(file)).size };
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function requireFree(file: string): Promise<void> {
  for (const path of [file, `${file}.part`]) {
    if (await stat(path).catch(() => null)) {
      throw new Refusal(`${path} already exists. No backup was made.`, 'Remove it, or name another file.');
    }
  }
}

function ended(): never {
  throw new Error('the zip ended early');
}

async function addDatabase(zip: ZipFile, reach: Reach): Promise<Pick<Manifest, 'madeAt' | 'database'>> {
  const createdAt = new Date().toISOString();
  const stream = new PassThrough();
  zip.addReadStream(stream, DATABASE);
  const result = await reach.ask('snapshot', {}, (text) => written(stream, text));
  stream.end();
  await finished(stream);
  return { madeAt: createdAt, database: result as Manifest['database'] };
}

async function written(stream: Writable, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain');
}

/** Adds the files at their current length; later writes are not included. @returns the number of files */
async function addCampus(zip: ZipFile, folder: string): Promise<number> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let count = 0;
  for (const entry of found) {
    const path = join(entry.parentPath, entry.name);
    const info = entry.isFile() ? await stat(path).catch(() => null) : null;
    // Locks and their owners belong to this machine.
    if (info === null || /(\.lock|^owner\.json|\.new)$/.test(entry.name)) continue;
    const name = path.slice(folder.length + 1).replaceAll(sep, posix.sep);
    if (info.size === 0) zip.addBuffer(Buffer.alloc(0), CAMPUS + name);
    else zip.addReadStream(createReadStream(path, { end: info.size - 1 }), CAMPUS + name);
    count++;
  }
  return count;
}

async function onDisk(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.sync();
  await file.close();
}
