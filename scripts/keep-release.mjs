/** `npm run keep-release NAME`: keeps what this release stores, for the upgrade tests of later releases. */
import { bin, ensureInstalled, run } from './tools.mjs';

const [name] = process.argv.slice(2);
if (!name) {
  console.error('Name the release: npm run keep-release 2026.11.0');
  process.exit(2);
}
ensureInstalled();
process.env.KEEP_RELEASE = name;
process.exit(await run(bin('vitest'), ['run', '--project=keep']));
