/** `npm run bench [name …]`: measures the built product. */
import { runBundled } from './bundled.mjs';

process.exit(await runBundled('main', process.argv.slice(2)));
