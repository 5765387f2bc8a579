/** `npm run fuzz [minutes]`: fuzzing against the built product, for an hour if no time is given. */
import { runBundled } from './bundled.mjs';

process.exit(await runBundled('fuzz', process.argv.slice(2)));
