/** Bundles programs of `bench`, and runs them against the built product. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, root, run } from './tools.mjs';

/** @param name a file of `bench`, without its ending @returns its exit code */
export async function runBundled(name, args) {
  ensureInstalled();
  await ensureBuilt();
  const { build } = await import('esbuild');
  await build({
    entryPoints: [join(root, `bench/${name}.ts`)],
    outfile: join(root, `dist/bench/${name}.mjs`),
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
  // The benchmarks open their own databases.
  cpSync(join(root, 'apps/server/migrations'), join(root, 'dist/bench/migrations'), { recursive: true });
  return run(process.execPath, [`dist/bench/${name}.mjs`, ...args]);
}
