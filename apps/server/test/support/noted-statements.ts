/**
 * Set-up for a run on PostgreSQL: records each distinct statement of the server once, with its values and the
 * types in its answer, for the test that sends all of them to the embedded database (`statements`).
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** A recorded statement: one line of JSON. */
export interface Noted {
  text: string;
  /** Values in the form of `packValue`. */
  values: unknown[];
  /** The type of each column in the answer, by its number in PostgreSQL. */
  types: number[];
}

/** Statements longer than this differ from a shorter one only in the number of rows. */
const LONGEST = 100_000;
const folder = process.env.TEST_STATEMENTS;

/**
 * Returns the form of a statement. Statements that differ only in the number of values or rows count as the
 * same.
 */
const formOf = (text: string): string =>
  text
    .replace(/\$\d+/g, '$')
    .replace(/\((?:\$|default)(?:, ?(?:\$|default))*\)/g, '($)')
    .replace(/\(\$\)(?:, ?\(\$\))+/g, '($)');

function packValue(value: unknown): unknown {
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') };
  if (value instanceof Date) return { date: value.toISOString() };
  if (typeof value === 'bigint') return { bigint: value.toString() };
  return { value: value ?? null };
}

/** Reads a value written by `packValue`. */
export function unpackValue(packed: unknown): unknown {
  const { bytes, date, bigint, value } = packed as Record<string, string | undefined>;
  if (bytes !== undefined) return Buffer.from(bytes, 'base64');
  if (date !== undefined) return new Date(date);
  if (bigint !== undefined) return BigInt(bigint);
  return value;
}

type Sent = { text: string; values?: unknown[] } | string;
type Answer = { fields?: { dataTypeID: number }[] };
type Query = (sent: Sent, values?: unknown, callback?: unknown) => unknown;

/** Wraps the driver's query, once in each process. */
function noteFrom(
  client: { query: Query; connectionParameters?: { application_name?: string } },
  to: string,
) {
  const seen = new Set<string>();
  const send = client.query;
  client.query = function noted(this: typeof client, sent, values, callback) {
    const text = typeof sent === 'string' ? sent : sent.text;
    const given = Array.isArray(values) ? values : typeof sent === 'string' ? [] : (sent.values ?? []);
    // Records only the server's own statements, not those that tests use to create or query a database.
    const ours = this.connectionParameters?.application_name === 'lms-admin';
    const plain = /^\s*(select|insert|update|delete|with)\b/i.test(text ?? '');
    if (!ours || !plain || text.length > LONGEST) return send.call(this, sent, values, callback);
    const note = (answer: Answer | undefined) => {
      const form = formOf(text);
      if (seen.has(form) || !answer?.fields) return;
      seen.add(form);
      const line: Noted = {
        text,
        values: given.map(packValue),
        types: answer.fields.map(({ dataTypeID }) => dataTypeID),
      };
      appendFileSync(to, `${JSON.stringify(line)}\n`);
    };
    const heard = (back: unknown) =>
      typeof back === 'function'
        ? (error: unknown, answer: Answer) => {
            note(answer);
            back(error, answer);
          }
        : back;
    const answer = send.call(this, sent, heard(values), heard(callback));
    if (answer instanceof Promise) answer.then(note, () => {});
    return answer;
  };
}

const NOTED = Symbol.for('lms-admin.noted-statements');
const driver = pg.Client.prototype as unknown as Record<symbol, true> & Parameters<typeof noteFrom>[0];
if (folder && !driver[NOTED]) {
  driver[NOTED] = true;
  noteFrom(driver, join(folder, `${process.pid}.jsonl`));
}
