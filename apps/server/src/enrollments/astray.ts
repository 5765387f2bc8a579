/**
 * Where rows that name no section have landed. The LMS puts them into the default section and tells nobody beforehand which one
 * that is: it may have been renamed, or cross-listed into another course. So it is looked up once the import has ended; all rows
 * of a course that name no section share their fate, so one person of each tells it.
 */
import { enrollment, section } from '@lms-admin/contract/canvas-objects';
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import { z } from 'zod';
import { sisSegment } from '../canvas/sis-path.ts';
import { type CanvasClient, CanvasError, type CanvasToken } from '../canvas/types.ts';
import { readPlanCourses, readPlanPeople, rewriteRows, type StoredPerson } from '../imports/plan-store.ts';
import type { Db } from '../platform/database.ts';
import { mapLimited } from '../platform/limited.ts';
import { counted } from '../platform/text.ts';
import type { StoredCourse, StoredRows } from './plan-store.ts';

/** Courses looked at together. */
const COURSES_AT_ONCE = 8;
/** People asked about for each: of the first ones the LMS may have refused the row. */
const PEOPLE_ASKED = 3;
const STATES = ['active', 'invited', 'creation_pending', 'inactive', 'completed', 'rejected', 'deleted'];
const touched = z.array(
  enrollment.extend({
    sis_import_id: z.number().int().nullish(),
    sis_course_id: z.string().nullish(),
  }),
);
type Touched = z.output<typeof touched>[number];

interface Asked {
  canvas: CanvasClient;
  token: CanvasToken;
  signal: AbortSignal;
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
  /** Sections of the course that other rows name. */
  named: ReadonlySet<number>;
}

/**
 * A sentence for each course whose rows the LMS has applied in another section than the review showed; the plan notes them, too.
 * @throws the signal's reason; CanvasError when the LMS does not answer
 */
export async function rowsAstray(db: Db, plan: string, asked: Asked): Promise<string[]> {
  const everybody = (await readPlanPeople(db, plan)) ?? [];
  const unnamed: Unnamed[] = [];
  for await (const of of readPlanCourses<StoredRows[]>(db, plan)) {
    const { courseId, sisCourseId, rows } = of;
    const leaves = (one: StoredRows) => (one.as ?? one.sis) === '';
    const named = new Set(rows.filter((one) => !leaves(one)).flatMap((one) => one.section ?? []));
    for (const one of rows) {
      if (one.section === null || !leaves(one)) continue;
      const sent = one.sent ? Object.values(one.sent).flat() : (one.people ?? everybody.map((_, at) => at));
      const people = sent.flatMap((at) => (everybody[at] ? [everybody[at]] : []));
      const shown = { id: one.section, name: one.name ?? '' };
      const course = { id: courseId, sis: sisCourseId };
      if (people.length > 0) unnamed.push({ course, of, rows: one, shown, people, named });
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

async function sentenceOf(asked: Asked, one: Unnamed): Promise<string | null> {
  const isShown = ({ course_section_id }: Touched) => course_section_id === one.shown.id;
  const unnamed = ({ course_section_id }: Touched) => !one.named.has(course_section_id);
  for (const [, , sisId] of one.people.slice(0, PEOPLE_ASKED)) {
    const inCourse = await touchedBy(asked, `courses/${one.course.id}`, [['sis_user_id[]', sisId]]);
    if (inCourse.some(isShown)) return null;
    // The course does not find people by every SIS id that they have.
    const others = inCourse.filter(unnamed);
    const all =
      others.length > 0
        ? others
        : (await touchedBy(asked, `users/${sisSegment('user', sisId)}`)).filter(unnamed);
    if (all.some(isShown)) return null;
    // Rows of other courses touch the same person: only what came from this course's default section counts.
    for (const found of all) {
      const name = await nameIfOf(asked, found, one.course.id);
      if (name !== null) return sentence(one, found, name);
    }
  }
  return null;
}

/** Enrolments of a course or a person that the import has touched; none where they may not be seen. */
async function touchedBy(
  { canvas, token, signal, importId }: Asked,
  of: string,
  query: [string, string][] = [],
): Promise<Touched[]> {
  try {
    const found = await canvas.list({
      token,
      method: 'GET',
      path: `${of}/enrollments`,
      query: [
        ...query,
        ...STATES.map((state) => ['state[]', state] as const),
        ['per_page', String(LMS_PAGE_SIZE)],
      ],
      answer: touched,
      signal,
    });
    return found.filter(({ sis_import_id }) => sis_import_id === importId);
  } catch (error) {
    return ifRefused(error, []);
  }
}

const homed = section.extend({ nonxlist_course_id: z.number().int().nullish() });

/** Name of the section of an enrolment where it is, or was before cross-listing, one of the course; else null. */
async function nameIfOf(
  { canvas, token, signal }: Asked,
  { course_section_id }: Touched,
  course: number,
): Promise<string | null> {
  try {
    const path = `sections/${course_section_id}`;
    const { data } = await canvas.call({ token, method: 'GET', path, answer: homed, signal });
    return data.course_id === course || data.nonxlist_course_id === course ? data.name : null;
  } catch (error) {
    return ifRefused(error, null);
  }
}

function ifRefused<T>(error: unknown, otherwise: T): T {
  if (error instanceof CanvasError && ['refused', 'not-found', 'rejected'].includes(error.kind))
    return otherwise;
  throw error;
}

function sentence({ course, shown, people }: Unnamed, found: Touched, name: string): string {
  const who = counted(people.length, 'person', 'people');
  const another = name === shown.name ? `another section '${name}'` : `section '${name}'`;
  const place =
    found.course_id === course.id
      ? another
      : `${another} of course ${found.sis_course_id || found.course_id}`;
  if (found.enrollment_state === 'deleted') {
    return `Course ${course.sis}: ${who} may still be in section '${shown.name}', since the LMS applied the removal to ${place}. Check both sections, and remove them with Section Enrollment.`;
  }
  return `Course ${course.sis}: the LMS put ${who} into ${place}. They were to be in section '${shown.name}'. Check where they are now, and move them with Section Enrollment if that is wrong.`;
}
