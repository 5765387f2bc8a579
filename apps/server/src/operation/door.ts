/**
 * Socket for commands to a server with the embedded database, in the data folder, usable only by its owner. The
 * folder's lock keeps commands from opening the database themselves.
 */
import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { RELEASE } from '../platform/release.ts';
import { OPERATIONS, type OperationName } from './operations.ts';
import type { OperationParts } from './parts.ts';
import { Refusal, refusalOf } from './refusal.ts';
import { linesOf, type Reply, request, socketPath } from './wire.ts';

/** Milliseconds without reading after which a command is disconnected, because its snapshot blocks everything else. */
const SILENT_MS = 20_000;

/**
 * Opens the socket. If that fails, the server runs without it, and commands report this.
 * @returns a function that closes it
 */
export async function openDoor(parts: OperationParts & { log: Logger }): Promise<() => Promise<void>> {
  const path = socketPath(parts.config.dataFolder);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    void answer(parts, socket);
  });
  try {
    // Left behind by a server that was killed: the lock on the folder shows that no server is running.
    await rm(path, { force: true });
    server.listen(path);
    await once(server, 'listening');
    await chmod(path, 0o600);
  } catch (error) {
    parts.log.warn({ err: error }, 'commands such as a backup cannot reach this server while it is running');
    return async () => {};
  }
  return async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => server.close(closed));
  };
}

async function answer(parts: OperationParts & { log: Logger }, socket: Socket): Promise<void> {
  const send = async (message: Reply) => {
    if (socket.destroyed) throw new Error('the command has disconnected');
    if (socket.write(`${JSON.stringify(message)}\n`)) return;
    const waiting = new AbortController();
    const { signal } = waiting;
    const drained = await Promise.race([
      once(socket, 'drain', { signal }).then(() => true),
      once(socket, 'close', { signal }).then(() => false),
      sleep(SILENT_MS, false, { signal }),
    ]).finally(() => waiting.abort());
    if (drained) return;
    socket.destroy();
    throw new Error('the command no longer reads the answer');
  };
  try {
    const { value } = await linesOf(socket).next();
    const { version, operation, args } = request.parse(JSON.parse(String(value)));
    if (version !== RELEASE || !Object.hasOwn(OPERATIONS, operation)) {
      throw new Refusal(
        `The running server is LMS Admin ${RELEASE}, but this command is version ${version}.`,
        `Use the command of LMS Admin ${RELEASE}, or stop the server.`,
      );
    }
    const result = await OPERATIONS[operation as OperationName](parts, args, (text) => send({ text }));
    await send({ result });
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === null) parts.log.warn({ err: error }, 'a command failed');
    const { message: failed } = refusal ?? (error instanceof Error ? error : { message: String(error) });
    await send({ failed, refused: refusal !== null }).catch(() => {});
  } finally {
    socket.end();
  }
}
