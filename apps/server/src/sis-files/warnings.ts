/** What a checked file will probably fail at, told before it is sent: courses that the LMS does not have, forgotten samples. */
import type { SisFilePart } from '@lms-admin/contract/sis-files';
import { shown } from '@lms-admin/domain/sis-rows';
import { isSampleCell, type SisTable, sisTableOf } from '@lms-admin/domain/sis-tables';
import type { Admin } from '../auth/admin.ts';
import { CanvasError } from '../canvas/types.ts';
import { mapLimited } from '../platform/limited.ts';
import { ownText, storable } from '../platform/text.ts';
import type { CheckServices } from './policies/policy.ts';

/** Courses that are looked up: more would take longer than it helps. */
const MOST_ASKED = 200;
/** Courses that are named. */
const MOST_NAMED = 10;
const AT_ONCE = 16;

/** Rows by the course that they fail without, for the first courses of a file. */
export class NamedCourses {
  readonly rows = new Map<string, number>();

  note({ touches, makes }: SisTable, header: readonly string[], cells: readonly string[]): void {
    if (touches.course === undefined || makes?.includes('course')) return;
    const course = cells[header.indexOf(touches.course)];
    if (!course) return;
    const rows = this.rows.get(course);
    if (rows !== undefined) this.rows.set(course, rows + 1);
    else if (this.rows.size < MOST_ASKED) this.rows.set(ownText(course), 1);
  }
}

/**
 * Sentences about rows that will probably fail, or were not meant to be sent.
 * @throws CanvasError when the admin's token is refused
 */
export async function warningsOf(
  services: CheckServices,
  admin: Admin,
  parts: readonly SisFilePart[],
  named: NamedCourses,
  signal: AbortSignal,
): Promise<string[]> {
  const sentences = parts.some(hasSample)
    ? ['A sample row of the template is still in the file. Take it out unless it is meant.']
    : [];
  // A course that comes to be, or gets its id, in the same import is not missing.
  if (parts.some(({ kind }) => sisTableOf(kind).makes?.includes('course'))) return sentences;
  const missing = await missingCourses(services, admin, named, signal);
  for (const [id, rows] of missing.slice(0, MOST_NAMED)) {
    const fail =
      rows === 1
        ? '1 row names it and will fail'
        : `${rows.toLocaleString('en-GB')} rows name it and will fail`;
    sentences.push(`The LMS has no course with the id ${storable(shown(id))}: ${fail}.`);
  }
  const more = missing.length - MOST_NAMED;
  if (more > 0)
    sentences.push(`${more} more ${more === 1 ? 'course is' : 'courses are'} not in the LMS either.`);
  return sentences;
}

/** Courses that the LMS says it does not have, those with most rows first. */
async function missingCourses(
  { scope }: CheckServices,
  admin: Admin,
  { rows }: NamedCourses,
  signal: AbortSignal,
): Promise<[id: string, rows: number][]> {
  let down = false;
  const found = await mapLimited([...rows], AT_ONCE, async ([id]) => {
    // An LMS that does not answer is not asked over and over: this is a kindness only.
    if (down) return true;
    try {
      return (await scope.courseBySisId(admin, id, signal)) !== null;
    } catch (error) {
      if (!(error instanceof CanvasError) || error.ofToken) throw error;
      if (error.kind !== 'not-found') down = true;
      return error.kind !== 'not-found';
    }
  });
  return [...rows].filter((_, index) => found[index] === false).sort((a, b) => b[1] - a[1]);
}

/** A sample that was left in stands among the first rows. */
function hasSample({ preview }: SisFilePart): boolean {
  return preview.some((cells) => cells.some(isSampleCell));
}
