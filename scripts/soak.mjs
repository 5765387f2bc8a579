/** `npm run soak [minutes]`: three servers under load that are killed again and again, for an hour if no time is given. */
import { bin, ensureInstalled, run } from './tools.mjs';

ensureInstalled();
process.env.SOAK_MINUTES = process.argv[2] ?? '60';
process.exit(await run(bin('vitest'), ['run', '--project=soak']));
