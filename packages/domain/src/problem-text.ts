/** Sentences about rows, with the kind that they have in common whatever the values of the row. */

/** A sentence, and its kind: the same sentence with … for the values that differ between rows. */
export interface ProblemText {
  message: string;
  kind: string;
}

/** A part of a sentence that differs between rows. */
export interface RowPart {
  text: string;
  /** What the kind has in its place. */
  kind: string;
}

/**
 * A value within a sentence: quoted, with its control characters escaped, cut when long. A value with straight quotes
 * or a backslash is put in curly quotes unchanged: escaped, it would look like another value.
 */
export function shown(value: string): string {
  const text = value.length > 100 ? `${value.slice(0, 100)}…` : value;
  const quoted = JSON.stringify(text);
  if (!/["\\]/.test(text)) return quoted;
  return `“${quoted.slice(1, -1).replace(/\\(["\\])/g, '$1')}”`;
}

/** A value of the row, quoted. */
export const quotedValue = (value: string): RowPart => ({ text: shown(value), kind: '…' });

/** Another row, by its name in the sentence. */
export const earlierRow = (text: string): RowPart => ({ text, kind: 'an earlier row' });

/** Writes a sentence; strings are the same in every row, and the other parts differ. */
export function problemText(
  fixed: TemplateStringsArray,
  ...parts: readonly (string | RowPart)[]
): ProblemText {
  const filled = (of: (part: RowPart) => string) =>
    fixed.reduce((text, next, at) => {
      const part = parts[at - 1] ?? '';
      return text + (typeof part === 'string' ? part : of(part)) + next;
    });
  return { message: filled(({ text }) => text), kind: filled(({ kind }) => kind).replace('….', '…') };
}
