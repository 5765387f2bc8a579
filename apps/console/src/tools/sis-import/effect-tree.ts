/** Courses with the rows about their people, as lines of one table. Pure. */
import type { SisEffectCourse, SisEffectRow } from '@lms-admin/contract/sis-effects';
import { isDangerous, SIS_DOES, type SisDoes } from '@lms-admin/domain/sis-effect';

export interface CourseLine {
  key: string;
  is: 'course';
  /** Index in the list of courses; null for a course that was found by its rows. */
  place: number | null;
  of: SisEffectCourse['of'];
  term: string | null;
  does: SisEffectCourse['does'];
  rows: number;
  below: readonly EffectLine[];
}
export interface RowLine {
  key: string;
  is: 'row';
  row: SisEffectRow;
}
/** A line that represents rows not loaded yet. */
export interface MoreLine {
  key: string;
  is: 'more';
  place: number;
  shown: number;
  all: number;
}
export type EffectLine = CourseLine | RowLine | MoreLine;

/** The loaded rows of a course. */
export interface CourseRows {
  rows: readonly SisEffectRow[];
  /** The number of all rows of the course. */
  all: number;
}

export const courseKey = (place: number) => `course ${place}`;

/** Returns the index of a course by the key of its line; null for another line. */
export function placeOf(key: string): number | null {
  const found = /^course (\d+)$/.exec(key);
  return found ? Number(found[1]) : null;
}

function rowLines(rows: readonly SisEffectRow[], above: string): RowLine[] {
  return rows.map((row, at) => ({ key: `${above} row ${at}`, is: 'row', row }));
}

/**
 * Lists the courses, with the rows loaded for some of them.
 * @param does the only kind of change to show; null for all
 */
export function courseLines(
  courses: readonly SisEffectCourse[],
  does: SisDoes | null,
  rowsOf: ReadonlyMap<number, CourseRows>,
): CourseLine[] {
  return courses.map((course): CourseLine => {
    const { place, of, term } = course;
    const key = courseKey(place);
    const all = does === null ? course.rows : (course.does[does] ?? 0);
    const { rows } = rowsOf.get(place) ?? { rows: [] };
    const more: MoreLine[] =
      rows.length < all ? [{ key: `${key} more`, is: 'more', place, shown: rows.length, all }] : [];
    const shown = does === null ? course.does : { [does]: all };
    return {
      key,
      is: 'course',
      place,
      of,
      term,
      does: shown,
      rows: all,
      below: [...rowLines(rows, key), ...more],
    };
  });
}

/** Lists the rows found, below their courses, in the order of the courses. */
export function foundLines(rows: readonly SisEffectRow[]): CourseLine[] {
  const byCourse = new Map<string, SisEffectRow[]>();
  for (const row of rows) {
    const id = row.in?.id ?? '';
    const courseRows = byCourse.get(id);
    if (courseRows) courseRows.push(row);
    else byCourse.set(id, [row]);
  }
  return [...byCourse].map(([id, courseRows]): CourseLine => {
    const key = `found ${id}`;
    const does: SisEffectCourse['does'] = {};
    for (const row of courseRows) does[row.does] = (does[row.does] ?? 0) + 1;
    const of = courseRows[0]?.in ?? { id, name: null, page: null };
    return {
      key,
      is: 'course',
      place: null,
      of,
      term: null,
      does,
      rows: courseRows.length,
      below: rowLines(courseRows, key),
    };
  });
}

/** Lists the kinds of change in a course, dangerous ones first. */
export function doings(does: SisEffectCourse['does']): { does: SisDoes; rows: number; dangerous: boolean }[] {
  return SIS_DOES.flatMap((one) => {
    const rows = does[one] ?? 0;
    return rows > 0 ? [{ does: one, rows, dangerous: isDangerous(one) }] : [];
  });
}
