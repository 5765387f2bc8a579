/** What an SIS table is: a kind of CSV that passes through us to the LMS (LMS reference §8, §9 and §15). */

/** Characters that the LMS takes of a name or an id, and of a login. */
export const LONGEST_NAME = 255;
export const LONGEST_LOGIN = 100;

/** Things of the LMS that a row depends on. A person, a course and so on are named by their SIS IDs. */
export type SisThing =
  | 'person'
  | 'login'
  | 'course'
  | 'section'
  | 'role'
  | 'role-name'
  | 'group-category'
  | 'group';

/** One of these columns has to be there, and one of their cells filled in. */
export interface SisNeed<Column extends string = string> {
  oneOf: readonly Column[];
  /** What is missing otherwise, in words. */
  what: string;
  /** Not needed where this column is filled in. */
  unless?: Column;
  /** False where a row that deletes does without it. */
  toDelete?: boolean;
}

/** What every row of a table must hold. */
export interface SisRowRules<Column extends string = string> {
  needs: readonly SisNeed<Column>[];
  /** Of these at most one may be filled in. */
  exclusive?: readonly Column[];
  /** Two columns that may not say the same. */
  different?: readonly [Column, Column];
  /** Values of `status`, in any letter case; none where the table has no such column. */
  states: readonly string[];
  /** Whether `status` may be left out. */
  stateMayLack?: boolean;
  /** Columns that take these words only. */
  words?: Readonly<Partial<Record<Column, readonly string[]>>>;
  /** Columns with a date, and whether `<delete>` removes it. */
  dates?: readonly Column[];
  datesClear?: boolean;
  emails?: readonly Column[];
  /** Most characters that the LMS takes. */
  longest?: Readonly<Partial<Record<Column, number>>>;
  /** Columns that become one text. */
  joined?: { of: readonly Column[]; unless: Column; most: number; what: string };
}

/** A file to start from: a header and one sample row (OP-54). */
export interface SisTemplate<Column extends string = string> {
  file: string;
  /** Its place among the templates of SIS Import, from 1; null for one that another tool offers. */
  place: number | null;
  /** What it is called, and what it is for. */
  title: string;
  use: string;
  columns: readonly Column[];
  sample: Readonly<Partial<Record<Column, string>>>;
  /** The column whose sample is in no one's own file. */
  marked: Column;
}

interface Entry<Column extends string> {
  /** What its rows are, for people. */
  title: string;
  /** How the LMS knows it: one column of each list is there, and none of `without`. */
  known: { by: readonly (readonly Column[])[]; without?: readonly string[] };
  /** Who may send it: `all` are admins whose `perm` is `ALL`, `everybody` also those of limited reach (OP-53). */
  senders: 'everybody' | 'all' | 'nobody';
  /** The column that names each thing. */
  touches: Readonly<Partial<Record<SisThing, Column>>>;
  /** Things that a row can bring about, or give their ids: other rows of the same import may name them before the LMS knows. */
  makes?: readonly SisThing[];
  /** Beginnings of a `status` that deletes. */
  deleting: readonly string[];
  /** What a row that deletes removes: someone from the LMS, or someone from a course. */
  deletes?: 'person' | 'enrolment';
  /** What every row must hold. */
  rows: SisRowRules<Column>;
  /** Columns in which no value occurs twice: the later row would undo the earlier one, or be refused. */
  once?: readonly Column[];
  /** Column by which rows with such a value are about different things. */
  apart?: Column;
  /** Columns whose cells no one is shown. */
  secret?: readonly Column[];
  templates?: readonly SisTemplate<Column>[];
}

export interface SisTableOf<Kind extends string, Column extends string> extends Entry<Column> {
  /** What the LMS calls its importer. */
  kind: Kind;
  /** Columns that the LMS reads, in the order of its documents; it passes over any other. */
  columns: readonly Column[];
}

/** Texts that may have as many characters as a name. */
export function asNames<const Column extends string>(...columns: readonly Column[]): Record<Column, number> {
  return Object.fromEntries(columns.map((column) => [column, LONGEST_NAME])) as Record<Column, number>;
}

/** Declares a table. Whatever names a column can only name one of its own. */
export function sisTable<const Kind extends string, const Column extends string>(
  kind: Kind,
  columns: readonly Column[],
  entry: Entry<NoInfer<Column>>,
): SisTableOf<Kind, Column> {
  return { kind, columns, ...entry };
}
