/** All services of a server, for a command that owns the database or shares PostgreSQL. No jobs are started. */
import { assemble } from './app.ts';
import { COMMAND, type Opened } from './operation/reach.ts';
import type { Config } from './platform/config.ts';
import { createLog } from './platform/log.ts';
import { closeServices, openServices } from './services.ts';

/** People do not sign in through a command. */
const NO_SIGN_INS = 0;

export async function openForCommand(config: Config): Promise<Opened> {
  const log = createLog('silent');
  const services = await openServices(config, {
    log,
    now: Date.now,
    signInsPerMinute: NO_SIGN_INS,
    databaseInMemory: null,
    schema: 'current',
    name: COMMAND,
  });
  const { jobs, listed } = assemble(services);
  const { db, audit } = services;
  return { config, db, audit, services: { ...services, jobs, listed }, close: () => closeServices(services) };
}
