/**
 * Where rows that name no section have landed. The LMS puts them into the default section and tells no one beforehand which one
 * that is: it may have been renamed, or cross-listed into another course. So it is looked up once the import has ended; all rows
 * of a course that name no section share their fate, so one person of each tells it.
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

/** Courses looked at together. */
const COURSES_AT_ONCE = 8;
/** People asked about for each: of the first ones the LMS may have refused the row. */
const PEOPLE_ASKED = 3;
interface Asked extends Reader {
  /** The import's number in the LMS. */
  importId: number;
}

/** Rows of a course that left the section to the LMS, and the section that was shown. */
interface Unnamed {
  course: { id: number; sis: string };
  of: StoredCourse;
  rows: StoredRows;
  shown: { id: number; name: string };
  people: StoredPerson[];
  role: number | null;
  removes: boolean;
  /** Sections of the course that other rows name, each with the SIS IDs of their people. */
  named: ReadonlyMap<number, ReadonlySet<string>>;
}

/**
 * A sentence for each course whose rows the LMS has applied in another section than the review showed; the plan notes them, too.
 * @throws the signal's reason; CanvasError when the LMS does not answer
 */
export async function rowsAstray(db: Db, plan: string, asked: Asked): Promise<string[]> {
  const everybody = (await readPlanPeople(db, plan)) ?? [];
  const stored = await readPlanChange(db, plan);
  const unnamed: Unnamed[] = [];
  for await (const of of readPlanCourses<StoredRows[]>(db, plan)) {
    const { courseId, sisCourseId, rows } = of;
    const leaves = (one: StoredRows) => (one.as ?? one.sis) === '';
    const named = new Map<number, Set<string>>();
    for (const one of rows) {
      if (one.section === null || leaves(one)) continue;
      const those = named.get(one.section) ?? new Set();
      named.set(one.section, those);
      for (const [, , sisId] of peopleOf(one, everybody)) those.add(sisId);
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
  const said = await mapLimited(unnamed, COURSES_AT_ONCE, (one) => sentenceOf(asked, one));
  const astray = unnamed.filter((_, at) => said[at] !== null);
  for (const { rows } of astray) rows.astray = true;
  // Undoing would look for them where they were to be.
  const write = await rewriteRows(plan, [...new Set(astray.map(({ of }) => of))]);
  await db.transaction(write);
  return said.filter((text) => text !== null);
}

/** The people whose rows were sent. */
function peopleOf({ sent, people }: StoredRows, everybody: readonly StoredPerson[]): StoredPerson[] {
  const those = sent ? Object.values(sent).flat() : (people ?? everybody.map((_, at) => at));
  return those.flatMap((at) => (everybody[at] ? [everybody[at]] : []));
}

async function sentenceOf(asked: Asked, one: Unnamed): Promise<string | null> {
  const isShown = ({ course_section_id }: LmsEnrollment) => course_section_id === one.shown.id;
  const isTouched = ({ sis_import_id }: LmsEnrollment) => sis_import_id === asked.importId;
  let stays = false;
  for (const [, , sisId] of one.people.slice(0, PEOPLE_ASKED)) {
    const unnamed = ({ course_section_id }: LmsEnrollment) => !one.named.get(course_section_id)?.has(sisId);
    const inCourse = await enrollmentsIn(asked, `courses/${one.course.id}`, sisId);
    const touched = inCourse.filter(isTouched);
    if (touched.some(isShown)) return null;
    stays ||= inCourse.some(
      (each) => isShown(each) && each.role_id === one.role && each.enrollment_state !== 'deleted',
    );
    // The course does not find people by every SIS ID that they have.
    const others = touched.filter(unnamed);
    const all =
      others.length > 0
        ? others
        : (await enrollmentsIn(asked, `users/${sisSegment('user', sisId)}`))
            .filter(isTouched)
            .filter(unnamed);
    if (all.some(isShown)) return null;
    // Rows of other courses touch the same person: only what came from this course's default section counts.
    for (const found of all) {
      const name = await nameIfOf(asked, found, one.course.id);
      if (name !== null) return sentence(one, found, name);
    }
  }
  return one.removes && stays ? staySentence(one, 'another section') : null;
}

/** Enrolments of a course or a person, deleted ones too; none where they may not be seen. */
function enrollmentsIn(asked: Asked, of: string, sisUserId?: string): Promise<LmsEnrollment[]> {
  const filter = { deleted: true, ...(sisUserId === undefined ? {} : { sisUserId }) };
  return unlessRefused(enrollmentsOf(asked, of, filter), []);
}

/** Name of the section of an enrolment where it is, or was before cross-listing, one of the course; else null. */
async function nameIfOf(
  asked: Asked,
  { course_section_id }: LmsEnrollment,
  course: number,
): Promise<string | null> {
  const found = await unlessRefused(sectionById(asked, course_section_id), null);
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
  return `Course ${course.sis}: ${who} may still be in section '${shown.name}', since the LMS applied the removal to ${place}. Check both sections, and remove them where they are still enrolled.`;
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
  return `Course ${course.sis}: the LMS put ${who} into ${place}. They were to be in section '${shown.name}'. Check where they are now, and move them if that is wrong.`;
}
