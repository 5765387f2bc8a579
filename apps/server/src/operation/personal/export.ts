/** Everything stored about a person, as one JSON document. */
import type { Database } from '../../platform/database.ts';
import { findContent, Person } from './find.ts';
import { HOLDINGS } from './holdings.ts';
import { tracedTables, tracesIn } from './traces.ts';

/** Yields the document in pieces. @param values login, email address, SIS ID or name that identify the person */
export async function* exportPerson(
  database: Database,
  values: readonly string[],
): AsyncGenerator<string, void, void> {
  const person = new Person(values);
  const known = values.map((value) => value.toLowerCase());
  yield `{\n"person": ${JSON.stringify(values)},\n"exported_at": ${JSON.stringify(new Date().toISOString())},\n"used_lms_admin": {`;
  let first = true;
  for (const traced of tracedTables()) {
    const rows = await tracesIn(database, traced, known);
    if (rows.length === 0) continue;
    yield `${first ? '' : ','}\n${JSON.stringify(traced.table)}: ${JSON.stringify({ about: HOLDINGS[traced.table]?.about, rows })}`;
    first = false;
  }
  yield '\n},\n"named_in": [';
  first = true;
  for (const { table, record, id, texts } of await findContent(database, person)) {
    const about = HOLDINGS[table]?.about;
    yield `${first ? '' : ','}\n${JSON.stringify({ table, about, [record === 'kept' ? 'record' : record]: id, texts })}`;
    first = false;
  }
  yield '\n]\n}\n';
}
