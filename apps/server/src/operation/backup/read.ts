/** Reads a backup, and checks it against its manifest before it is used. */
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Entry, ZipFile } from 'yauzl';
import { BadZip, entriesOf, entryBytes, openZip } from '../../platform/zip.ts';
import { linesOf } from '../wire.ts';
import { CAMPUS, DATABASE, MANIFEST, type Manifest, notABackup, readManifest } from './manifest.ts';

/** The practice LMS has a file for each upload. */
const MOST_ENTRIES = 1_000_000;
const MANIFEST_BYTES = 100_000;

export interface OpenBackup {
  manifest: Manifest;
  /** Returns the lines of the database. */
  lines(): AsyncGenerator<string, void, void>;
  /** Extracts the files of the practice LMS. */
  campusTo(folder: string): Promise<void>;
  close(): void;
}

/** @throws Refusal for an incomplete backup, or one of another version */
export async function openBackup(file: string): Promise<OpenBackup> {
  const zip = await openZip(file).catch((error: unknown) => {
    if (error instanceof BadZip && !(error.cause instanceof Error && 'code' in error.cause))
      throw notABackup(error);
    throw error instanceof BadZip ? error.cause : error;
  });
  try {
    const entries = await entriesOf(zip, MOST_ENTRIES);
    const manifest = readManifest(await textOf(zip, entries));
    return {
      manifest,
      lines: () => linesOf(entryBytes(zip, entryNamed(entries, DATABASE))),
      campusTo: (folder) => layCampusDown(zip, entries, folder),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error instanceof BadZip ? notABackup(error) : error;
  }
}

/** Reads the whole backup and counts its contents. @throws Refusal if a byte or a row is missing */
export async function checkBackup(file: string): Promise<Manifest> {
  const backup = await openBackup(file);
  const { manifest } = backup;
  try {
    const counts: Record<string, number> = {};
    let table = '';
    for await (const line of backup.lines()) {
      if (line.startsWith('{')) {
        table = (JSON.parse(line) as { table: string }).table;
        counts[table] = 0;
      } else counts[table] = (counts[table] ?? 0) + 1;
    }
    const whole = Object.entries(manifest.database.rows).every(([name, rows]) => counts[name] === rows);
    if (!whole) throw notABackup();
  } catch (error) {
    throw error instanceof BadZip ? notABackup(error) : error;
  } finally {
    backup.close();
  }
  return manifest;
}

function entryNamed(entries: readonly Entry[], name: string): Entry {
  const found = entries.find((entry) => entry.fileName === name);
  if (!found) throw notABackup();
  return found;
}

async function textOf(zip: ZipFile, entries: readonly Entry[]): Promise<string> {
  const entry = entryNamed(entries, MANIFEST);
  if (entry.uncompressedSize > MANIFEST_BYTES) throw notABackup();
  const parts: Buffer[] = [];
  for await (const bytes of entryBytes(zip, entry)) parts.push(bytes);
  return Buffer.concat(parts).toString();
}

/** Extracts the sandbox from a backup; yauzl refuses names that lead out of the folder. */
async function layCampusDown(zip: ZipFile, entries: readonly Entry[], folder: string): Promise<void> {
  for (const entry of entries) {
    if (!entry.fileName.startsWith(CAMPUS)) continue;
    const path = join(folder, entry.fileName.slice(CAMPUS.length));
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await pipeline(entryBytes(zip, entry), createWriteStream(path, { mode: 0o600, flags: 'wx' }));
  }
}
