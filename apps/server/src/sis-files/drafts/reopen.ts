/** A checked file that becomes a draft again: what the LMS would refuse is mended in place, as what the check refuses is. */
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
import { GroupedProblems } from './grouped-problems.ts';
import { look, shapeOf } from './look.ts';
import { type Late, mendingOf, rowsOf } from './mended-rows.ts';
import { saveDraft } from './store.ts';

/**
 * Keeps the file as a draft in which these rows are wrong until their cell has changed, or they are left out.
 * @param why what is wrong, by the number of the row in the admin's own file
 * @returns the id of the draft
 */
export async function reopen(
  db: Db,
  login: string,
  { summary: { file }, files, lms }: StoredFile,
  why: ReadonlyMap<number, readonly SisProblem[]>,
): Promise<string> {
  const id = randomUUID();
  const problems = new GroupedProblems();
  const report = problems.reportFor();
  const late: Late = [];
  let header: readonly string[] | null = null;

  /** The file under the row numbers that the admin knows: blank rows are not stored. */
  async function* own(): AsyncGenerator<string, void, void> {
    let next = 1;
    for await (const batch of storedRows(db, file.id)) {
      let out = '';
      for (const { row, cells } of batch) {
        const number = ownRow(row, files[0]?.blank ?? []);
        out += '\n'.repeat(number - next);
        next = number + 1;
        out += `${csvLine(header === null ? cells : cells.map(guarded))}\n`;
        for (const problem of header === null ? [] : (why.get(number) ?? [])) {
          const column = placeOf(problem, header ?? [], cells);
          late.push([number, column, cells[column] ?? '', problem.message]);
          report(number, header?.[column] ?? null, problem.message);
        }
        header ??= cells;
      }
      yield out;
    }
  }

  try {
    await storePieces(db, id, own());
    const rows = () => rowsOf(readPieces(db, id), new CsvReader(',', null));
    const shape = await shapeOf(rows());
    if (shape === null) throw new Error('a checked file has a header');
    const delimiter = file.parts[0]?.delimiter ?? ',';
    const looked = await look(rows(), mendingOf([], shape), problems, { shape, delimiter, late });
    await saveDraft(db, { id, login, name: file.name, lms, fileId: file.id }, looked);
  } catch (error) {
    await deletePieces(db, id);
    throw error;
  }
  return id;
}

/** The column of a problem; of one that names none, what its sentence is about. */
function placeOf(
  { column, message }: SisProblem,
  header: readonly string[],
  cells: readonly string[],
): number {
  const at = column === null ? -1 : header.indexOf(column);
  return at === -1 ? columnAtFault(message, header, cells) : at;
}
