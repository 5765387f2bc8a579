/** The server loads large packages only when it needs them: its program does not import them statically. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bundle } from '../build.mjs';

/** Packages that are needed only for one kind of database, for one kind of file, or for images. */
const LATER = ['@aws-sdk/client-s3', '@e965/xlsx', '@electric-sql/pglite', 'pg', 'sharp'];
/** Imports of a file in the bundle: the end of a line `import … from "…"`, the end of its last line, or `import "…"`. */
const IMPORTED = /^(?:import .*from |\} from |import )"([^"]+)";$/gm;

it('the server does not load packages for databases, files or images at its start if it may not need them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lms-admin-bundle-'));
  try {
    await bundle(['apps/server/src/main.ts'], folder);
    const imported = new Set<string>();
    const sources: string[] = [];
    const read = (name: string): void => {
      if (imported.has(name)) return;
      imported.add(name);
      if (!name.startsWith('./')) return;
      const file = join(folder, name);
      sources.push(...(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { sources: string[] }).sources);
      for (const [, other] of readFileSync(file, 'utf8').matchAll(IMPORTED)) read(other ?? '');
    };
    read('./main.mjs');
    const isLoaded = (name: string) =>
      imported.has(name) || sources.some((path) => path.includes(`/node_modules/${name}/`));
    expect(['fastify', 'zod'].map(isLoaded)).toEqual([true, true]);
    expect(LATER.filter(isLoaded)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
