/** Turns a checked file into a draft again, so that rows that the LMS would reject can be corrected in place. */
import { randomUUID } from 'node:crypto';
import { csvLine } from '@lms-admin/domain/csv';
import { CsvReader } from '@lms-admin/domain/csv-reader';
import { guarded } from '@lms-admin/domain/formula-guard';
import { columnAtFault } from '@lms-admin/domain/sis-effect/at-fault';
import { ownRow, type SisProblem } from '@lms-admin/domain/sis-rows';
import { deletePieces, readPieces, storePieces } from '../../files/pieces.ts';
import { storedRows } from '../../imports/stored-rows.ts';
import type { Db } from '../../platform/database.ts';
import type { StoredFile } from '../store.ts';
import { correctionsOf, type Late, rowsOf } from './corrected-rows.ts';
import { GroupedProblems } from './grouped-problems.ts';
import { look, shapeOf } from './look.ts';
import { type StoredDraft, saveDraft } from './store.ts';

const PIECE_CHARACTERS = 64_000;

/** Problems by row number in the admin's own file. */
export type Reasons = ReadonlyMap<number, readonly SisProblem[]>;

/** Rows opened for correction, and other rows with problems from the comparison with the LMS. */
export interface Opened {
  why: Reasons;
  beside: Readonly<Record<'fails' | 'unknown', Reasons>>;
}

type Beside = NonNullable<StoredDraft['summary']['beside']>;

/** Yields the rows of a checked file with the admin's row numbers, header first; their problems as late problems. */
async function* ownRows(db: Db, { summary: { file }, files }: StoredFile, { why, beside }: Opened) {
  let header: readonly string[] | null = null;
  for await (const batch of storedRows(db, file.id)) {
    for (const { row, cells } of batch) {
      const number = ownRow(row, files[0]?.blank ?? []);
      const names: readonly string[] | null = header;
      const lateBy = (reasons: Reasons): Late =>
        names === null
          ? []
          : (reasons.get(number) ?? []).map((problem): Late[number] => {
              const column = placeOf(problem, names, cells);
              return [number, column, cells[column] ?? '', problem.message];
            });
      const other: Beside = { fails: lateBy(beside.fails), unknown: lateBy(beside.unknown) };
      yield { number, cells, late: lateBy(why), beside: other, header };
      header ??= cells;
    }
  }
}

/**
 * Finds the late problems of a checked file's rows, for the draft that it came from.
 * @param draft its earlier problems still apply to values that the file no longer contains; its columns are in `places`
 */
export async function lateOf(
  db: Db,
  stored: StoredFile,
  opened: Opened,
  draft: { late: Late; places: readonly number[] },
): Promise<{ late: Late; beside: Beside }> {
  const earlier = new Map<number, Late>();
  for (const one of draft.late) earlier.set(one[0], [...(earlier.get(one[0]) ?? []), one]);
  const kept = new Set(draft.late);
  const late: Late = [];
  const beside: Beside = { fails: [], unknown: [] };
  const placed = ([row, column, ...rest]: Late[number]): Late[number] => [
    row,
    draft.places[column] ?? column,
    ...rest,
  ];
  for await (const { number, cells, late: wrong, beside: other } of ownRows(db, stored, opened)) {
    for (const one of earlier.get(number) ?? [])
      if (cells[draft.places.indexOf(one[1])] === one[2].trim()) kept.delete(one);
    for (const which of ['fails', 'unknown'] as const) beside[which].push(...other[which].map(placed));
    late.push(...wrong.map(placed));
  }
  return { late: [...kept, ...late], beside };
}

/**
 * Keeps the file as a draft in which these rows are wrong until their cell is changed or the row is skipped.
 * @returns the id of the draft
 */
export async function reopen(db: Db, login: string, stored: StoredFile, opened: Opened): Promise<string> {
  const { file } = stored.summary;
  const id = randomUUID();
  const problems = new GroupedProblems();
  const report = problems.reportFor();
  const late: Late = [];
  const beside: Beside = { fails: [], unknown: [] };

  /** Yields the file as uploaded: empty lines are not stored, so they are added here. */
  async function* own(): AsyncGenerator<string, void, void> {
    let next = 1;
    let out = '';
    for await (const { number, cells, late: wrong, beside: other, header } of ownRows(db, stored, opened)) {
      out += '\n'.repeat(number - next);
      next = number + 1;
      out += `${csvLine(header === null ? cells : cells.map(guarded))}\n`;
      late.push(...wrong);
      for (const which of ['fails', 'unknown'] as const) beside[which].push(...other[which]);
      for (const [, column, , message] of wrong) report(number, header?.[column] ?? null, message);
      if (out.length < PIECE_CHARACTERS) continue;
      yield out;
      out = '';
    }
    yield out;
  }

  try {
    await storePieces(db, id, own());
    const rows = () => rowsOf(readPieces(db, id), new CsvReader(',', null));
    const shape = await shapeOf(rows());
    if (shape === null) throw new Error('a checked file has a header');
    const delimiter = file.parts[0]?.delimiter ?? ',';
    const from = file.id;
    const { reading } = stored.summary;
    const kept = { shape, delimiter, late, beside, reading, from };
    const looked = await look(rows(), correctionsOf([], shape), problems, kept);
    await saveDraft(db, { id, login, name: file.name, lms: stored.lms, fileId: file.id }, looked);
  } catch (error) {
    await deletePieces(db, id);
    throw error;
  }
  return id;
}

/** Returns the column of a problem; if it names none, the column that its sentence is about. */
function placeOf(
  { column, message }: SisProblem,
  header: readonly string[],
  cells: readonly string[],
): number {
  const at = column === null ? -1 : header.indexOf(column);
  return at === -1 ? columnAtFault(message, header, cells) : at;
}
