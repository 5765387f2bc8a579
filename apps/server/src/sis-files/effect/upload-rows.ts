/** The rows of an upload, read once from the stored CSVs and kept as bytes until the LMS has answered. */
import type { SisFile } from '@lms-admin/contract/sis-files';
import { type Cells, cellsOf } from '@lms-admin/domain/sis-effect';
import { ownRow } from '@lms-admin/domain/sis-rows';
import { deletes, type SisKind, sisTableOf } from '@lms-admin/domain/sis-tables';
import { storedRows } from '../../imports/stored-rows.ts';
import type { Db } from '../../platform/database.ts';
import type { ImportFile } from '../../platform/schema.ts';
import { ownText } from '../../platform/text.ts';
import { PackedRows } from './packed-rows.ts';

/** A row and its position. */
export interface Row {
  /** Index of the row's file in the upload. */
  part: number;
  /** Row number in the admin's own file. */
  row: number;
}
export interface CellsRow extends Row {
  cell: Cells;
}

/**
 * A row of enrolments: part, row, person, section, role id, role name, status, start, end, whether it has more columns,
 * student of an observer, limit to the section.
 */
export type PackedEnrolment = [
  number,
  number,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  0 | 1,
  string,
  string,
];

/** A row of enrolments that does not identify its person by an SIS ID of this account alone. */
export interface RowWithoutSisId {
  row: PackedEnrolment;
  /** SIS ID of the course. */
  course: string;
  integrationId: string;
  /** The value of `root_account`. */
  account: string;
}

/** Rows of one course, or of a section that they name alone. */
export interface NamedPlace {
  by: 'course' | 'section';
  id: string;
  /** Positions of the place's rows. */
  rows: number[];
  /** Number of rows that remove a person. */
  removing: number;
  /** SIS IDs of the sections in its rows. */
  sections: Set<string>;
}

/** Columns of an enrolment that contain only the person, the place, the role, the dates and the status. */
const PLAIN = [
  'course_id',
  'section_id',
  'user_id',
  'role',
  'role_id',
  'status',
  'start_date',
  'end_date',
  // The person is looked up beforehand.
  'user_integration_id',
  'associated_user_id',
  'limit_section_privileges',
  '',
];
/** Statuses that may remove something. */
const TAKES = /^(?:deleted|suspended|completed|inactive)/i;
/**
 * Tables in which only rows with such a status remove something: in others, an active row may move people out of a
 * place.
 */
const BY_STATUS: readonly SisKind[] = ['user', 'login', 'abstract_course', 'user_observer'];
/** Tables in which any row may move people out of courses or groups. */
const MOVES: readonly SisKind[] = ['section', 'xlist', 'group', 'group_membership'];

export class UploadRows {
  readonly enrolments = new PackedRows<PackedEnrolment>();
  readonly places = new Map<string, NamedPlace>();
  /** Roles in rows of enrolments, by number and by name. */
  readonly roles = new Set<string>();
  readonly roleNames = new Set<string>();
  /** People in rows of enrolments. */
  readonly users = new Set<string>();
  /** Rows of enrolments with ids other than SIS IDs, or with another account. */
  readonly foreign = new PackedRows<RowWithoutSisId>();
  readonly rowsWithoutSisId: number[] = [];
  /** Whether only places are evaluated in which rows may remove someone. */
  readonly onlyTaking: boolean;
  /** Whether rows of other tables may end enrolments: then any row of enrolments may restore one. */
  #endedBeside = false;
  readonly #rows = new PackedRows<[number, number, string[]]>();
  readonly #ofKind = new Map<SisKind, number[]>();
  readonly #headers: string[][] = [];

  constructor(onlyTaking = false) {
    this.onlyTaking = onlyTaking;
  }

  /** Returns the number of rows of a table, other than enrolments. */
  count(kind: SisKind): number {
    return this.#ofKind.get(kind)?.length ?? 0;
  }

