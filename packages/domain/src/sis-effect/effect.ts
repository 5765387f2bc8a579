/** What a row of a SIS file does to what the LMS holds, before it is sent (LMS reference §9, §15). Pure. */

/** Dangerous ones first, then what the LMS will refuse or nobody could find out, then the rest. */
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
 * `deletes` a thing of its own; `removes` somebody from a course or group; `suspends` a login, or somebody's way into a course;
 * `concludes` an enrolment or course; `restores` what was deleted, concluded or inactive; `nothing` although the LMS counts it;
 * `fails` since the LMS refuses it; `unknown` where the LMS was not asked, or cannot tell.
 */
export type SisDoes = (typeof SIS_DOES)[number];

/** Takes something away that is there. */
export const DANGEROUS: readonly SisDoes[] = ['deletes', 'removes', 'suspends', 'concludes'];

export function isDangerous(does: SisDoes): boolean {
  return DANGEROUS.includes(does);
}

/** Name of a column, what the LMS has, what it will have; null for nothing. */
export type FieldChange = readonly [field: string, before: string | null, after: string | null];

export interface SisEffect {
  does: SisDoes;
  /** Why, in a sentence, where it is not plain. */
  why?: string;
  /** What changes, one by one. */
  fields?: readonly FieldChange[];
}

/** The cell of a column, empty as null; undefined where the file has no such column. */
export type Cells = (column: string) => string | null | undefined;

/** Cells of a row by the names of its header. Of a name that stands twice the first one counts. */
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

/** The change of a date: the same moment may be written in several ways. */
export function changedDate(field: string, before: string | null, after: string | null): FieldChange[] {
  if (before !== null && after !== null && sameMoment(before, after)) return [];
  return changed(field, before, after);
}

function sameMoment(a: string, b: string): boolean {
  const [one, other] = [momentOf(a), momentOf(b)];
  return !Number.isNaN(one) && one === other;
}

/** The LMS reads what names no zone as UTC. */
function momentOf(text: string): number {
  const plain = text
    .trim()
    .replace(/^(\d{4})-(\d)-/, '$1-0$2-')
    .replace(/^(\d{4}-\d\d)-(\d)(?!\d)/, '$1-0$2');
  const zoned = /(?:z|[+-]\d\d:?\d\d)$/i.test(plain);
  return Date.parse(zoned || plain.length <= 10 ? plain : `${plain.replace(' ', 'T')}Z`);
}

/** What becomes of something that exists: what changes, or that nothing does. */
export function changeOf(fields: readonly FieldChange[], same: string): SisEffect {
  return fields.length === 0 ? { does: 'nothing', why: same } : { does: 'changes', fields };
}

/** Beginning of a status, in any letter case: as the LMS looks at it. */
export function begins(status: string | null | undefined, word: string): boolean {
  return (status ?? '').toLowerCase().startsWith(word);
}
