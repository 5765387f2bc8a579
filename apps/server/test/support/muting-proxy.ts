/** Connections that die silently, as behind a firewall that forgets them. */
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * Passes everything on until the existing connections are muted: then no data arrives, but none of them ends.
 */
export async function mutingProxy(to: { host: string; port: number }) {
  const muted = new WeakSet<Socket>();
  const open = new Set<Socket>();
  const proxy: Server = createServer((client) => {
    const server = connect(to);
    for (const [from, into] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on('data', (chunk) => muted.has(client) || into.write(chunk));
      from.on('close', () => muted.has(client) || into.destroy());
      from.on('error', () => {});
    }
    open.add(client).add(server);
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  const address = proxy.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    mute: () => open.forEach((socket) => muted.add(socket)),
    close() {
      for (const socket of open) socket.destroy();
      return new Promise((closed) => proxy.close(closed));
    },
  };
}