  /** Yields the rows of a table, in order. */
  *of(kind: SisKind): Generator<CellsRow> {
    for (const place of this.#ofKind.get(kind) ?? []) {
      const [part, row, cells] = this.#rows.read(place);
      yield { part, row, cell: cellsOf(this.#headers[part] ?? [], cells) };
    }
  }

  /** @param header the caller empties the names of columns with secrets */
  begin(part: number, header: string[]): void {
    this.#headers[part] = header;
  }

  /** Returns whether a place must be evaluated: with a removal, all its rows count, since a later one may restore it. */
  isLookedAt({ removing }: { removing: number }): boolean {
    return !this.onlyTaking || this.#endedBeside || removing > 0;
  }

  /** Drops all rows of enrolments if none of them has to be evaluated. */
  settle(): void {
    if (![...this.places.values()].some((place) => this.isLookedAt(place))) this.places.clear();
  }

  add(kind: SisKind, part: number, row: number, cells: string[], takes: boolean): void {
    this.#endedBeside ||= takes || MOVES.includes(kind);
    const places = this.#ofKind.get(kind) ?? [];
    this.#ofKind.set(kind, places);
    places.push(this.#rows.add([part, row, cells]));
  }

  addEnrolment(row: PackedEnrolment, course: string): void {
    const [, , user, section, roleId, roleName, status] = row;
    if (roleId === '') {
      if (!this.roleNames.has(roleName)) this.roleNames.add(ownText(roleName));
    } else if (!this.roles.has(roleId)) this.roles.add(ownText(roleId));
    const by = course === '' ? 'section' : 'course';
    const id = by === 'course' ? course : section;
    const key = `${by} ${id}`;
    let place = this.places.get(key);
    if (!place) {
      place = { by, id: ownText(id), rows: [], removing: 0, sections: new Set() };
      this.places.set(ownText(key), place);
    }
    if (TAKES.test(status)) place.removing++;
    if (section !== '' && !place.sections.has(section)) place.sections.add(ownText(section));
    if (!this.users.has(user)) this.users.add(ownText(user));
    place.rows.push(this.enrolments.add(row));
  }
}

/**
 * Reads every row of a stored file once.
 * @param onlyTaking reads only rows that may remove something
 * @param onRows receives the number of rows read
 */
export async function gather(
  db: Db,
  file: Pick<SisFile, 'id' | 'parts'>,
  files: readonly ImportFile[],
  onlyTaking: boolean,
  signal: AbortSignal,
  onRows: (rows: number) => void = () => {},
): Promise<UploadRows> {
  const uploadRows = new UploadRows(onlyTaking);
  let read = 0;
  for (const [part, { kind }] of file.parts.entries()) {
    const table = sisTableOf(kind);
    let columns: ReturnType<typeof columnsOf> | null = null;
    for await (const batch of storedRows(db, file.id, part)) {
      signal.throwIfAborted();
      for (const { row, cells } of batch) {
        if (columns === null) {
          columns = columnsOf(cells);
          uploadRows.begin(part, cells.map(ownText));
          continue;
        }
        read++;
        const status = columns.status === -1 ? 'active' : (cells[columns.status] ?? '');
        const takes = TAKES.test(status) || deletes(table, status.toLowerCase());
        if (onlyTaking && !takes && BY_STATUS.includes(kind)) continue;
        // Empty rows of the admin's own file are not stored.
        const own = ownRow(row, files[part]?.blank ?? []);
        if (kind === 'enrollment') enrolment(uploadRows, columns, part, own, cells, status);
        else
          uploadRows.add(kind, part, own, withoutSecrets(cells, columns.header, table.secret ?? []), takes);
      }
      onRows(read);
    }
  }
  return uploadRows;
}

function columnsOf(header: readonly string[]) {
  const at = (name: string) => header.indexOf(name);
  return {
    header,
    course: at('course_id'),
    section: at('section_id'),
    user: at('user_id'),
    role: at('role'),
    roleId: at('role_id'),
    status: at('status'),
    start: at('start_date'),
    end: at('end_date'),
    account: at('root_account'),
    integration: at('user_integration_id'),
    student: at('associated_user_id'),
    limit: at('limit_section_privileges'),
    more: header.flatMap((name, place) => (PLAIN.includes(name) ? [] : [place])),
  };
}

function enrolment(
  uploadRows: UploadRows,
  columns: ReturnType<typeof columnsOf>,
  part: number,
  row: number,
  cells: readonly string[],
  status: string,
): void {
  const cell = (place: number) => (place === -1 ? '' : (cells[place] ?? ''));
  const user = cell(columns.user);
  const more = columns.more.some((place) => cell(place) !== '');
  const packed: PackedEnrolment = [
    part,
    row,
    user,
    cell(columns.section),
    cell(columns.roleId),
    cell(columns.role),
    status,
    cell(columns.start),
    cell(columns.end),
    more ? 1 : 0,
    cell(columns.student),
    cell(columns.limit),
  ];
  const [course, account] = [cell(columns.course), cell(columns.account)];
  const integrationId = cell(columns.integration);
  // If a row has both ids, the LMS uses the integration id.
  if (account === '' && user !== '' && integrationId === '') return uploadRows.addEnrolment(packed, course);
  if (user !== '' && !uploadRows.users.has(user)) uploadRows.users.add(ownText(user));
  uploadRows.rowsWithoutSisId.push(uploadRows.foreign.add({ row: packed, course, integrationId, account }));
}

function withoutSecrets(
  cells: readonly string[],
  header: readonly string[],
  secret: readonly string[],
): string[] {
  return secret.length === 0
    ? [...cells]
    : cells.map((cell, at) => (secret.includes(header[at] ?? '') ? '' : cell));
}

/** Groups items by a key text, in order. */
export function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
