/** The console's files: hashed ones are kept by browsers for a year, and every path of the console gets its page. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
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
    // `//` and the like are no address at all.
    const address = URL.canParse(request.url, 'http://localhost') ? request.url : '/api';
    const { pathname } = new URL(address, 'http://localhost');
    // A folder has its overview as a page of its own.
    if (page !== null && request.method === 'GET' && /^\/guide\/?$/i.test(pathname)) {
      return reply.redirect('/guide/index.html');
    }
    const isPage = request.method === 'GET' && !/^\/(api|assets|files)(\/|$)/i.test(pathname);
    if (page === null || !isPage) throw new AppError('not-found');
    // 200 for every path: which of them exist for this admin is the console's to say (SHELL-19).
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page);
  });
}
