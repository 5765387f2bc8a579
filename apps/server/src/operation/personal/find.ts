/** Finds where a person is named: their own traces as an administrator, and records with content about them. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { readPieces } from '../../files/pieces.ts';
import type { Database } from '../../platform/database.ts';
import * as schema from '../../platform/schema.ts';
import { HOLDINGS, type Holding } from './holdings.ts';

/** The values that identify a person: login, email address, SIS ID, name. */
export class Person {
  readonly values: readonly string[];
  readonly #pattern: RegExp;

  /** @param values at least one, none empty */
  constructor(values: readonly string[]) {
    this.values = values;
    const one = values.map((value) => value.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
    // Whole words only: '5001001' is not in '50010011', nor 'ana@x.example' in 'diana@x.example'.
    this.#pattern = new RegExp(
      `(?<![\\p{L}\\p{N}._%+@-])(?:${one})(?![\\p{L}\\p{N}_%+@-]|\\.[\\p{L}\\p{N}])`,
      'giu',
    );
  }

  isNamedIn(text: string): boolean {
    this.#pattern.lastIndex = 0;
    return this.#pattern.test(text);
  }

  /** Returns the text with every mention of the person replaced. */
  erasedFrom(text: string): string {
    return text.replace(this.#pattern, ERASED);
  }
}

/** Replacement for a name. */
export const ERASED = '(erased)';

/** A record whose content names the person. */
export interface Found {
  table: string;
  record: NonNullable<Holding['of']>['record'];
  /** Id of the record that the content belongs to. */
  id: string;
  /** Texts that name the person, each of limited length. */
  texts: string[];
}

const unpacked = promisify(gunzip);
const quoted = (name: string) => `"${name}"`;
/** Longest text kept for the export, in characters. */
const SHOWN = 500;
const BATCH = 200;

/** Finds every record whose content names the person, by reading all stored content. */
export async function findContent(database: Database, person: Person): Promise<Found[]> {
  const found = new Map<string, Found>();
  const note = (table: string, of: NonNullable<Holding['of']>, id: string, text: string) => {
    const key = `${table} ${id}`;
    const one = found.get(key) ?? { table, record: of.record, id, texts: [] };
    for (const line of text.split(/\r?\n/)) {
      if (person.isNamedIn(line)) one.texts.push(...around(line, person));
    }
    found.set(key, one);
  };
  for (const [table, { of, columns }] of Object.entries(HOLDINGS)) {
    if (of === undefined) continue;
    const content = Object.keys(columns).filter((column) => columns[column] === 'content');
    for await (const row of rowsOf(database, table, [of.id, ...content])) {
      for (const column of content) {
        const text = await textOf(row[column]);
        if (text !== null && person.isNamedIn(text)) note(table, of, String(row[of.id]), text);
      }
    }
  }
  for await (const { file, part, record, id } of storedParts(database)) {
    for await (const line of linesOf(readPieces(database.db, file, part))) {
      if (person.isNamedIn(line)) note('file_pieces', { record, id: 'file_id' }, id, line);
    }
  }
  return [...found.values()];
}

/** Returns the text around the name in a long line, such as packed JSON. */
function around(line: string, person: Person): string[] {
  if (line.length <= SHOWN) return [line];
  const pieces = line.match(/\{[^{}]*\}|\[[^[\]]*\]/g) ?? [];
  const named = pieces.filter((piece) => person.isNamedIn(piece)).map((piece) => piece.slice(0, SHOWN));
  return named.length > 0 ? named : [`${line.slice(0, SHOWN)}…`];
}

const typeOf = (table: string, column: string) => columnTypes().get(`${table}.${column}`) ?? 'text';

let types: Map<string, string> | null = null;
function columnTypes(): Map<string, string> {
  types ??= new Map(
    Object.values(schema)
      .filter((one) => is(one, PgTable))
      .flatMap((table) => {
        const { name, columns } = getTableConfig(table);
        return columns.map((column) => [`${name}.${column.name}`, column.getSQLType()] as const);
      }),
  );
  return types;
}

/** Reads all rows in batches, in stored order, with JSON as text. */
async function* rowsOf(database: Database, table: string, columns: readonly string[]) {
  const list = [...new Set(columns)].map((column) =>
    typeOf(table, column) === 'jsonb' ? `${quoted(column)}::text AS ${quoted(column)}` : quoted(column),
  );
  let after = '(0,0)';
  for (;;) {
    const { rows } = await database.exec(
      `SELECT ctid::text AS at, ${list.join(', ')} FROM ${quoted(table)} WHERE ctid > $1::tid ORDER BY ctid LIMIT ${BATCH}`,
      [after],
    );
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = String(last.at);
  }
}

/** Returns the content of a column as text; packed JSON is unpacked. */
async function textOf(value: unknown): Promise<string | null> {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return value.length === 0 ? '' : (await unpacked(value)).toString('utf8');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

interface StoredPart {
  file: string;
  part: number;
  id: string;
  record: NonNullable<Holding['of']>['record'];
}

/**
 * Yields content stored in pieces, with the record it belongs to: a submitted file belongs to its import. Pieces
 * without a record are removed within hours.
 */
async function* storedParts(database: Database): AsyncGenerator<StoredPart, void, void> {
  const { rows } = await database.exec(`
    SELECT DISTINCT p.file_id::text AS file, p.part, COALESCE(f.job_id, p.file_id)::text AS id,
      CASE WHEN i.id IS NOT NULL THEN 'job' WHEN s.id IS NOT NULL THEN 'file' WHEN d.id IS NOT NULL THEN 'draft' ELSE 'job' END AS record
    FROM file_pieces p
    LEFT JOIN sis_files s ON s.id = p.file_id LEFT JOIN sis_drafts d ON d.id = p.file_id LEFT JOIN files f ON f.id = p.file_id
    LEFT JOIN imports i ON i.id = p.file_id
    ORDER BY 1, 2`);
  yield* rows as unknown as StoredPart[];
}

async function* linesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of content) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
