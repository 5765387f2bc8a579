/** Required contents of a row's cells, table by table (LMS reference §9): all problems of a row at once. Pure. */
import { isEmail } from './emails.ts';
import { type ProblemText, problemText, quotedValue } from './problem-text.ts';
import { lmsDate } from './sis-dates.ts';
import { NO_PROBLEMS, type RowCheck, type SisProblem } from './sis-rows.ts';
import type { SisTable } from './sis-tables.ts';

/** The cell of a column; empty if the file has no such column. */
type CellOf = (cells: readonly string[]) => string;
/** A check of one aspect of a row. */
type Rule = (cells: readonly string[]) => SisProblem | null;

/** The word with which the LMS clears a value. */
const CLEARS = '<delete>';

/** Returns the check for the rows of a file of this table. */
export function rowCheck(table: SisTable, header: readonly string[]): RowCheck {
  const rules = [
    ...neededRules(table, header),
    ...statusRule(table, header),
    ...valueRules(table, header),
    ...lengthRules(table, header),
  ];
  return (cells) => {
    let problems: SisProblem[] | null = null;
    for (const rule of rules) {
      const problem = rule(cells);
      if (problem !== null) (problems ??= []).push(problem);
    }
    return problems ?? NO_PROBLEMS;
  };
}

function cellOf(header: readonly string[], column: string): CellOf | null {
  const at = header.indexOf(column);
  return at === -1 ? null : (cells) => cells[at] ?? '';
}

/**
 * Creates the rules for required columns: one column of a list must have a value; in other lists at most one, or two
 * different ones.
 */
function neededRules({ rows, deleting }: SisTable, header: readonly string[]): Rule[] {
  const status = cellOf(header, 'status') ?? (() => '');
  const filled = (columns: readonly string[]) => {
    const places = columns.flatMap((column) => cellOf(header, column) ?? []);
    return (cells: readonly string[]) => places.some((cell) => cell(cells) !== '');
  };
  const needs = rows.needs.map(({ oneOf, what, unless, toDelete = true }): Rule => {
    const there = filled(oneOf);
    const instead = unless === undefined ? null : filled([unless]);
    const problem = { column: oneOf[0] ?? null, message: `The ${what} is missing.` };
    return (cells) => {
      if (there(cells) || instead?.(cells)) return null;
      const deletes = !toDelete && deleting.some((word) => status(cells).toLowerCase().startsWith(word));
      return deletes ? null : problem;
    };
  });
  const exclusive = rows.exclusive?.flatMap((column) => cellOf(header, column) ?? []) ?? [];
  const both = {
    column: rows.exclusive?.[0] ?? null,
    message: `Fill in only one of ${rows.exclusive?.join(' and ')}.`,
  };
  const [one, other] = rows.different?.map((column) => cellOf(header, column)) ?? [];
  return [
    ...needs,
    ...(exclusive.length < 2
      ? []
      : [(cells: readonly string[]) => (exclusive.every((cell) => cell(cells) !== '') ? both : null)]),
    ...(one && other
      ? [
          (cells: readonly string[]) => {
            if (one(cells) === '' || one(cells) !== other(cells)) return null;
            const text = problemText`${quotedValue(one(cells))} is in both columns. People cannot observe themselves.`;
            return { column: rows.different?.[0] ?? null, ...text };
          },
        ]
      : []),
  ];
}

function statusRule({ rows }: SisTable, header: readonly string[]): Rule[] {
  const states: ReadonlySet<string> = new Set(rows.states);
  const cell = cellOf(header, 'status') ?? (() => '');
  if (states.size === 0) return [];
  return [
    (cells) => {
      const status = cell(cells);
      if (states.has(status) || states.has(status.toLowerCase())) return null;
      if (status === '' && rows.stateMayLack) return null;
      return statusProblem(status, rows.states);
    },
  ];
}

/** Returns the problem of a status that is not one of these. */
export function statusProblem(status: string, known: readonly string[]): SisProblem {
  const text =
    status === ''
      ? { message: `The status is missing: it should be ${listed(known)}.` }
      : problemText`The status should be ${listed(known)}, not ${quotedValue(status)}.`;
  return { column: 'status', ...text };
}

function listed(words: readonly string[]): string {
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${words.at(-1)}` : (words[0] ?? '');
}

/** Creates the rules for columns that only accept certain words, dates, and email addresses. */
function valueRules({ rows }: SisTable, header: readonly string[]): Rule[] {
  const rules: Rule[] = [];
  const add = (column: string, problemOf: (value: string) => ProblemText | null) => {
    const cell = cellOf(header, column);
    if (cell === null) return;
    rules.push((cells) => {
      const value = cell(cells);
      const text = value === '' ? null : problemOf(value);
      return text === null ? null : { column, ...text };
    });
  };
  for (const [column, words] of entriesOf(rows.words)) {
    const isExact = rows.exactWords?.includes(column);
    add(column, (value) =>
      words.includes(value) || (!isExact && words.includes(value.toLowerCase()))
        ? null
        : problemText`The ${column} should be ${listed(words)}, not ${quotedValue(value)}.`,
    );
  }
  for (const column of rows.dates ?? []) {
    add(column, (value) => {
      if ((rows.datesClear && value === CLEARS) || lmsDate(value) !== null) return null;
      const clears = rows.datesClear ? `, or ${CLEARS} to remove the date` : '';
      return problemText`The LMS cannot read the date ${quotedValue(value)} and would ignore it. Write it as 2026-12-31${clears}.`;
    });
  }
  for (const column of rows.emails ?? []) {
    add(column, (value) =>
      isEmail(value)
        ? null
        : problemText`${quotedValue(value)} is not an email address, and the LMS would ignore it. Correct it, or leave the cell empty.`,
    );
  }
  return rules;
}

/** Returns the rules for the number of characters that the LMS keeps of a text. */
function lengthRules({ rows }: SisTable, header: readonly string[]): Rule[] {
  const rules = entriesOf(rows.longest).flatMap(([column, most]): Rule[] => {
    const cell = cellOf(header, column);
    if (cell === null) return [];
    return [
      (cells) => {
        const value = cell(cells);
        const length = value.length <= most ? 0 : characters(value);
        if (length <= most) return null;
        return {
          column,
          ...problemText`The ${column} ${quotedValue(value)} has ${String(length)} characters, but the LMS allows at most ${String(most)}. Shorten it.`,
        };
      },
    ];
  });
  const { joined } = rows;
  if (joined === undefined) return rules;
  const parts = joined.of.flatMap((column) => {
    const cell = cellOf(header, column);
    return cell === null ? [] : [{ column, cell }];
  });
  const instead = cellOf(header, joined.unless) ?? (() => '');
  return [
    ...rules,
    (cells) => {
      // A comma and a space separate the two.
      const lengths = parts.map(({ cell }) => characters(cell(cells)));
      if (lengths.reduce((sum, one) => sum + one, 2) <= joined.most || instead(cells) !== '') return null;
      return {
        column: parts[lengths.indexOf(Math.max(...lengths))]?.column ?? null,
        message: `${joined.what} has more than ${joined.most} characters, the maximum that the LMS allows. Shorten it.`,
      };
    },
  ];
}

/** Counts characters as people and the LMS count them: some take two positions in a text. */
function characters(text: string): number {
  return Array.from(text).length;
}

function entriesOf<T>(record: Readonly<Partial<Record<string, T>>> = {}): [string, T][] {
  return Object.entries(record).flatMap(([column, value]) => (value === undefined ? [] : [[column, value]]));
}
