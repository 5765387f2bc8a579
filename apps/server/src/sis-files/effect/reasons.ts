/** What is wrong with rows by the comparison with the LMS, as it was kept: they are opened by it to be corrected. */
import type { SisProblem } from '@lms-admin/domain/sis-rows';
import type { SisKind } from '@lms-admin/domain/sis-tables';
import type { Db } from '../../platform/database.ts';
import { piecesOf, type Where } from './effect-store.ts';
import type { KeptRow } from './sink.ts';

/** A row as it was kept; one of an earlier version does not say what is wrong with it. */
type Kept = Omit<KeptRow, 'problems'> & Partial<Pick<KeptRow, 'problems'>>;

/** What is wrong with rows, by the number of the row. */
type Reasons = Map<number, readonly SisProblem[]>;

/** What is wrong with the rows of a table that the LMS would refuse; no more than so many. */
export async function readRefused(db: Db, where: Where, kind: SisKind, most: number): Promise<Reasons> {
  return reasonsIn(db, where, [`${kind} fails`], most, ({ why, problems = [] }) =>
    problems.length > 0 ? problems : [{ column: null, message: why ?? '' }],
  );
}

/** What is wrong with the rows of a table that name an ID which the LMS does not have; no more than so many. */
export async function readNotFound(db: Db, where: Where, kind: SisKind, most: number): Promise<Reasons> {
  // Nothing of a row that could not be compared, or that changes nothing, is wrong unless it says so.
  return reasonsIn(db, where, [`${kind} unknown`, `${kind} nothing`], most, ({ problems = [] }) => problems);
}

async function reasonsIn(
  db: Db,
  where: Where,
  lists: readonly string[],
  most: number,
  wrongIn: (row: Kept) => readonly SisProblem[],
): Promise<Reasons> {
  const reasons: Reasons = new Map();
  for (const list of lists) {
    for await (const { items } of piecesOf<Kept>(db, where, list, () => true)) {
      for (const one of items) {
        const problems = wrongIn(one);
        if (reasons.size >= most) return reasons;
        if (problems.length > 0) reasons.set(one.row, problems);
      }
    }
  }
  return reasons;
}
