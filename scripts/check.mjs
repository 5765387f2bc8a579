/** `npm run check`: the checks before a commit. Types, lint, format, architecture, dead code, licences, unit tests. */
import { bin, ensureInstalled, run } from './tools.mjs';

/** Runs each check in turn and names those that failed. Returns true if all passed. */
export async function check() {
  const steps = [
    ['types', bin('tsc'), ['-p', 'tsconfig.json']],
    ['types of the console', bin('tsc'), ['-p', 'apps/console']],
    ['lint', bin('oxlint'), ['--type-aware', '--deny-warnings']],
    ['format', bin('biome'), ['check', '.']],
    ['architecture', process.execPath, ['scripts/architecture.mjs']],
    ['dead code', bin('knip'), []],
    ['licences', process.execPath, ['scripts/licences.mjs', '--quiet']],
  ];
  const failed = [];
  for (const [name, command, args] of steps) {
    const started = Date.now();
    const code = await run(command, args);
    console.log(
      `${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`,
    );
    if (code !== 0) failed.push(name);
  }
  return failed;
}

if (process.argv[1]?.endsWith('check.mjs')) {
  ensureInstalled();
  const failed = await check();
  if ((await run(bin('vitest'), ['run', '--project', 'unit'])) !== 0) failed.push('unit tests');
  if (failed.length > 0) {
    console.error(`Failed: ${failed.join(', ')}`);
    process.exit(1);
  }
}
