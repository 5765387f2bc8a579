/** What the rows of an upload name, kept until every row has passed: then it is compared with what the LMS holds. */
import type { EnrolmentRow } from '@lms-admin/domain/sis-effects';
import { deletes, type SisKind, type SisTable } from '@lms-admin/domain/sis-tables';
import { ownText } from '../../platform/text.ts';

/** Most rows of enrolments and of people that are compared; those that remove something are kept apart from the others. */
export const MOST_COMPARED = 50_000;

/** A row of people. */
export interface PersonRow {
  /** Place of its file among those of the upload. */
  part: number;
  row: number;
  id: string;
  login: string;
  status: string;
}

export interface PlacedRow extends Omit<EnrolmentRow, 'roles'> {
  part: number;
  roleId: string;
  roleName: string;
}

/** Rows of one course, or of a section that they name alone. */
export interface NamedPlace {
  by: 'course' | 'section';
  id: string;
  rows: PlacedRow[];
  removing: number;
}

/** Columns of an enrolment that say nothing beside who, where, what and whether. */
const PLAIN = ['course_id', 'section_id', 'user_id', 'role', 'role_id', 'status', ''];

/** Gathers rows; bounded, however large the upload is. */
export class NamedRows {
  readonly people: PersonRow[] = [];
  readonly places = new Map<string, NamedPlace>();
  /** Courses and sections that are deleted, by SIS id; of sections the course that their row names. */
  readonly courses = new Set<string>();
  readonly sections = new Map<string, string>();
  /** Rows that delete anything else, each once, by kind. */
  readonly others = new Map<SisKind, Set<string>>();
  /** Rows beyond what is compared. */
  readonly beyond = { people: 0, deletedPeople: 0, enrolments: 0, removed: 0, others: 0, ids: 0 };
  #removing = 0;
  #adding = 0;
  /** Sections, roles and states, which many rows share. */
  readonly #texts = new Map<string, string>();
  /** Where each column stands in the header that was noted last. */
  #columns: { of: readonly string[]; at: ReadonlyMap<string, number>; other: readonly number[] } | null =
    null;

  /** Notes a good row. @param status in lower case */
  note(
    at: { part: number; row: number },
    table: SisTable,
    header: readonly string[],
    cells: readonly string[],
    status: string,
  ): void {
    const columns = this.#columnsOf(header);
    const cell = (name: string) => cells[columns.at.get(name) ?? -1] ?? '';
    if (table.kind === 'user') this.#person(at, cell, status);
    else if (table.kind === 'enrollment') this.#enrolment(at, columns.other, cells, cell, status);
    else if (deletes(table, status)) this.#deleted(table, header, cells, cell);
  }

  #person(at: { part: number; row: number }, cell: (name: string) => string, status: string): void {
    if (this.people.length < MOST_COMPARED) {
      const [id, login] = [ownText(cell('user_id')), ownText(cell('login_id'))];
      this.people.push({ ...at, id, login, status });
      return;
    }
    this.beyond.people++;
    if (status.startsWith('deleted')) this.beyond.deletedPeople++;
  }

  #enrolment(
    at: { part: number; row: number },
    others: readonly number[],
    cells: readonly string[],
    cell: (name: string) => string,
    status: string,
  ): void {
    const removing = status.startsWith('deleted');
    // Rows of another account, and people by another id, are not looked up.
    const foreign = cell('root_account') !== '' || cell('user_id') === '';
    if (foreign || (removing ? this.#removing++ : this.#adding++) >= MOST_COMPARED) {
      this.beyond.enrolments++;
      if (removing) this.beyond.removed++;
      return;
    }
    const course = cell('course_id');
    const by = course === '' ? 'section' : 'course';
    const id = by === 'course' ? course : cell('section_id');
    const key = `${by} ${id}`;
    let place = this.places.get(key);
    if (!place) {
      place = { by, id: ownText(id), rows: [], removing: 0 };
      this.places.set(ownText(key), place);
    }
    if (removing) place.removing++;
    place.rows.push({
      ...at,
      user: ownText(cell('user_id')),
      section: this.#shared(cell('section_id')),
      roleId: this.#shared(cell('role_id')),
      roleName: this.#shared(cell('role')),
      status: this.#shared(status),
      more: others.some((at) => (cells[at] ?? '') !== ''),
    });
  }

  #columnsOf(header: readonly string[]) {
    if (this.#columns?.of !== header) {
      this.#columns = {
        of: header,
        // Of a name that stands twice the first one counts.
        at: new Map(header.map((name, at) => [name, at] as const).toReversed()),
        other: header.flatMap((name, at) => (PLAIN.includes(name) ? [] : [at])),
      };
    }
    return this.#columns;
  }

  #shared(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const own = ownText(text);
    this.#texts.set(own, own);
    return own;
  }

  #deleted(
    table: SisTable,
    header: readonly string[],
    cells: readonly string[],
    cell: (name: string) => string,
  ): void {
    if (table.kind === 'course') return void this.courses.add(ownText(cell('course_id')));
    if (table.kind === 'section') {
      return void this.sections.set(ownText(cell('section_id')), ownText(cell('course_id')));
    }
    let those = this.others.get(table.kind);
    if (!those) {
      those = new Set();
      this.others.set(table.kind, those);
    }
    const named = table.known.by.map((oneOf) => oneOf.map((name) => cells[header.indexOf(name)] ?? ''));
    if (those.size < MOST_COMPARED) those.add(ownText(JSON.stringify(named)));
    else this.beyond.others++;
  }
}
