/** What a row of an SIS file does to what the LMS holds, before it is sent (LMS reference §9, §15). Pure. */
import { lmsDate } from '../sis-dates.ts';
import type { SisProblem } from '../sis-rows.ts';

/** Dangerous ones first, then what the LMS will refuse or no one could find out, then the rest. */
export const SIS_DOES = [
  'deletes',
  'removes',
  'suspends',
  'concludes',
  'fails',
  'unknown',
  'changes',
  'restores',
  'creates',
  'nothing',
] as const;
/**
 * `deletes` a thing of its own; `removes` someone from a course or group; `suspends` a login, or someone's way into a course;
 * `concludes` an enrolment or course; `restores` what was deleted, concluded or inactive; `nothing` although the LMS counts it;
 * `fails` since the LMS refuses it; `unknown` where the LMS was not asked, or cannot tell.
 */
export type SisDoes = (typeof SIS_DOES)[number];

/** What is done to things, as people read it. */
export const DOING: Readonly<Record<SisDoes, string>> = {
  deletes: 'deleted',
  removes: 'removed',
  suspends: 'suspended',
  concludes: 'concluded',
  fails: 'will be rejected',
  unknown: 'not compared',
  changes: 'changed',
  restores: 'restored',
  creates: 'new',
  nothing: 'unchanged',
};

/** Takes something away that is there. */
export const DANGEROUS: readonly SisDoes[] = ['deletes', 'removes', 'suspends', 'concludes'];

export function isDangerous(does: SisDoes): boolean {
  return DANGEROUS.includes(does);
}

/** Name of a column, what the LMS has, what it will have; null for nothing. */
export type FieldChange = readonly [field: string, before: string | null, after: string | null];

/** A date that decides who has access, before and after. */
export type DatePair = readonly [before: string | null, after: string | null];

/** Dates of a term that decide who has access to a course, since it is in another term or has no dates of its own any more. */
export interface TermDecides {
  moved: boolean;
  ends: readonly DatePair[];
  starts: readonly DatePair[];
}

export interface SisEffect {
  does: SisDoes;
  /** Why, in a sentence, where it is not plain. */
  why?: string;
  /** What changes, one by one. */
  fields?: readonly FieldChange[];
  /** Of a row that the LMS refuses, or that names what it does not have: all that is wrong, with the columns to correct. */
  problems?: readonly SisProblem[];
  /** End date that people are shut out by from now on, which did not apply before. */
  appliesEnd?: string;
  byTerm?: TermDecides;
}

/** A row in a sentence about another one. @param file its name in a zip; null for a single file */
export const rowName = (row: number, file: string | null, single: 'this' | 'the' = 'the'): string =>
  `Row ${row} of ${file ?? `${single} file`}`;

/** A row that the LMS refuses for a cell. */
export function fails(column: string, message: string): SisEffect {
  return { does: 'fails', why: message, problems: [{ column, message }] };
}

/**
 * A row about something that the LMS does not have: mistyped, or hidden from it.
 * @param message about the cell, which can be corrected
 * @param why what the row does
 */
export function notFound(column: string | null, message: string, why: string) {
  return { does: 'unknown', why, problems: [{ column, message }] } as const satisfies SisEffect;
}

/** A row that deletes something which the LMS does not have: nothing happens, but the cell may be mistyped. */
export function notThere(column: string, message: string, why: string) {
  return { does: 'nothing', why, problems: [{ column, message }] } as const satisfies SisEffect;
}

/** The same effect, unless the LMS refuses the row: then everything that is wrong with it is told. */
export function orRefused<E extends SisEffect>(effect: E, found: readonly SisProblem[]): E {
  if (found.length === 0) return effect;
  const why = { column: null, message: effect.why ?? '' };
  const own = effect.does === 'fails' ? (effect.problems ?? [why]) : [];
  const told = new Set(own.map(({ column }) => column ?? ''));
  const problems = [...own, ...found.filter(({ column }) => !told.has(column ?? ''))];
  return {
    ...effect,
    does: 'fails',
    fields: [],
    problems,
    why: [...new Set(problems.map((one) => one.message))].join(' '),
  };
}

/** The cell of a column, empty as null; undefined where the file has no such column. */
export type Cells = (column: string) => string | null | undefined;

/** Cells of a row by the names of its header. Of a name that occurs twice the first one counts. */
export function cellsOf(header: readonly string[], cells: readonly string[]): Cells {
  return (column) => {
    const at = header.indexOf(column);
    return at === -1 ? undefined : cells[at] || null;
  };
}

/** Words that clear a value where the LMS knows them. */
const CLEARS = '<delete>';

/**
 * The changes of fields of which an empty or missing cell keeps what there is.
 * @param fields column, what the LMS has, and whether `<delete>` clears it
 */
export function keptFields(
  cell: Cells,
  fields: readonly (readonly [column: string, before: string | null, clears?: boolean])[],
): FieldChange[] {
  return fields.flatMap(([column, before, clears = false]): FieldChange[] => {
    const given = cell(column);
    if (given === null || given === undefined) return [];
    return changed(column, before, clears && given === CLEARS ? null : given);
  });
}

/** The change of a field, none where both are the same. */
export function changed(field: string, before: string | null, after: string | null): FieldChange[] {
  return (before ?? '') === (after ?? '') ? [] : [[field, before, after]];
}

/** The change of a date, as the LMS reads it: the same moment may be written in several ways. */
export function changedDate(field: string, before: string | null, after: string | null): FieldChange[] {
  const read = (text: string | null) => (text === null ? null : (lmsDate(text) ?? text));
  return read(before) === read(after) ? [] : changed(field, before, read(after));
}

/** What becomes of something that exists: what changes, or that nothing does. */
export function changeOf(fields: readonly FieldChange[], same: string): SisEffect {
  return fields.length === 0 ? { does: 'nothing', why: same } : { does: 'changes', fields };
}

/** Beginning of a status, in any letter case: as the LMS looks at it. */
export function begins(status: string | null | undefined, word: string): boolean {
  return (status ?? '').toLowerCase().startsWith(word);
}

/** States in which a person takes part in a course. */
const LIVE: ReadonlySet<string> = new Set(['active', 'invited', 'creation_pending']);

export function isLive(state: string): boolean {
  return LIVE.has(state);
}

/** Whether someone loses access by this change: an enrolment that is deleted, or a live one that ends or rests. */
export function losesAccess(before: string, after: string): boolean {
  if (before === after || before === 'deleted') return false;
  return after === 'deleted' || (isLive(before) && !isLive(after));
}

/** Words that the LMS takes for yes. */
export const isTrue = (cell: string | null | undefined): boolean =>
  /^(?:true|t|1|yes|y|on)$/i.test(cell ?? '');
