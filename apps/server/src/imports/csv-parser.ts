/** The CSV parser as everything here uses it: rows may have any number of cells, and cost the same whatever it is. */
import { type Options, type Parser, parse } from 'csv-parse';

/**
 * Makes a parser. The library makes an error, with its stack, for every row that is not as long as the first one, and then
 * throws it away: a megabyte of blank rows would take half a minute. So the length that it expects is always the row's own.
 */
export function csvParser(options: Options): Parser {
  const parser = parse({ ...options, relax_column_count: true });
  const { state } = parser as unknown as { state?: { record: unknown[] } };
  if (state) {
    Object.defineProperty(state, 'expectedRecordLength', { get: () => state.record.length, set: () => {} });
  }
  return parser;
}
