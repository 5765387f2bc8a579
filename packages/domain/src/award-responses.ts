/** The rows of a survey's export as CSV: three header rows, the third of which identifies the columns. Pure. */
import { tidy } from './award-text.ts';
import { emailKey } from './emails.ts';
import { isZone, momentOfClock } from './wall-clock.ts';

/** Header rows above the responses: names, texts in the account's language, and ids. */
export const EXPORT_HEADER_ROWS = 3;

/** Columns that describe a response, by the ids of the survey service. */
const METADATA = {
  id: '_recordId',
  status: 'status',
  finished: 'finished',
  recorded: 'recordedDate',
  channel: 'distributionChannel',
  reference: 'externalDataReference',
  email: 'recipientEmail',
} as const;
type Metadata = keyof typeof METADATA;
/** Columns needed to recognise votes. The others are missing in an anonymous survey. */
const NEEDED: readonly Metadata[] = ['id', 'status', 'finished', 'recorded'];

/** Columns to request. */
export const METADATA_COLUMNS: readonly string[] = Object.values(METADATA);

/** Fields of the choice, under their names in the survey (BTA-26). */
const CHOICE = {
  course: 'CourseName',
  professor: 'Professor',
  campus: 'Campus',
  courseId: 'CourseId',
  professorId: 'ProfId',
} as const;
type ChoiceField = keyof typeof CHOICE;
/** Embedded data to request, if the survey has it. */
export const CHOICE_COLUMNS: readonly string[] = ['core', 'elective'].flatMap((kind) =>
  Object.values(CHOICE).map((name) => `${kind}Choice${name}`),
);
/** A survey may not have the ids (OP-105). */
const NAMED: readonly ChoiceField[] = ['course', 'professor', 'campus'];

/** A choice as in the survey; missing parts are empty. */
export type Choice = Readonly<Record<ChoiceField, string>>;

/** A response: the parts that matter for counting. */
export interface SurveyResponse {
  id: string;
  /** Null for anything but a status. */
  status: number | null;
  channel: string;
  finished: boolean;
  /** Milliseconds since 1970; null if missing. */
  recordedAt: number | null;
  /** External reference of the voter; empty if there is none. */
  reference: string;
  /** Email of the voter in the form for comparison; empty if there is none. */
  email: string;
  core: Choice | null;
  elective: Choice | null;
}

type ChoiceColumns = Readonly<Record<ChoiceField, number>>;

/** Position of each column; -1 for a missing one. */
export interface ResponseColumns {
  /** Number of cells in a row. */
  width: number;
  of: Readonly<Record<Metadata, number>>;
  /** Zone of the dates. */
  zone: string;
  core: ChoiceColumns | null;
  elective: ChoiceColumns | null;
}

/** Why an export cannot be read, and what to do. */
export interface ExportProblem {
  problem: string;
  next: string;
}

interface ColumnId {
  id: string;
  zone: string | null;
}

/**
 * Finds the columns by the third header row: order and texts of the other two differ between surveys.
 * @param header the first three rows of the export
 */
export function responseColumns(header: readonly (readonly string[])[]): ResponseColumns | ExportProblem {
  const ids = (header[EXPORT_HEADER_ROWS - 1] ?? []).map(columnId);
  if (!ids.some((one) => one !== null)) {
    return {
      problem: 'This is not a survey export: its third row does not describe the columns.',
      next: 'Export the responses as CSV, with all three header rows.',
    };
  }
  const at = (id: string) => ids.findIndex((one) => one?.id === id);
  const of = everyField(METADATA, at);
  const missing: string[] = NEEDED.filter((field) => of[field] === -1).map((field) => METADATA[field]);
  const kinds = { core: choiceColumns('coreChoice', at), elective: choiceColumns('electiveChoice', at) };
  for (const [kind, columns] of Object.entries(kinds)) {
    const lacking = NAMED.filter((field) => columns[field] === -1);
    // A survey may have the names of only one type of course. Having only some names of a type is a mistake.
    if (lacking.length < NAMED.length)
      missing.push(...lacking.map((field) => `${kind}Choice${CHOICE[field]}`));
  }
  const [core, elective] = [whole(kinds.core), whole(kinds.elective)];
  if (missing.length === 0 && core === null && elective === null) {
    return {
      problem: 'The survey has no core or elective choices.',
      next: 'Check that this is the award survey, and that the export contains its embedded data.',
    };
  }
  if (missing.length > 0) {
    return {
      problem: `The export does not contain ${missing.join(', ')}.`,
      next: 'Export these columns as well. The choices are part of the survey’s embedded data.',
    };
  }
  const zone = ids[of.recorded]?.zone ?? 'Z';
  if (zone !== 'Z' && !isZone(zone)) {
    return { problem: `The time zone of the dates is unknown: ${zone}.`, next: 'Export the dates in UTC.' };
  }
  return { width: ids.length, of, zone: zone === 'Z' ? 'UTC' : zone, core, elective };
}

