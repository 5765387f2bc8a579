/** Values in files that people download: a spreadsheet would run some of them as formulas (OP-81). */

/** What a spreadsheet would run, and what the guard would be mistaken for. */
const RUNS = /^'*[=+\-@\t\r\n]/;
const GUARDED = /^'+[=+\-@\t\r\n]/;

/** The value with a quote before it, where a spreadsheet would run it. */
export function guarded(value: string): string {
  return RUNS.test(value) ? `'${value}` : value;
}

/** The value without the guard, when such a file comes back. */
export function unguarded(value: string): string {
  return GUARDED.test(value) ? value.slice(1) : value;
}
