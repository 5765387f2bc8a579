/** The page that has only the table (`bench/table`), built and served on a free port. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { build } from 'vite';

export interface TablePage {
  url: string;
  close: () => void;
}

export async function serveTable(): Promise<TablePage> {
  const root = process.cwd();
  const output = (await build({
    root: join(root, 'bench/table'),
    configFile: join(root, 'apps/console/vite.config.ts'),
    logLevel: 'error',
    build: { write: false, rollupOptions: { input: join(root, 'bench/table/index.html') } },
  })) as { output: { fileName: string; code?: string; source?: string | Uint8Array }[] };
  const files = new Map(output.output.map((file) => [`/${file.fileName}`, file.code ?? file.source ?? '']));
  const server = createServer((request, answer) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = pathname === '/' ? '/index.html' : pathname;
    const type = path.endsWith('.html')
      ? 'text/html'
      : path.endsWith('.css')
        ? 'text/css'
        : 'text/javascript';
    answer.writeHead(files.has(path) ? 200 : 404, { 'content-type': type }).end(files.get(path));
  }).listen(0);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://localhost:${address.port}/`, close: () => server.close() };
}
