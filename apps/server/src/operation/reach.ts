/** Connects a command to the database: directly, or through the server that has the embedded one. */
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { userInfo } from 'node:os';
import { createAudit } from '../platform/audit.ts';
import type { Config } from '../platform/config.ts';
import { FolderInUse } from '../platform/lock.ts';
import { createLog } from '../platform/log.ts';
import { openDatabase } from '../platform/open-database.ts';
import { RELEASE } from '../platform/release.ts';
import { OPERATIONS, type OperationName } from './operations.ts';
import type { OperationParts } from './parts.ts';
import { Refusal } from './refusal.ts';
import { linesOf, reply, request, socketPath } from './wire.ts';

/** Parts for operations that the command has opened itself. */
export type Opened = OperationParts & { close(): Promise<void> };
export type Open = (config: Config) => Promise<Opened>;

export interface Reach {
  /** Whether this process has opened the database, or asks a server. */
  readonly through: 'own' | 'server';
  /** @param hear receives the output piece by piece @throws Refusal */
  ask(operation: OperationName, args?: object, hear?: (text: string) => Promise<void>): Promise<unknown>;
  close(): Promise<void>;
}

/** Returns the operator's name in the audit. */
export const operator = () => `${userInfo().username} (command)`;

/**
 * @throws FolderInUse when another process has the embedded database and does not accept commands; OtherDatabase when
 * it is not of this version
 */
export async function reachDatabase(config: Config, open: Open = openPlain): Promise<Reach> {
  try {
    return ownReach(await open(config));
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    const socket = await connected(socketPath(config.dataFolder));
    if (socket === null) throw error;
    return serverReach(socket);
  }
}

/** Name of a command's own connections to PostgreSQL; a server's are named `lms-admin`. */
export const COMMAND = 'lms-admin command';

async function openPlain(config: Config): Promise<Opened> {
  const { databaseUrl, dataFolder: dataDir } = config;
  const db = await openDatabase({ databaseUrl, dataDir, schema: 'current', name: COMMAND });
  return {
    config,
    db,
    audit: createAudit(db.db, createLog('silent')),
    services: null,
    close: () => db.close(),
  };
}

function ownReach(parts: Opened): Reach {
  return {
    through: 'own',
    // Answers as they arrive over the socket.
    ask: async (operation, args = {}, hear = async () => {}) =>
      JSON.parse(JSON.stringify(await OPERATIONS[operation](parts, { ...args, login: operator() }, hear))),
    close: () => parts.close(),
  };
}

/** Asks the server one question over a socket. */
function serverReach(socket: Socket): Reach {
  return {
    through: 'server',
    async ask(operation, args = {}, hear = async () => {}) {
      const message: typeof request._input = {
        version: RELEASE,
        operation,
        args: { ...args, login: operator() },
      };
      socket.write(`${JSON.stringify(message)}\n`);
      for await (const line of linesOf(socket)) {
        const answer = reply.parse(JSON.parse(line));
        if ('text' in answer) await hear(answer.text);
        else if ('failed' in answer)
          throw answer.refused ? new Refusal(answer.failed, '') : serverFailed(answer.failed);
        else return answer.result;
      }
      throw new Refusal('The server stopped before it answered.', 'Run the command again.');
    },
    async close() {
      socket.destroy();
    },
  };
}

const serverFailed = (why: string) =>
  new Refusal(
    `The running server could not run the command (${why}).`,
    'Check the log of the server, and run the command again.',
  );

async function connected(path: string): Promise<Socket | null> {
  const socket = createConnection(path);
  try {
    await once(socket, 'connect');
    return socket;
  } catch {
    return null;
  }
}
