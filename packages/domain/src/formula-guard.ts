/** Values in downloaded files: a spreadsheet would execute some of them as formulas (OP-81). */

/** Values that a spreadsheet would execute, and values that look guarded already. */
const RUNS = /^'*[=+\-@\t\r\n]/;
const GUARDED = /^'+[=+\-@\t\r\n]/;

/** Returns the value, with a quote before it if a spreadsheet would execute it. */
export function guarded(value: string): string {
  return RUNS.test(value) ? `'${value}` : value;
}

/** Returns the value without the guard, when such a file is uploaded again. */
export function unguarded(value: string): string {
  return GUARDED.test(value) ? value.slice(1) : value;
}
