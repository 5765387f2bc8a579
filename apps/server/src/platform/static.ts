/** The console's files: hashed ones are kept by browsers for a year, and every path of the console gets its page. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { meantPath, UNREADABLE } from './address.ts';
import { AppError } from './errors.ts';
import { addPublicFiles } from './route.ts';

/** Where the built console lies, seen from the built server or from the sources; null when it is not built. */
export function consoleFolder(): string | null {
  const places = ['../../apps/console/dist', '../../../console/dist'];
  for (const place of places) {
    const folder = fileURLToPath(new URL(place, import.meta.url));
    if (existsSync(join(folder, 'index.html'))) return folder;
  }
  return null;
}

/**
 * Serves the console from a folder, and its page for every path that is not a file and not of the back end.
 * @param folder null when the console is not built: only the back end answers then
 */
export async function serveConsole(app: FastifyInstance, folder: string | null): Promise<void> {
  if (folder !== null) {
    await addPublicFiles(app, async (files) => {
      await files.register(fastifyStatic, {
        root: folder,
        wildcard: false,
        index: false,
        // Packed when it was built.
        preCompressed: true,
        // They are sent in place of the file that they were made from, and need no address of their own.
        globIgnore: ['**/*.{br,gz}'],
        cacheControl: false,
        setHeaders: (reply, path) => {
          const hashed = path.startsWith(join(folder, 'assets'));
          reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
        },
      });
    });
  }
  const page = folder === null ? null : await readFile(join(folder, 'index.html'), 'utf8');
  app.setNotFoundHandler((request, reply) => {
    const path = meantPath(request.url);
    if (request.url === UNREADABLE)
      throw new AppError('bad-request', { message: 'This is not a valid address.' });
    const reads = request.method === 'GET' || request.method === 'HEAD';
    // A folder has its overview as a page of its own.
    if (page !== null && reads && /^\/guide\/?$/.test(path)) {
      return reply.redirect('/guide/index.html');
    }
    // `//` and the like are no address at all.
    const isPage = reads && path !== UNREADABLE && !/^\/(api|assets|files)(\/|$)/.test(path);
    if (page === null || !isPage) throw new AppError('not-found');
    // 200 for every path: which of them exist for this admin is the console's to say (SHELL-19).
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page);
  });
}
