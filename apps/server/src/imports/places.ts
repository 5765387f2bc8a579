/** What an import changes, as far as others have to know it: imports that share a place are sent one after the other. */
import type { CsvRow } from '@lms-admin/domain/csv-reader';
import type { Db } from '../platform/database.ts';
import type { ImportRow } from './record.ts';
import type { PlanSources } from './sources.ts';
import { storedRows } from './stored-rows.ts';

/** Stands for all of them: where rows do not say which courses they change. */
export const EVERYWHERE = '*';
/** The accounts of people. */
const PEOPLE = 'people';
/** More courses than this count as all of them. */
const MOST_PLACES = 1_000;

const coursePlace = (sisCourseId: string) => `course ${sisCourseId}`;

/** The places of an import that is recorded, by its plan or by its stored rows. */
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

/** How rows with this header name their place. */
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
  // Anyone who is deleted or suspended is so in all courses.
  if (isPeople) return ({ cells }) => (/^(active)?$/i.test(cells[status] ?? '') ? PEOPLE : EVERYWHERE);
  return () => EVERYWHERE;
}
