/** Builds everything: the console for the browser, server and sandbox as one file each below `dist/`. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './tools.mjs';

/** Packages that read files beside themselves and so cannot be part of one file. */
const EXTERNAL = ['@electric-sql/pglite', 'pg-native'];

/** Turns `docs/guide` into pages of the console, at `/guide/`. */
async function guide() {
  const { marked } = await import('marked');
  const [from, to] = [join(root, 'docs/guide'), join(root, 'apps/console/dist/guide')];
  mkdirSync(to, { recursive: true });
  cpSync(join(from, 'images'), join(to, 'images'), { recursive: true });
  const template = readFileSync(join(from, 'page.html'), 'utf8');
  for (const name of readdirSync(from).filter((file) => file.endsWith('.md'))) {
    const text = readFileSync(join(from, name), 'utf8');
    const title = /^# (.+)$/m.exec(text)?.[1] ?? 'Guide';
    const page = template
      .replace('{title}', () => title)
      .replace('{body}', () => marked.parse(text, { async: false }));
    writeFileSync(join(to, name.replace(/\.md$/, '.html')), page);
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
    // Threads of their own are files of their own.
    node('server', 'files/workbook-worker.mjs'),
    node('server', 'awards/sheet-worker.mjs'),
    node('sandbox'),
  ]);
  await guide();
  cpSync(join(root, 'apps/server/migrations'), join(root, 'dist/server/migrations'), { recursive: true });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await build();
