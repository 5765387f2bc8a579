/** How a command reaches the database: opened by itself, or, where a server has the embedded one, through that server. */
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

/** What operations work with, opened by the command itself. */
export type Opened = OperationParts & { close(): Promise<void> };
export type Open = (config: Config) => Promise<Opened>;

export interface Reach {
  /** Whether this process has the database, or a server that was asked. */
  readonly through: 'own' | 'server';
  /** @param hear takes text as it comes @throws Refusal */
  ask(operation: OperationName, args?: object, hear?: (text: string) => Promise<void>): Promise<unknown>;
  close(): Promise<void>;
}

/** As the audit names who runs a command. */
export const operator = () => `${userInfo().username} (command)`;

/**
 * @throws FolderInUse when another process has the embedded database, and takes no commands; OtherDatabase when it is not of this version
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

/** Of a command's own connections to PostgreSQL, where `lms-admin` is a server's. */
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
    // As it comes over the socket.
    ask: async (operation, args = {}, hear = async () => {}) =>
      JSON.parse(JSON.stringify(await OPERATIONS[operation](parts, { ...args, login: operator() }, hear))),
    close: () => parts.close(),
  };
}

/** One question, as the server takes it. */
function serverReach(socket: Socket): Reach {
  return {
    through: 'server',
    async ask(operation, args = {}, hear = async () => {}) {
      const asked: typeof request._input = {
        version: RELEASE,
        operation,
        args: { ...args, login: operator() },
      };
      socket.write(`${JSON.stringify(asked)}\n`);
      for await (const line of linesOf(socket)) {
        const said = reply.parse(JSON.parse(line));
        if ('text' in said) await hear(said.text);
        else if ('failed' in said)
          throw said.refused ? new Refusal(said.failed, '') : serverFailed(said.failed);
        else return said.result;
      }
      throw new Refusal('The server stopped before it had answered.', 'Run the command again.');
    },
    async close() {
      socket.destroy();
    },
  };
}

const serverFailed = (why: string) =>
  new Refusal(`The server that runs could not do it (${why}).`, 'Check its log, and run the command again.');

async function connected(path: string): Promise<Socket | null> {
  const socket = createConnection(path);
  try {
    await once(socket, 'connect');
    return socket;
  } catch {
    return null;
  }
}