/** Reads an export row by row, including its header rows. */
export class ExportReader {
  readonly #header: (readonly string[])[] = [];
  #columns: ResponseColumns | ExportProblem | null = null;

  /** Reads the next row. @returns null for header rows, and while there is a problem */
  add(cells: readonly string[]): SurveyResponse | null {
    if (this.#columns !== null) return 'problem' in this.#columns ? null : readResponse(cells, this.#columns);
    this.#header.push(cells);
    if (this.#header.length === EXPORT_HEADER_ROWS) this.#columns = responseColumns(this.#header);
    return null;
  }

  /**
   * Returns why the export cannot be read; null if it can. An export that ends within its header cannot be read
   * either.
   */
  problem(): ExportProblem | null {
    const columns = this.#columns ?? responseColumns(this.#header);
    return 'problem' in columns ? columns : null;
  }
}

function columnId(cell: string): ColumnId | null {
  if (!cell.startsWith('{')) return null;
  try {
    const parsed: unknown = JSON.parse(cell);
    if (typeof parsed !== 'object' || parsed === null || !('ImportId' in parsed)) return null;
    // A column with labels of a coded column, under the same id.
    if ('isLabelsColumn' in parsed && parsed.isLabelsColumn === true) return null;
    const zone = 'timeZone' in parsed && typeof parsed.timeZone === 'string' ? parsed.timeZone : null;
    return typeof parsed.ImportId === 'string' ? { id: parsed.ImportId, zone } : null;
  } catch {
    return null;
  }
}

function everyField<Field extends string>(
  names: Readonly<Record<Field, string>>,
  at: (name: string) => number,
): Record<Field, number> {
  const places = Object.entries<string>(names).map(([field, name]) => [field, at(name)]);
  return Object.fromEntries(places) as Record<Field, number>;
}

function choiceColumns(kind: string, at: (name: string) => number): ChoiceColumns {
  return everyField(CHOICE, (name) => at(kind + name));
}

function whole(columns: ChoiceColumns): ChoiceColumns | null {
  return NAMED.every((field) => columns[field] !== -1) ? columns : null;
}

/** Labels of the statuses, for exports with labels. */
const STATUS_WORDS: Readonly<Record<string, number>> = {
  'ip address': 0,
  'survey preview': 1,
  'survey test': 2,
  imported: 4,
  spam: 8,
  'survey preview spam': 9,
  'imported spam': 12,
  offline: 16,
  'offline survey preview': 17,
};

/** Result for a row with too few or too many cells: its values cannot be assigned. */
const UNREADABLE: SurveyResponse = {
  id: '',
  status: null,
  channel: '',
  finished: false,
  recordedAt: null,
  reference: '',
  email: '',
  core: null,
  elective: null,
};

/** Reads one row of the export, below its header. */
export function readResponse(
  cells: readonly string[],
  { width, of, zone, core, elective }: ResponseColumns,
): SurveyResponse {
  if (cells.length !== width) return UNREADABLE;
  return {
    id: tidy(cells[of.id] ?? ''),
    status: readStatus((cells[of.status] ?? '').trim()),
    channel: (cells[of.channel] ?? '').trim().toLowerCase(),
    finished: /^(?:1|true)$/i.test((cells[of.finished] ?? '').trim()),
    recordedAt: readMoment((cells[of.recorded] ?? '').trim(), zone),
    reference: tidy(cells[of.reference] ?? ''),
    email: emailKey(cells[of.email] ?? ''),
    core: readChoice(cells, core),
    elective: readChoice(cells, elective),
  };
}

function readStatus(text: string): number | null {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  const word = text.toLowerCase();
  return Object.hasOwn(STATUS_WORDS, word) ? (STATUS_WORDS[word] ?? null) : null;
}

function readMoment(text: string, zone: string): number | null {
  const found = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d{1,9})?Z?$/.exec(text);
  const [, date = '', time = ''] = found ?? [];
  if (zone !== 'UTC') return momentOfClock(date, time, zone)?.ms ?? null;
  const ms = Date.parse(`${date}T${time}Z`);
  return Number.isNaN(ms) ? null : ms;
}

/** Longer texts are not names of the list, which have at most 255 characters. */
const LONGEST_NAME = 300;

/** Returns a name as it is stored. An overlong text is cut, and marked so that the name matches nothing. */
function named(text: string): string {
  const name = tidy(text);
  return name.length > LONGEST_NAME ? `${tidy(name.slice(0, LONGEST_NAME))} …` : name;
}

function readChoice(cells: readonly string[], columns: ChoiceColumns | null): Choice | null {
  if (columns === null) return null;
  const choice: Choice = {
    course: named(cells[columns.course] ?? ''),
    professor: named(cells[columns.professor] ?? ''),
    campus: named(cells[columns.campus] ?? ''),
    courseId: named(cells[columns.courseId] ?? ''),
    professorId: named(cells[columns.professorId] ?? ''),
  };
  const { course, professor, courseId, professorId } = choice;
  // A campus alone identifies nothing.
  return course || professor || courseId || professorId ? choice : null;
}
