/** Builds everything: the console for the browser, server and sandbox as one file each below `dist/`. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { buildGuide } from './guide.mjs';
import { root } from './tools.mjs';

/** Packages that read files beside themselves, or are not written in JavaScript, and so cannot be part of one file. */
const EXTERNAL = ['@electric-sql/pglite', 'pg-native', 'sharp'];

/** Files that are worth packing, and from how many bytes on. */
const PACKED = /\.(css|html|js|json|svg)$/;
const WORTH_PACKING = 1_024;

/** Lays a packed copy beside each file of the console, so that no server packs it anew for each request. */
function packConsole() {
  const folder = join(root, 'apps/console/dist');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const file of files) {
    if (!file.isFile() || !PACKED.test(file.name)) continue;
    const path = join(file.parentPath, file.name);
    const content = readFileSync(path);
    if (content.length < WORTH_PACKING) continue;
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
    writeFileSync(`${path}.br`, brotliCompressSync(content, quality));
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  }
}

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
  packConsole();
  cpSync(join(root, 'apps/server/migrations'), join(root, 'dist/server/migrations'), { recursive: true });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await build();
