/** Where the SQL files that make the schema lie. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Beside the built server, else where the source keeps them. */
export function migrationsFolder(): string {
  const built = fileURLToPath(new URL('./migrations', import.meta.url));
  return existsSync(built) ? built : fileURLToPath(new URL('../../migrations', import.meta.url));
}
