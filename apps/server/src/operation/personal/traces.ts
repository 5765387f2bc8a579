/** A person's own traces as an administrator: rows with their login or their name. */
import type { Database } from '../../platform/database.ts';
import { HOLDINGS } from './holdings.ts';

/** Columns that hold secrets: neither exported nor shown. */
const SECRET = ['id', 'grant_id', 'access_token_enc', 'refresh_token_enc'];

/** Lists the tables with logins or names, and the columns that hold them. */
export function tracedTables(): { table: string; login: string | null; names: string[] }[] {
  return Object.entries(HOLDINGS).flatMap(([table, { columns }]) => {
    const named = (what: string) => Object.keys(columns).filter((column) => columns[column] === what);
    const [login = null] = named('login');
    const names = named('name');
    return login === null && names.length === 0 ? [] : [{ table, login, names }];
  });
}

/**
 * Returns the rows of a table that belong to the person, without secrets and content.
 * @param known login, email address and names, in lower case
 */
export async function tracesIn(
  database: Database,
  { table, login, names }: ReturnType<typeof tracedTables>[number],
  known: readonly string[],
): Promise<Record<string, unknown>[]> {
  const { rows } = await database.exec(`SELECT * FROM "${table}" WHERE ${theirs(login, names)}`, [known]);
  const kept = HOLDINGS[table]?.columns ?? {};
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).filter(([name]) => !SECRET.includes(name) && kept[name] !== 'content'),
    ),
  );
}

/** Returns the SQL condition for the person's rows; the known values are the first parameter. */
export function theirs(login: string | null, names: readonly string[]): string {
  // If there is a login, it decides: two people can have the same name.
  const columns = login === null ? names : [login];
  return columns.map((column) => `lower("${column}"::text) = ANY($1::text[])`).join(' OR ');
}
