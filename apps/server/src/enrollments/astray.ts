/**
 * Finds the sections where the LMS put rows that name no section. The LMS uses the default section but does not show in
 * advance which one that is: it may have been renamed, or cross-listed into another course. So this is checked after
 * the import. All such rows of a course end up in the same section, so checking one person is enough.
 */
import { counted } from '@lms-admin/domain/numbers';
import { enrollmentsOf, type LmsEnrollment } from '../canvas/resources/enrollments.ts';
import { isDefinite, type Reader } from '../canvas/resources/reading.ts';
import { sectionById } from '../canvas/resources/sections.ts';
import { sisSegment } from '../canvas/sis-path.ts';
import {
  readPlanChange,
  readPlanCourses,
  readPlanPeople,
  rewriteRows,
  type StoredPerson,
} from '../plans/store.ts';
import type { Db } from '../platform/database.ts';
import { mapLimited } from '../platform/limited.ts';
import type { StoredCourse, StoredRows } from './plan-store.ts';

/** Number of courses checked at once. */
const COURSES_AT_ONCE = 8;
/** People checked for each course: the LMS may have rejected the rows of the first ones. */
const MAX_PEOPLE = 3;
interface AstrayReader extends Reader {
  /** Id of the import in the LMS. */
  importId: number;
}

/** Rows of a course without a section, and the section that the review showed. */
interface Unnamed {
  course: { id: number; sis: string };
  of: StoredCourse;
  rows: StoredRows;
  shown: { id: number; name: string };
  people: StoredPerson[];
  role: number | null;
  removes: boolean;
  /** Sections of the course that other rows name, each with the SIS IDs of the people in those rows. */
  named: ReadonlyMap<number, ReadonlySet<string>>;
}

/**
 * Returns a sentence for each course whose rows the LMS applied in a different section from the one in the review.
 * Also marks these rows in the plan.
 * @throws the signal's reason; CanvasError if the LMS does not answer
 */
export async function rowsAstray(db: Db, plan: string, reader: AstrayReader): Promise<string[]> {
  const everybody = (await readPlanPeople(db, plan)) ?? [];
  const stored = await readPlanChange(db, plan);
  const unnamed: Unnamed[] = [];
  for await (const of of readPlanCourses<StoredRows[]>(db, plan)) {
    const { courseId, sisCourseId, rows } = of;
    const leaves = (one: StoredRows) => (one.as ?? one.sis) === '';
    const named = new Map<number, Set<string>>();
    for (const one of rows) {
      if (one.section === null || leaves(one)) continue;
      const names = named.get(one.section) ?? new Set();
      named.set(one.section, names);
      for (const [, , sisId] of peopleOf(one, everybody)) names.add(sisId);
    }
    for (const one of rows) {
      if (one.section === null || !leaves(one)) continue;
      const people = peopleOf(one, everybody);
      if (people.length === 0) continue;
      unnamed.push({
        course: { id: courseId, sis: sisCourseId },
        of,
        rows: one,
        shown: { id: one.section, name: one.name ?? '' },
        people,
        role: one.role ?? stored?.roleId ?? null,
        removes: (one.status ?? stored?.status) === 'deleted',
        named,
      });
    }
  }
  const sentences = await mapLimited(unnamed, COURSES_AT_ONCE, (one) => sentenceOf(reader, one));
  const astray = unnamed.filter((_, at) => sentences[at] !== null);
  for (const { rows } of astray) rows.astray = true;
  // Stored so that an undo does not look for the people in the reviewed section.
  const write = await rewriteRows(plan, [...new Set(astray.map(({ of }) => of))]);
  await db.transaction(write);
  return sentences.filter((text) => text !== null);
}

/** Returns the people whose rows were sent. */
function peopleOf({ sent, people }: StoredRows, everybody: readonly StoredPerson[]): StoredPerson[] {
  const indices = sent ? Object.values(sent).flat() : (people ?? everybody.map((_, at) => at));
  return indices.flatMap((at) => (everybody[at] ? [everybody[at]] : []));
}

async function sentenceOf(reader: AstrayReader, one: Unnamed): Promise<string | null> {
  const isShown = ({ course_section_id }: LmsEnrollment) => course_section_id === one.shown.id;
  const isTouched = ({ sis_import_id }: LmsEnrollment) => sis_import_id === reader.importId;
  let stays = false;
  for (const [, , sisId] of one.people.slice(0, MAX_PEOPLE)) {
    const unnamed = ({ course_section_id }: LmsEnrollment) => !one.named.get(course_section_id)?.has(sisId);
    const inCourse = await enrollmentsIn(reader, `courses/${one.course.id}`, sisId);
    const touched = inCourse.filter(isTouched);
    if (touched.some(isShown)) return null;
    stays ||= inCourse.some(
      (each) => isShown(each) && each.role_id === one.role && each.enrollment_state !== 'deleted',
    );
    // The list of a course finds a person by only one of their SIS IDs.
    const others = touched.filter(unnamed);
    const all =
      others.length > 0
        ? others
        : (await enrollmentsIn(reader, `users/${sisSegment('user', sisId)}`))
            .filter(isTouched)
            .filter(unnamed);
    if (all.some(isShown)) return null;
    // Rows of other courses can affect the same person, so only enrolments from this course's default section count.
    for (const found of all) {
      const name = await nameIfOf(reader, found, one.course.id);
      if (name !== null) return sentence(one, found, name);
    }
  }
  return one.removes && stays ? staySentence(one, 'another section') : null;
}

/** Returns the enrolments of a course or a person, including deleted ones; empty if access is refused. */
function enrollmentsIn(reader: AstrayReader, of: string, sisUserId?: string): Promise<LmsEnrollment[]> {
  const filter = { deleted: true, ...(sisUserId === undefined ? {} : { sisUserId }) };
  return unlessRefused(enrollmentsOf(reader, of, filter), []);
}

/**
 * Returns the name of the enrolment's section if it belongs, or belonged before cross-listing, to the course; or null.
 */
async function nameIfOf(
  reader: AstrayReader,
  { course_section_id }: LmsEnrollment,
  course: number,
): Promise<string | null> {
  const found = await unlessRefused(sectionById(reader, course_section_id), null);
  if (found === null) return null;
  return found.course_id === course || found.nonxlist_course_id === course ? found.name : null;
}

async function unlessRefused<T>(read: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (isDefinite(error)) return otherwise;
    throw error;
  }
}

function staySentence({ course, shown, people }: Unnamed, place: string): string {
  const who = counted(people.length, 'person', 'people');
  return `Course ${course.sis}: ${who} may still be in section '${shown.name}', because the LMS applied the removal to ${place}. Check both sections, and remove them where they are still enrolled.`;
}

function sentence(one: Unnamed, found: LmsEnrollment, name: string): string {
  const { course, shown, people } = one;
  const who = counted(people.length, 'person', 'people');
  const another = name === shown.name ? `another section '${name}'` : `section '${name}'`;
  const place =
    found.course_id === course.id
      ? another
      : `${another} of course ${found.sis_course_id || found.course_id}`;
  if (found.enrollment_state === 'deleted') return staySentence(one, place);
  return `Course ${course.sis}: the LMS put ${who} into ${place}. They should be in section '${shown.name}'. Check where they are now, and move them if necessary.`;
}
