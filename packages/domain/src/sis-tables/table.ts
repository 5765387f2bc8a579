/** Definition of an SIS table: a kind of CSV that LMS Admin sends to the LMS (LMS reference §8, §9 and §15). */

/** Maximum number of characters of a name or an id, and of a login, in the LMS. */
export const LONGEST_NAME = 255;
export const LONGEST_LOGIN = 100;

/** Objects in the LMS that a row depends on. SIS IDs name a person, a course and so on. */
export type SisObject =
  | 'person'
  | 'login'
  | 'course'
  | 'section'
  | 'role'
  | 'role-name'
  | 'group-category'
  | 'group';

/** One of these columns is required, with a value. */
export interface SisNeed<Column extends string = string> {
  oneOf: readonly Column[];
  /** Text for what is missing without such a value. */
  what: string;
  /** Not required if this column has a value. */
  unless?: Column;
  /** False if a row that deletes does not need it. */
  toDelete?: boolean;
}

/** Required contents of every row of a table. */
export interface SisRowRules<Column extends string = string> {
  needs: readonly SisNeed<Column>[];
  /** At most one of these can have a value. */
  exclusive?: readonly Column[];
  /** Two columns that must differ. */
  different?: readonly [Column, Column];
  /** Values of `status`, in any letter case; none if the table has no such column. */
  states: readonly string[];
  /** Whether `status` is optional. */
  stateMayLack?: boolean;
  /** Columns that only accept these words. */
  words?: Readonly<Partial<Record<Column, readonly string[]>>>;
  /** Columns of `words` whose words must be in lower case. */
  exactWords?: readonly Column[];
  /** Columns with a date, and whether `<delete>` removes it. */
  dates?: readonly Column[];
  datesClear?: boolean;
  emails?: readonly Column[];
  /** Maximum number of characters in the LMS. */
  longest?: Readonly<Partial<Record<Column, number>>>;
  /** Columns that are joined to one text. */
  joined?: { of: readonly Column[]; unless: Column; most: number; what: string };
}

/** A file to start with: a header and one sample row (OP-54). */
export interface SisTemplate<Column extends string = string> {
  file: string;
  /** Position of the template among those of SIS Import, from 1; null if another tool offers it. */
  place: number | null;
  /** Name and purpose of the template. */
  title: string;
  use: string;
  columns: readonly Column[];
  sample: Readonly<Partial<Record<Column, string>>>;
  /** The column whose sample value does not occur in real files. */
  marked: Column;
}

interface Entry<Column extends string> {
  /** Name of the table's rows, for people. */
  title: string;
  /** How the LMS recognises the table: one column of each list is present, and none of `without`. */
  known: { by: readonly (readonly Column[])[]; without?: readonly string[] };
  /** Who can send the table: `all` means people with `perm` `ALL`; `everybody` adds those with limited scope (OP-53). */
  senders: 'everybody' | 'all' | 'nobody';
  /** The column that names each object. */
  touches: Readonly<Partial<Record<SisObject, Column>>>;
  /** Objects that a row can create or give an id: other rows of the import can name them before the LMS has them. */
  makes?: readonly SisObject[];
  /** Starts of a `status` that deletes. */
  deleting: readonly string[];
  /** What a row that deletes removes: a person from the LMS, or from a course. */
  deletes?: 'person' | 'enrolment';
  /** Required contents of every row. */
  rows: SisRowRules<Column>;
  /** Columns in which every value must be unique: the later row would undo the earlier one, or be rejected. */
  once?: readonly Column[];
  /** Column whose different values mean that rows affect different objects. */
  apart?: Column;
  /** Columns whose cells are never shown. */
  secret?: readonly Column[];
  templates?: readonly SisTemplate<Column>[];
}

export interface SisTableOf<Kind extends string, Column extends string> extends Entry<Column> {
  /** Name of the table's importer in the LMS. */
  kind: Kind;
  /** Columns that the LMS reads, in the order of its documentation; it ignores any other. */
  columns: readonly Column[];
}

/** Declares texts with the same maximum length as a name. */
export function asNames<const Column extends string>(...columns: readonly Column[]): Record<Column, number> {
  return Object.fromEntries(columns.map((column) => [column, LONGEST_NAME])) as Record<Column, number>;
}

/** Declares a table. Properties that name a column can only name the table's own. */
export function sisTable<const Kind extends string, const Column extends string>(
  kind: Kind,
  columns: readonly Column[],
  entry: Entry<NoInfer<Column>>,
): SisTableOf<Kind, Column> {
  return { kind, columns, ...entry };
}
