/** Places that an import changes. Imports that share a place are sent one after the other. */
import type { CsvRow } from '@lms-admin/domain/csv-reader';
import type { Db } from '../platform/database.ts';
import type { ImportRow } from './record.ts';
import type { PlanSources } from './sources.ts';
import { storedRows } from './stored-rows.ts';

/** Place that means all courses: used if the rows do not name the courses they change. */
export const EVERYWHERE = '*';
/** Place that means the accounts of people. */
const PEOPLE = 'people';
/** With more courses than this, an import counts as changing all of them. */
const MOST_PLACES = 1_000;

const coursePlace = (sisCourseId: string) => `course ${sisCourseId}`;

/** Returns the places of a recorded import, from its plan or its stored rows. */
export async function placesOf(
  { db, plans }: { db: Db; plans: Pick<PlanSources, 'courses'> },
  row: Pick<ImportRow, 'id' | 'planId' | 'files' | 'zip'>,
): Promise<string[]> {
  if (row.planId !== null) return bounded(new Set((await plans.courses(row.planId)).map(coursePlace)));
  const places = new Set<string>();
  for (let part = 0; part < (row.zip ? (row.files ?? []).length : 1); part++) {
    let placesOfRow: PlacesOfRow | null = null;
    for await (const rows of storedRows(db, row.id, part)) {
      for (const one of rows) {
        if (placesOfRow === null) placesOfRow = readerFor(one.cells);
        else places.add(placesOfRow(one));
      }
      if (places.has(EVERYWHERE) || places.size > MOST_PLACES) return [EVERYWHERE];
    }
  }
  return bounded(places);
}

function bounded(places: ReadonlySet<string>): string[] {
  return places.size === 0 || places.size > MOST_PLACES || places.has(EVERYWHERE)
    ? [EVERYWHERE]
    : [...places];
}

type PlacesOfRow = (row: CsvRow) => string;

/** Returns a function that reads the place of a row with this header. */
function readerFor(header: readonly string[]): PlacesOfRow {
  const at = (name: string) => header.indexOf(name);
  const [course, section, user, status] = ['course_id', 'section_id', 'user_id', 'status'].map(at) as [
    number,
    number,
    number,
    number,
  ];
  const isEnrolments = user >= 0 && course >= 0 && (at('role') >= 0 || at('role_id') >= 0);
  if (isEnrolments) {
    return ({ cells }) => {
      const named = cells[course] ?? '';
      // A section may have been cross-listed into another course.
      return named === '' || (section >= 0 && (cells[section] ?? '') !== '')
        ? EVERYWHERE
        : coursePlace(named);
    };
  }
  const isPeople = user >= 0 && at('login_id') >= 0;
  // Deleting or suspending people affects all courses.
  if (isPeople) return ({ cells }) => (/^(active)?$/i.test(cells[status] ?? '') ? PEOPLE : EVERYWHERE);
  return () => EVERYWHERE;
}
