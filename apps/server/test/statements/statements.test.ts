/**
 * Every distinct statement that the server's tests sent to PostgreSQL (recorded in the folder named by
 * TEST_STATEMENTS) also works on the embedded database, with answers of the same types. Each is sent with its
 * values and rolled back.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { expect, test } from 'vitest';
import { type Noted, unpackValue } from '../support/noted-statements.ts';
import { templateDatabase } from '../support/template-database.ts';

const folder = process.env.TEST_STATEMENTS ?? 'test-results/statements';
/** Minimum number of statements sent by the server: if there are fewer, they were not all recorded. */
const FEWEST = 200;

/** PostgreSQL's class of errors for conflicting rows, which cannot occur here. */
const MISSING_ROWS = /^23/;

test('the embedded database accepts every statement, and answers with the same types', async () => {
  const lines = readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8').trim().split('\n'),
  );
  const noted = new Map(
    lines.map((line) => JSON.parse(line) as Noted).map((one) => [one.text, one] as const),
  );
  // Tables named `scratch` are created only by a test.
  for (const text of noted.keys()) if (/\bscratch\b/.test(text)) noted.delete(text);
  expect(noted.size).toBeGreaterThan(FEWEST);
  const embedded = new PGlite({ loadDataDir: await templateDatabase() });
  await embedded.waitReady;
  const wrong: string[] = [];
  for (const { text, values, types } of noted.values()) {
    await embedded.exec('BEGIN');
    try {
      const { fields } = await embedded.query(text, values.map(unpackValue));
      const found = fields.map(({ dataTypeID }) => dataTypeID);
      if (String(found) !== String(types)) wrong.push(`${text}\n  types ${found}, not ${types}`);
    } catch (error) {
      const { code = '', message } = error as { code?: string; message: string };
      if (!MISSING_ROWS.test(code)) wrong.push(`${text}\n  ${code} ${message}`);
    }
    await embedded.exec('ROLLBACK');
  }
  await embedded.close();
  expect(wrong).toEqual([]);
});
