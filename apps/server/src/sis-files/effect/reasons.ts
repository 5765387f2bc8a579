/** Stored problems of rows from the comparison with the LMS, used to open these rows for correction. */
import type { SisProblem } from '@lms-admin/domain/sis-rows';
import type { SisKind } from '@lms-admin/domain/sis-tables';
import type { Db } from '../../platform/database.ts';
import { piecesOf, type Where } from './effect-store.ts';
import type { KeptRow } from './sink.ts';

/** A row as stored; one of an earlier version lacks its problems. */
type Kept = Omit<KeptRow, 'problems'> & Partial<Pick<KeptRow, 'problems'>>;

/** Problems by row number. */
type Reasons = Map<number, readonly SisProblem[]>;

/** Reads the problems of a table's rows that the LMS would reject, up to a limit. */
export async function readRefused(db: Db, where: Where, kind: SisKind, most: number): Promise<Reasons> {
  return reasonsIn(db, where, [`${kind} fails`], most, ({ why, problems = [] }) =>
    problems.length > 0 ? problems : [{ column: null, message: why ?? '' }],
  );
}

/** Reads the problems of a table's rows whose ID is not in the LMS, up to a limit. */
export async function readNotFound(db: Db, where: Where, kind: SisKind, most: number): Promise<Reasons> {
  // An uncompared or unchanged row has no problems unless it lists some.
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
