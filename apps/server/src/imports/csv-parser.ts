/** The CSV parser as everything here uses it: rows may have any number of cells, and cost the same whatever it is. */
import { type Options, type Parser, parse } from 'csv-parse';

/** What is used of the parser's inside; where a later version has it no more, rows are only dearer. */
interface Inside {
  api?: { state: { record: unknown[]; expectedRecordLength: number }; __onRecord(push: unknown): unknown };
}

/**
 * Makes a parser. The library makes an error, with its stack, for every row that is not as long as the first one, and then
 * throws it away: a megabyte of blank rows would take half a minute. So the length that it expects is always the row's own.
 */
export function csvParser(options: Options): Parser {
  const parser = parse({ ...options, relax_column_count: true });
  const { api } = parser as unknown as Inside;
  if (api) {
    // The name is the library's, and so is what `this` is in it.
    // oxlint-disable-next-line no-underscore-dangle, typescript/unbound-method
    const onRecord = api.__onRecord;
    // oxlint-disable-next-line no-underscore-dangle
    api.__onRecord = (push) => {
      api.state.expectedRecordLength = api.state.record.length;
      return onRecord.call(api, push);
    };
  }
  return parser;
}
