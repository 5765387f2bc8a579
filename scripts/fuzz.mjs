/** `npm run fuzz [minutes]`: an hour of fuzzing against the built product, when no other time is named. */
import { runBundled } from './bundled.mjs';

process.exit(await runBundled('fuzz', process.argv.slice(2)));
