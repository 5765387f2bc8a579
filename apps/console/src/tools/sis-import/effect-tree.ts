/** Courses with the rows that are about their people, as lines of one table. Pure. */
import type { SisEffectCourse, SisEffectRow } from '@lms-admin/contract/sis-effects';
import { isDangerous, SIS_DOES, type SisDoes } from '@lms-admin/domain/sis-effect';

export interface CourseLine {
  key: string;
  is: 'course';
  /** Its place in the list of courses; null for one that was found by its rows. */
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
/** Stands for rows that have not come. */
export interface MoreLine {
  key: string;
  is: 'more';
  place: number;
  shown: number;
  all: number;
}
export type EffectLine = CourseLine | RowLine | MoreLine;

/** Rows of a course that have come. */
export interface CourseRows {
  rows: readonly SisEffectRow[];
  /** How many there are. */
  all: number;
}

export const courseKey = (place: number) => `course ${place}`;

/** Place of a course by the key of its line; null for another line. */
export function placeOf(key: string): number | null {
  const found = /^course (\d+)$/.exec(key);
  return found ? Number(found[1]) : null;
}

function rowLines(rows: readonly SisEffectRow[], above: string): RowLine[] {
  return rows.map((row, at) => ({ key: `${above} row ${at}`, is: 'row', row }));
}

/** Courses, with the rows that have come for some of them. @param does the only kind of effect that is shown; null for all */
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

/** Rows that were found, below the courses that they are about, in the order in which these come. */
export function foundLines(rows: readonly SisEffectRow[]): CourseLine[] {
  const byCourse = new Map<string, SisEffectRow[]>();
  for (const row of rows) {
    const id = row.in?.id ?? '';
    const those = byCourse.get(id);
    if (those) those.push(row);
    else byCourse.set(id, [row]);
  }
  return [...byCourse].map(([id, those]): CourseLine => {
    const key = `found ${id}`;
    const does: SisEffectCourse['does'] = {};
    for (const row of those) does[row.does] = (does[row.does] ?? 0) + 1;
    const of = those[0]?.in ?? { id, name: null, page: null };
    return {
      key,
      is: 'course',
      place: null,
      of,
      term: null,
      does,
      rows: those.length,
      below: rowLines(those, key),
    };
  });
}

/** What happens in a course, what is dangerous first. */
export function doings(does: SisEffectCourse['does']): { does: SisDoes; rows: number; dangerous: boolean }[] {
  return SIS_DOES.flatMap((one) => {
    const rows = does[one] ?? 0;
    return rows > 0 ? [{ does: one, rows, dangerous: isDangerous(one) }] : [];
  });
}
