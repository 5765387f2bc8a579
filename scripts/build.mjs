/** Builds everything: the console for the browser, server and sandbox as one file each below `dist/`. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './tools.mjs';

/** Packages that read files beside themselves and so cannot be part of one file. */
const EXTERNAL = ['@electric-sql/pglite', 'pg-native'];

export async function build() {
  const [{ build: vite }, esbuild] = await Promise.all([import('vite'), import('esbuild')]);
  const node = (app) =>
    esbuild.build({
      entryPoints: [join(root, `apps/${app}/src/main.ts`)],
      outfile: join(root, `dist/${app}/main.mjs`),
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
    node('sandbox'),
  ]);
  cpSync(join(root, 'apps/server/migrations'), join(root, 'dist/server/migrations'), { recursive: true });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await build();
