/** Set-up for a run on PostgreSQL: migrates one database, of which the tests' databases are copies. */
import { openDatabase } from '../../src/platform/open-database.ts';
import { freshDatabase, MADE } from './databases.ts';

export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  // Several projects in one run share it.
  if (process.env[MADE]) return undefined;
  const { url, name, drop } = await freshDatabase();
  await (await openDatabase({ databaseUrl: url, dataDir: null })).close();
  process.env[MADE] = name;
  return drop;
}
