/** `npm run bench [name …]`: bundles the measurements and runs them against the built product. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, root, run } from './tools.mjs';

ensureInstalled();
await ensureBuilt();
const { build } = await import('esbuild');
await build({
  entryPoints: [join(root, 'bench/main.ts')],
  outfile: join(root, 'dist/bench/main.mjs'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  packages: 'external',
  alias: {
    '@lms-admin/domain': join(root, 'packages/domain/src'),
    '@lms-admin/contract': join(root, 'packages/contract/src'),
  },
  resolveExtensions: ['.ts', '.tsx', '.mjs', '.js'],
  logLevel: 'warning',
});
// The measurements open databases of their own.
cpSync(join(root, 'apps/server/migrations'), join(root, 'dist/bench/migrations'), { recursive: true });
process.exit(await run(process.execPath, ['dist/bench/main.mjs', ...process.argv.slice(2)]));
