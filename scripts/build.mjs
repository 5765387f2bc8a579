/** Builds everything: the console for the browser, server and sandbox as one file each below `dist/`. */
import { cpSync, rmSync } from 'node:fs';
import { join, parse } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildGuide } from './guide.mjs';
import { root } from './tools.mjs';

/** Packages that read files beside themselves, or are not written in JavaScript, and so cannot be part of one file. */
const EXTERNAL = ['@electric-sql/pglite', 'pg-native', 'sharp'];

export async function build() {
  const [{ build: vite }, esbuild] = await Promise.all([import('vite'), import('esbuild')]);
  const node = (app, entry = 'main.ts') =>
    esbuild.build({
      entryPoints: [join(root, `apps/${app}/src`, entry)],
      outfile: join(root, `dist/${app}`, `${parse(entry).name}.mjs`),
      bundle: true,
      platform: 'node',
      target: 'node20.19',
      format: 'esm',
      sourcemap: true,
      legalComments: 'none',
      external: EXTERNAL,
      logLevel: 'warning',
      // Dependencies written as CommonJS call require() for Node's own modules.
      banner: {
        js: "import { createRequire as _require } from 'node:module'; const require = _require(import.meta.url);",
      },
    });
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  await Promise.all([
    vite({ root: join(root, 'apps/console'), logLevel: 'warn' }),
    node('server'),
    node('server', 'move-images.ts'),
    // Threads of their own are files of their own.
    node('server', 'files/workbook-worker.mjs'),
    node('server', 'awards/sheet-worker.mjs'),
    node('sandbox'),
  ]);
  buildGuide();
  cpSync(join(root, 'apps/server/migrations'), join(root, 'dist/server/migrations'), { recursive: true });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await build();
