/** Looks up the people of a plan of Course Enrollment, reads its courses, and works out who gets a row in each. */
import type { PlanRequest } from '@lms-admin/contract/enrollments';
import type { Admin } from '../auth/admin.ts';
import { mapLimited } from '../platform/limited.ts';
import type { FoundPerson } from '../users/people.ts';
import { courseDifference, type ReadDifference } from './course-difference.ts';
import type { PlannableCourse, PlanServices } from './plan-checks.ts';
import type { PlanProgress } from './plan-progress.ts';
import { ShownIds } from './read-lms.ts';
import { areOutdated } from './same-people.ts';

/** Courses being read at once; the client decides how many calls of them are in flight. */
const COURSES_AT_ONCE = 32;

interface CoursesAndPeople {
  admin: Admin;
  request: PlanRequest;
  /** Each once. */
  emails: readonly string[];
  courses: readonly PlannableCourse[];
}

/** Someone who was found, by the address that was asked for. */
export type Found = FoundPerson & { email: string };

/** One course of the plan, worked out. */
export interface WorkedCourse {
  course: PlannableCourse;
  difference: ReadDifference;
}

export type EmailLookups = Awaited<ReturnType<typeof findPeople>>;

export interface CoursesRead {
  /** In the order of entry. */
  lookups: EmailLookups;
  found: Found[];
  read: WorkedCourse[];
}

/** Looks people up and reads the courses; again where the courses show that people were remembered by old SIS IDs. */
export async function findAndReadCourses(
  services: PlanServices,
  of: CoursesAndPeople,
  progress: PlanProgress,
  isAgain = false,
): Promise<CoursesRead> {
  const { signal, onStep } = progress;
  const lookups = await findPeople(services, of, progress);
  const found = lookups.flatMap(({ email, result }) =>
    typeof result === 'string' || 'why' in result ? [] : [{ email, ...result }],
  );
  const failed = lookups.filter(({ result }) => result === 'failed').length;
  const counts = { not_found: lookups.length - found.length - failed, failed };
  const { length: total } = of.courses;
  const shown = new ShownIds();
  const read = await readCourses(services, of, { people: found, shown, signal }, (done) =>
    onStep({ reading: 'places', done, total, ...counts }),
  );
  const byEmail = new Map(found.map((person) => [person.email, person]));
  const lookUp = async (keys: readonly string[]) =>
    (await services.people.byEmail(of.admin, keys, { signal, fresh: true })).map((one) =>
      typeof one === 'object' && 'sisUserId' in one ? one : one === 'failed' ? one : null,
    );
  if (!isAgain && (await areOutdated(services.people, byEmail, shown, lookUp)))
    return findAndReadCourses(services, of, progress, true);
  return { lookups, found, read };
}

async function findPeople(
  { people }: PlanServices,
  { admin, emails }: CoursesAndPeople,
  { signal, onStep }: PlanProgress,
) {
  const state = { done: 0, not_found: 0, failed: 0 };
  const line = () => onStep({ reading: 'people', total: emails.length, ...state });
  line();
  const results = await people.byEmail(admin, emails, {
    signal,
    onResult(result) {
      state.done++;
      if (result === 'failed') state.failed++;
      else if (typeof result === 'string' || 'why' in result) state.not_found++;
      line();
    },
  });
  return emails.map((email, index) => ({ email, result: results[index] ?? ('failed' as const) }));
}

async function readCourses(
  { canvas }: PlanServices,
  { admin, request, courses }: CoursesAndPeople,
  reading: { people: readonly FoundPerson[]; shown: ShownIds; signal: AbortSignal },
  onDone: (done: number) => void,
): Promise<WorkedCourse[]> {
  const sisIdOf = new Map(reading.people.map((person) => [person.id, person.sisUserId]));
  const { role_id: roleId, status } = request;
  let done = 0;
  onDone(done);
  return mapLimited(courses, COURSES_AT_ONCE, async (course) => {
    const difference = await courseDifference(canvas, {
      admin,
      course,
      sisIdOf,
      roleId,
      status,
      ...reading,
    });
    onDone(++done);
    return { course, difference };
  });
}
