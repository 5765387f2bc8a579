/** Writes the rows of a plan as CSV text. */
import { setImmediate as yieldTurn } from 'node:timers/promises';
import { csvLine } from '@lms-admin/domain/csv';

/** Rows written before other work gets a turn. */
const ROWS_AT_ONCE = 2_000;

/** Returns the columns, rows and number of rows. */
export function csvOf(header: readonly string[], rows: readonly (readonly string[])[]) {
  return { rows: rows.length, texts: yieldingToOthers([header, ...rows]), nouns: ['row', 'rows'] as const };
}

/** Yields the CSV in parts, with a pause for other work after each. */
async function* yieldingToOthers(lines: readonly (readonly string[])[]): AsyncGenerator<string, void, void> {
  for (let at = 0; at < lines.length; at += ROWS_AT_ONCE) {
    const text = lines
      .slice(at, at + ROWS_AT_ONCE)
      .map(csvLine)
      .join('\n');
    yield at === 0 ? text : `\n${text}`;
    await yieldTurn();
  }
}
