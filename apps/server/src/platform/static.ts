/** The console's files: browsers cache hashed ones for a year, and every path of the console gets its page. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { meantPath, UNREADABLE } from './address.ts';
import { AppError } from './errors.ts';
import { addPublicFiles } from './route.ts';

/** Finds the folder of the built console, found from the built server or from the sources; null if it is not built. */
export function consoleFolder(): string | null {
  const places = ['../../apps/console/dist', '../../../console/dist'];
  for (const place of places) {
    const folder = fileURLToPath(new URL(place, import.meta.url));
    if (existsSync(join(folder, 'index.html'))) return folder;
  }
  return null;
}

/**
 * Serves the console from a folder, and its page for every path outside the API that is not a file.
 * @param folder null if the console is not built: only the API answers then
 */
export async function serveConsole(app: FastifyInstance, folder: string | null): Promise<void> {
  if (folder !== null) {
    await addPublicFiles(app, async (files) => {
      await files.register(fastifyStatic, {
        root: folder,
        wildcard: false,
        index: false,
        // Compressed at build time.
        preCompressed: true,
        // Compressed files are sent in place of the originals, so they need no addresses of their own.
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
    // The guide's folder has an overview page of its own.
    if (page !== null && reads && /^\/guide\/?$/.test(path)) {
      return reply.redirect('/guide/index.html');
    }
    // Paths such as `//` are not addresses of the console.
    const isPage = reads && path !== UNREADABLE && !/^\/(api|assets|files)(\/|$)/.test(path);
    if (page === null || !isPage) throw new AppError('not-found');
    // 200 for every path: the console decides which of them exist for this admin (SHELL-19).
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page);
  });
}
