/** An empty, migrated PGlite. Creating one takes several seconds, so it is kept until its source changes. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const MIGRATIONS = 'apps/server/migrations';
/** The project folder. It has to be searched for, because benchmarks bundle this file at another depth. */
const ROOT = aboveOf(import.meta.dirname);
let made: Promise<Blob> | undefined;

/** Returns files of the empty database, for a server in the same process. */
export function templateDatabase(): Promise<Blob> {
  made ??= readMade();
  return made;
}

/**
 * Copies an empty, migrated PGlite into a data folder, for a server in a separate process. A copy takes a
 * tenth of the processor time that creating and migrating one would.
 */
export async function placeTemplateDatabase(dataDir: string): Promise<void> {
  // There are a thousand small files, which would take three times as long one by one.
  cpSync(await madeFolder(), join(dataDir, 'db'), { recursive: true });
}

async function readMade(): Promise<Blob> {
  const file = `${await keptPath()}.tar`;
  if (!existsSync(file)) {
    const { PGlite, migrateEmbeddedDatabase } = await pglite();
    const client = new PGlite();
    await migrateEmbeddedDatabase(client);
    const files = await client.dumpDataDir('none');
    await client.close();
    // The copy gets its name only once it is complete, because another process may be doing the same.
    const part = `${file}.${process.pid}`;
    await writeFile(part, Buffer.from(await files.arrayBuffer()));
    await rename(part, file);
  }
  return new Blob([new Uint8Array(await readFile(file))]);
}

async function madeFolder(): Promise<string> {
  const folder = await keptPath();
  if (!existsSync(folder)) {
    const part = `${folder}.${process.pid}`;
    const { PGlite } = await pglite();
    const client = new PGlite(part, { loadDataDir: await templateDatabase() });
    await client.waitReady;
    await client.close();
    await rename(part, folder).catch(async (error: unknown) => {
      // Another process was faster.
      await rm(part, { recursive: true, force: true });
      if (!existsSync(folder)) throw error;
    });
  }
  return folder;
}

/** Loads PGlite only when needed, because loading takes longer than a copy. */
async function pglite() {
  const [{ PGlite }, { migrateEmbeddedDatabase }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('../../src/platform/embedded-database.ts'),
  ]);
  return { PGlite, migrateEmbeddedDatabase };
}

/** Returns the path of the empty database, whose name changes with the migrations and with PGlite. */
async function keptPath(): Promise<string> {
  const migrations = join(ROOT, MIGRATIONS);
  const sources = (await readdir(migrations))
    .filter((name) => name.endsWith('.sql'))
    .map((name) => join(migrations, name));
  sources.push(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
  const hash = createHash('sha256');
  for (const source of sources.sort()) hash.update(await readFile(source));
  const folder = join(ROOT, 'node_modules', '.cache', 'lms-admin');
  await mkdir(folder, { recursive: true });
  return join(folder, `pglite-${hash.digest('hex').slice(0, 16)}`);
}

function aboveOf(folder: string): string {
  if (existsSync(join(folder, MIGRATIONS))) return folder;
  const above = dirname(folder);
  if (above === folder) throw new Error('the folder of the project is not found');
  return aboveOf(above);
}
