/** Enrolment rows entered by hand: each is checked like a planned one before anything is sent (OP-34, OP-43, OP-53). */
import { SUBMIT_TOOLS } from '@lms-admin/contract/tools';
import { csvLine } from '@lms-admin/domain/csv';
import type { CsvRow } from '@lms-admin/domain/csv-reader';
import { enrollmentColumns, manualRowCheck } from '@lms-admin/domain/enrollment-csv';
import { type RoleRules, type RowCheck, shown, sisHeader } from '@lms-admin/domain/sis-rows';
import {
  COURSE_LEVEL_HEADER,
  type EnrollmentsColumn,
  SECTION_LEVEL_HEADER,
} from '@lms-admin/domain/sis-tables/enrollments';
import { mayGiveRole, mayUse, requireTool } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import { evaluatePlaces, NamedPlaces, type PlaceServices } from '../imports/named-places.ts';
import { tooManyCsvRows } from '../imports/payload.ts';
import { RowProblems } from '../imports/row-problems.ts';
import { type ManualCsv, rowsByHand, rowsDoNotFit } from '../imports/rows-by-hand.ts';
import type { RowSource } from '../imports/sources.ts';
import type { Config } from '../platform/config.ts';

/** Number of characters written in one part. */
const PIECE_CHARACTERS = 131_072;

type RowServices = PlaceServices & { config: Config };

interface CheckedCsv {
  /** The rewritten CSV, in parts. */
  texts: string[];
  /** Number of rows, without the header. */
  rows: number;
  courses: number;
}

/** Creates the import source for enrolment rows. */
export function enrolmentRows(services: RowServices): RowSource {
  return {
    takes: () => true,
    async check(admin, csv, { signal }) {
      const { texts, rows, courses } = await checkCsv(services, admin, csv, signal);
      return {
        tool: mayUse(admin, 'course-enrollment') ? 'course-enrollment' : 'section-enrollment',
        label: `${rows} enrolment ${rows === 1 ? 'row' : 'rows'} for ${courses} ${courses === 1 ? 'course' : 'courses'}`,
        rows,
        texts,
      };
    },
    async recheck(admin, rows, signal) {
      const layout = await layoutOfStored(admin, rows());
      const places = await evaluatePlaces(services, admin, rows, signal);
      return (one) => layout.check(one.cells)[0]?.message ?? places(one);
    },
  };
}

/** @throws AppError not-allowed */
async function layoutOfStored(admin: Admin, rows: AsyncIterable<CsvRow[]>): Promise<Layout> {
  for await (const [first] of rows) if (first) return layoutOf(admin, first.row, first.cells);
  throw new Error('an import without a header');
}

/** Properties of the rows that their header determines. */
interface Layout {
  header: string[];
  columns: ReadonlyMap<EnrollmentsColumn, number>;
  check: RowCheck;
}

/**
 * Checks rows entered by hand against the admin's scope and roles.
 * @param csv text, or rows starting with the header
 * @throws AppError not-allowed (no enrolment tool); bad-request with up to 100 problems (row, column); too-many-rows
 */
async function checkCsv(
  services: RowServices,
  admin: Admin,
  csv: ManualCsv,
  signal?: AbortSignal,
): Promise<CheckedCsv> {
  requireTool(admin, ...SUBMIT_TOOLS['section-rows']);
  const most = services.config.maxEnrollmentRows;
  const problems = new RowProblems(rowsDoNotFit);
  const report = problems.reportFor(null);
  const places = new NamedPlaces(services, admin, report, signal);
  const writer = rowWriter();
  let layout: Layout | null = null;
  let count = 0;
  for await (const batch of rowsByHand(csv)) {
    for (const { row, cells } of batch) {
      if (layout === null) {
        layout = layoutOf(admin, row, cells);
        writer.header(layout);
        continue;
      }
      if (++count > most) throw tooManyCsvRows(most);
      const wrong = layout.check(cells);
      for (const { column, message } of wrong) report(row, column, message);
      if (wrong.length > 0) continue;
      const cell = (name: EnrollmentsColumn) => cells[layout?.columns.get(name) ?? -1] ?? '';
      places.note(row, cell('course_id'), cell('section_id'));
      writer.row(cells);
    }
  }
  if (count === 0)
    throw rowsDoNotFit([{ row: 1, field: null, message: 'There are no rows below the header.' }]);
  await places.end();
  problems.throwIfAny();
  return { texts: writer.end(), rows: count, courses: places.courses.length };
}

const HEADERS = `${COURSE_LEVEL_HEADER.join(',')} or ${SECTION_LEVEL_HEADER.join(',')}`;

/** @throws AppError bad-request for an unknown header, not-allowed without a tool that sends such rows */
function layoutOf(admin: Admin, row: number, cells: readonly string[]): Layout {
  const columns = enrollmentColumns(cells);
  if (columns === null) {
    const message = `The first row should be ${HEADERS} (in any order), not ${shown(cells.join(','))}.`;
    throw rowsDoNotFit([{ row, field: null, message }]);
  }
  requireTool(admin, ...SUBMIT_TOOLS[columns.has('section_id') ? 'section-rows' : 'course-rows']);
  const header = sisHeader(cells);
  return { header, columns, check: manualRowCheck(header, rolesOf(admin)) };
}

/**
 * Returns the roles that the tool and the role list of the row's level allow; rows with a section can be either
 * (OP-34).
 */
function rolesOf(admin: Admin): RoleRules {
  return {
    mayGiveRole: (roleId, level) =>
      (mayUse(admin, 'course-enrollment') && mayGiveRole(admin, roleId, 'course')) ||
      (level === 'section' && mayUse(admin, 'section-enrollment') && mayGiveRole(admin, roleId, 'section')),
    hasRole: () => null,
    rolesNamed: () => [],
  };
}

/** Writes checked rows with the columns in the documented order, a few thousand rows at a time. */
function rowWriter() {
  const texts: string[] = [];
  let places: readonly number[] = [];
  let text = '';
  return {
    header({ columns }: Layout) {
      const names = columns.has('section_id') ? SECTION_LEVEL_HEADER : COURSE_LEVEL_HEADER;
      places = names.map((name) => columns.get(name) ?? -1);
      text = csvLine(names);
    },
    row(cells: readonly string[]) {
      text += `\n${csvLine(places.map((place) => cells[place] ?? ''))}`;
      if (text.length < PIECE_CHARACTERS) return;
      texts.push(text);
      text = '';
    },
    end: () => (text === '' ? texts : [...texts, text]),
  };
}
