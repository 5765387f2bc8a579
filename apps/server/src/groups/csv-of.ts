/** Rows of a plan as the text of a CSV. */
import { setImmediate as yieldTurn } from 'node:timers/promises';
import { csvLine } from '@lms-admin/domain/csv';

/** Rows written before other work gets its turn. */
const ROWS_AT_ONCE = 2_000;

/** Columns, rows and their number. */
export function csvOf(header: readonly string[], rows: readonly (readonly string[])[]) {
  return { rows: rows.length, texts: yieldingToOthers([header, ...rows]), things: ['row', 'rows'] as const };
}

/** In pieces, with a pause for other work after each. */
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
