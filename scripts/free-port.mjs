/** Ports for servers that tests start, stop and start again. Uses only Node's own modules. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that the system assigns to connections, so that no other program takes a port while its server is down. */
const FIRST = 12_000;
const LAST = 32_000;

/** @returns a port on which no program listens */
export async function freePort() {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    const server = createServer().listen(port);
    const free = await Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ]);
    if (!free) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
