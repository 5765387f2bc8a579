/** The ids of the uploaded list: within a campus, each id belongs to one course or one professor. Pure. */
import type { AwardEntry, ListColumn, ListProblem } from './award-entries.ts';
import { nameKey } from './award-text.ts';
import { shown } from './sis-rows.ts';

/** A problem of the row that is being added. */
type IdProblem = Pick<ListProblem, 'message' | 'next'> & { column: ListColumn };

interface Seen {
  row: number;
  name: string;
  nameKey: string;
}

/** An id in a row, and the name that belongs to it. */
interface NamedId {
  column: 'Course ID' | 'Prof ID';
  id: string;
  idKey: string;
  name: string;
  nameKey: string;
}

/** Names in the rows of a campus so far, in the form for comparison. */
class CampusIds {
  readonly rows = new Map<string, number>();
  readonly names = new Map<string, number>();
  readonly 'Course ID' = new Map<string, Seen>();
  readonly 'Prof ID' = new Map<string, Seen>();
}

/** Checks the ids of one row after the other. */
export class ListIds {
  readonly #campuses = new Map<string, CampusIds>();
  readonly #hints: ListProblem[] = [];

  /** @returns the problems of this row's ids, given the rows above */
  add(row: number, entry: AwardEntry): IdProblem[] {
    const { campus, course, courseId, professorId, professor, type } = entry;
    const seen = this.#seen(campus);
    const [idKey, professorIdKey] = [nameKey(courseId), nameKey(professorId)];
    const key = `${idKey}\n${professorIdKey}`;
    const same = seen.rows.get(key);
    if (same !== undefined) {
      const message = `${shown(courseId)} with ${shown(professorId)} is already in row ${same}.`;
      return [{ column: 'Course ID', message, next: 'Remove one of the two rows, or correct its IDs.' }];
    }
    seen.rows.set(key, row);
    const [courseKey, professorKey] = [nameKey(course), nameKey(professor)];
    const ids: NamedId[] = [
      { column: 'Course ID', id: courseId, idKey, name: course, nameKey: courseKey },
      { column: 'Prof ID', id: professorId, idKey: professorIdKey, name: professor, nameKey: professorKey },
    ];
    const problems = ids.flatMap((one) => other(row, seen, one) ?? []);
    const names = `${type}\n${courseKey}\n${professorKey}`;
    const sameNames = seen.names.get(names);
    if (sameNames === undefined) seen.names.set(names, row);
    else if (problems.length === 0) {
      const message = `${shown(course)} by ${shown(professor)} is also in row ${sameNames}, with a different ID.`;
      const next = 'Votes can be matched to the right one only if the survey also contains the IDs.';
      this.#hints.push({ row, column: 'Course', message, next });
    }
    return problems;
  }

  /** Returns the rows that votes without ids cannot distinguish. */
  hints(): readonly ListProblem[] {
    return this.#hints;
  }

  #seen(campus: string): CampusIds {
    const known = this.#campuses.get(campus);
    if (known) return known;
    const seen = new CampusIds();
    this.#campuses.set(campus, seen);
    return seen;
  }
}

function other(row: number, seen: CampusIds, one: NamedId): IdProblem | null {
  const { column, id, idKey, name, nameKey: itsKey } = one;
  const first = seen[column].get(idKey);
  if (first === undefined) seen[column].set(idKey, { row, name, nameKey: itsKey });
  if (first === undefined || first.nameKey === itsKey) return null;
  const message = `${shown(id)} is ${shown(first.name)} in row ${first.row}, but ${shown(name)} here.`;
  return {
    column,
    message,
    next: `Within a campus, each ${column} can have only one name. Correct the ID or the name.`,
  };
}
