/** The ids of the uploaded list: within a campus each stands for one course, or one professor. Pure. */
import { type AwardEntry, entryKey, type ListColumn, type ListProblem } from './award-entries.ts';
import { nameKey } from './award-text.ts';
import { shown } from './sis-rows.ts';

/** A problem of the row that is being added. */
type IdProblem = Pick<ListProblem, 'message' | 'next'> & { column: ListColumn };

interface Seen {
  row: number;
  name: string;
  nameKey: string;
}

/** An id of a row, and the name that it stands for. */
interface NamedId {
  column: ListColumn;
  id: string;
  name: string;
  nameKey: string;
}

/** Looks at the ids of one row after the other. */
export class ListIds {
  readonly #rows = new Map<string, number>();
  readonly #ids = new Map<string, Seen>();
  readonly #names = new Map<string, number>();
  readonly #hints: ListProblem[] = [];

  /** @returns what is wrong with the ids of this row, beside those above it */
  add(row: number, entry: AwardEntry): IdProblem[] {
    const { campus, course, courseId, professorId, professor, type } = entry;
    const key = entryKey(entry);
    const same = this.#rows.get(key);
    if (same !== undefined) {
      const message = `${shown(courseId)} with ${shown(professorId)} stands in row ${same} already.`;
      return [{ column: 'Course ID', message, next: 'Remove one of the two rows, or correct its ids.' }];
    }
    this.#rows.set(key, row);
    const [courseKey, professorKey] = [nameKey(course), nameKey(professor)];
    const ids: NamedId[] = [
      { column: 'Course ID', id: courseId, name: course, nameKey: courseKey },
      { column: 'Prof ID', id: professorId, name: professor, nameKey: professorKey },
    ];
    const problems = ids.flatMap((one) => this.#other(row, campus, one) ?? []);
    const names = `${campus}\n${courseKey}\n${professorKey}\n${type}`;
    const alike = this.#names.get(names);
    if (alike === undefined) this.#names.set(names, row);
    else if (problems.length === 0) {
      const message = `${shown(course)} by ${shown(professor)} stands in row ${alike}, too, with another id.`;
      const next = 'Votes are told apart only when the survey has the ids, too.';
      this.#hints.push({ row, column: 'Course', message, next });
    }
    return problems;
  }

  /** Rows that votes without ids cannot tell apart. */
  hints(): readonly ListProblem[] {
    return this.#hints;
  }

  #other(row: number, campus: string, { column, id, name, nameKey: itsKey }: NamedId): IdProblem | null {
    const key = `${column}\n${campus}\n${nameKey(id)}`;
    const first = this.#ids.get(key);
    if (first === undefined) this.#ids.set(key, { row, name, nameKey: itsKey });
    if (first === undefined || first.nameKey === itsKey) return null;
    const message = `${shown(id)} is ${shown(first.name)} in row ${first.row}, and ${shown(name)} here.`;
    return {
      column,
      message,
      next: `Within a campus, a ${column} stands for one name: correct the id or the name.`,
    };
  }
}
