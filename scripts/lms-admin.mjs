/** `npm run lms-admin -- COMMAND`: a command for operators, on the built product (README). */
import { resolve } from 'node:path';
import { ensureBuilt, ensureInstalled, ensureReadyForProduction, root, run } from './tools.mjs';

if (process.env.LMS_URL?.trim()) await ensureReadyForProduction();
else {
  ensureInstalled();
  await ensureBuilt();
}
process.env.LMS_ADMIN_DATA = resolve(root, process.env.LMS_ADMIN_DATA || 'var');
process.exit(await run(process.execPath, ['dist/server/lms-admin.mjs', ...process.argv.slice(2)]));
