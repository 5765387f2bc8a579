/** `npm run move-images`: moves every image to where new ones go by the settings of now. */
import { resolve } from 'node:path';
import { ensureBuilt, ensureInstalled, root, run } from './tools.mjs';

ensureInstalled();
await ensureBuilt();
process.env.LMS_ADMIN_DATA = resolve(root, process.env.LMS_ADMIN_DATA || 'var');
process.exit(await run(process.execPath, ['dist/server/move-images.mjs']));
