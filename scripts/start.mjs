/** `npm start`: installs, builds, and runs the product, with the practice LMS unless LMS_URL names a real Canvas. */
import { ensureBuilt, ensureInstalled, ensureReadyForProduction } from './tools.mjs';

if (process.env.LMS_URL?.trim()) await ensureReadyForProduction();
else {
  ensureInstalled();
  await ensureBuilt();
}
await import('./launch.mjs');
