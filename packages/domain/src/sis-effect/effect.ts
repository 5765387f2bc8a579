/** Effect of a row of an SIS file on the LMS, before it is sent (LMS reference §9, §15). Pure. */
import { lmsDate } from '../sis-dates.ts';
import type { SisProblem } from '../sis-rows.ts';

/** Dangerous ones first, then rejected and unknown ones, then the rest. */
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
 * `deletes` an object, such as a course or a login; `removes` a person from a course or group; `suspends` a login, or
 * a person's access to a course; `concludes` an enrolment or course; `restores` a deleted, concluded or inactive
 * object; `nothing`, although the LMS counts it; `fails`, because the LMS rejects it; `unknown`, because the LMS was
 * not asked or cannot tell.
 */
export type SisDoes = (typeof SIS_DOES)[number];

/** Words for the effects. */
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

/** Effects that remove something that exists. */
export const DANGEROUS: readonly SisDoes[] = ['deletes', 'removes', 'suspends', 'concludes'];

export function isDangerous(does: SisDoes): boolean {
  return DANGEROUS.includes(does);
}

/** Name of a column, value in the LMS, new value; null for nothing. */
export type FieldChange = readonly [field: string, before: string | null, after: string | null];

/** A date that restricts access, before and after. */
export type DatePair = readonly [before: string | null, after: string | null];

/** Dates of a term that now restrict access to a course, because it is in another term or has lost its own dates. */
export interface TermDecides {
  moved: boolean;
  ends: readonly DatePair[];
  starts: readonly DatePair[];
}

export interface SisEffect {
  does: SisDoes;
  /** The reason in a sentence, if it is not obvious. */
  why?: string;
  /** Changes of single fields. */
  fields?: readonly FieldChange[];
  /** All problems, with the columns to correct, of a row that the LMS rejects or that names an unknown object. */
  problems?: readonly SisProblem[];
  /** End date that now ends people's access, which did not apply before. */
  appliesEnd?: string;
  byTerm?: TermDecides;
  /** Whether the changed object is deleted, so that its dates affect no one's access. */
  unseen?: boolean;
}

/** Names a row in a sentence about another one. @param file its name in a zip; null for a single file */
export const rowName = (row: number, file: string | null, single: 'this' | 'the' = 'the'): string =>
  `Row ${row} of ${file ?? `${single} file`}`;

/** Reports a row that the LMS rejects because of a cell. */
export function fails(column: string, message: string): SisEffect {
  return { does: 'fails', why: message, problems: [{ column, message }] };
}

/**
 * Reports a row about something that the LMS does not have: mistyped, or invisible to the person.
 * @param message about the cell, which can be corrected
 * @param why the effect of the row
 */
export function notFound(column: string | null, message: string, why: string) {
  return { does: 'unknown', why, problems: [{ column, message }] } as const satisfies SisEffect;
}

/** Reports a row that deletes something that the LMS does not have: nothing happens, but the cell may be mistyped. */
export function notThere(column: string, message: string, why: string) {
  return { does: 'nothing', why, problems: [{ column, message }] } as const satisfies SisEffect;
}

/** Returns the same effect, unless the LMS rejects the row: then all its problems are listed. */
export function orRefused<E extends SisEffect>(effect: E, found: readonly SisProblem[]): E {
  if (found.length === 0) return effect;
  const why = { column: null, message: effect.why ?? '' };
  const own =
    effect.does === 'fails'
      ? (effect.problems ?? [why])
      : effect.does === 'unknown'
        ? (effect.problems ?? [])
        : [];
  const named = new Set(own.map(({ column }) => column ?? ''));
  const problems = [...own, ...found.filter(({ column }) => !named.has(column ?? ''))];
  return {
    ...effect,
    does: 'fails',
    fields: [],
    problems,
    why: [...new Set(problems.map((one) => one.message))].join(' '),
  };
}

/** The cell of a column, empty as null; undefined if the file has no such column. */
export type Cells = (column: string) => string | null | undefined;

/** Returns the cells of a row by the names in its header. Of a repeated name, the first one counts. */
export function cellsOf(header: readonly string[], cells: readonly string[]): Cells {
  return (column) => {
    const at = header.indexOf(column);
    return at === -1 ? undefined : cells[at] || null;
  };
}

/** Text that clears a value, for columns where the LMS supports it. */
const CLEARS = '<delete>';

/**
 * Returns the changes of fields that an empty or missing cell keeps.
 * @param fields column, value in the LMS, and whether `<delete>` clears it
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

/** Returns the change of a field, none if both are the same. */
export function changed(field: string, before: string | null, after: string | null): FieldChange[] {
  return (before ?? '') === (after ?? '') ? [] : [[field, before, after]];
}

/** Returns the change of a date, as the LMS reads it: the same moment can be written in several ways. */
export function changedDate(field: string, before: string | null, after: string | null): FieldChange[] {
  const read = (text: string | null) => (text === null ? null : (lmsDate(text) ?? text));
  return read(before) === read(after) ? [] : changed(field, before, read(after));
}

/** Returns the effect on an existing object: its changes, or nothing. */
export function changeOf(fields: readonly FieldChange[], same: string): SisEffect {
  return fields.length === 0 ? { does: 'nothing', why: same } : { does: 'changes', fields };
}

/** Returns whether a status starts with a word, ignoring case, as in the LMS. */
export function begins(status: string | null | undefined, word: string): boolean {
  return (status ?? '').toLowerCase().startsWith(word);
}

/** States in which a person takes part in a course. */
const LIVE: ReadonlySet<string> = new Set(['active', 'invited', 'creation_pending']);

export function isLive(state: string): boolean {
  return LIVE.has(state);
}

/** Returns whether a person loses access by this change: a deletion, or the end or suspension of an active enrolment. */
export function losesAccess(before: string, after: string): boolean {
  if (before === after || before === 'deleted') return false;
  return after === 'deleted' || (isLive(before) && !isLive(after));
}

/** Tells whether a cell is one of the words for yes in the LMS. */
export const isTrue = (cell: string | null | undefined): boolean =>
  /^(?:true|t|1|yes|y|on)$/i.test(cell ?? '');
