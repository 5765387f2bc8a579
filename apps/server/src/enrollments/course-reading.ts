/** Looks up the people of a Course Enrollment plan, reads its courses and determines who gets a row in each. */
import type { CopiedPeople, PlanRequest } from '@lms-admin/contract/enrollments';
import type { Admin } from '../auth/admin.ts';
import { mapLimited } from '../platform/limited.ts';
import { copiedByEmail } from '../users/copied-lookups.ts';
import type { FoundPerson, LookupOptions, Unreachable } from '../users/people.ts';
import { courseDifference, type ReadDifference } from './course-difference.ts';
import { LinkedObservers } from './linked-observers.ts';
import type { PlannableCourse, PlanServices } from './plan-checks.ts';
import type { PlanProgress } from './plan-progress.ts';
import { ShownIds } from './read-lms.ts';
import { areOutdated } from './same-people.ts';

/** Number of courses read at once; the client limits the calls in flight. */
const COURSES_AT_ONCE = 32;

interface CoursesAndPeople {
  admin: Admin;
  request: PlanRequest;
  /** Without duplicates. */
  emails: readonly string[];
  courses: readonly PlannableCourse[];
}

/** A person who was found, with the requested address. */
export type Found = FoundPerson & { email: string };

/** One course of the plan with its rows. */
export interface WorkedCourse {
  course: PlannableCourse;
  difference: ReadDifference;
}

export type EmailLookups = Awaited<ReturnType<typeof findPeople>>['lookups'];

export interface CoursesRead {
  /** In the order of entry. */
  lookups: EmailLookups;
  found: Found[];
  read: WorkedCourse[];
  /** People from the directory's copy. */
  copied: CopiedPeople | null;
}

/**
 * Looks people up and reads the courses. Repeats this without the directory's copy if the courses show that cached SIS
 * IDs are out of date, or if there are no rows: without rows nothing is sent, so nothing would check the copy.
 */
export async function findAndReadCourses(
  services: PlanServices,
  of: CoursesAndPeople,
  progress: PlanProgress,
  isRetry = false,
): Promise<CoursesRead> {
  const { signal, onStep } = progress;
  const { lookups, copied } = await findPeople(services, of, progress, isRetry);
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
  const isUnchecked = copied !== null && read.every(({ difference: { rows } }) => rows.length === 0);
  if (!isRetry && (isUnchecked || (await areOutdated(services.people, byEmail, shown, lookUp))))
    return findAndReadCourses(services, of, progress, true);
  return { lookups, found, read, copied };
}

async function findPeople(
  services: PlanServices,
  { admin, emails }: CoursesAndPeople,
  { signal, onStep }: PlanProgress,
  isRetry: boolean,
) {
  const state = { done: 0, not_found: 0, failed: 0 };
  const line = () => onStep({ reading: 'people', total: emails.length, ...state });
  line();
  const options: LookupOptions<FoundPerson | Unreachable> = {
    signal,
    onResult(result) {
      state.done++;
      if (result === 'failed') state.failed++;
      else if (typeof result === 'string' || 'why' in result) state.not_found++;
      line();
    },
  };
  const { results, copied } = isRetry
    ? { results: await services.people.byEmail(admin, emails, options), copied: null }
    : await copiedByEmail(services, admin, emails, options);
  const lookups = emails.map((email, index) => ({ email, result: results[index] ?? ('failed' as const) }));
  return { lookups, copied };
}

async function readCourses(
  { canvas }: PlanServices,
  { admin, request, courses }: CoursesAndPeople,
  reading: { people: readonly FoundPerson[]; shown: ShownIds; signal: AbortSignal },
  onDone: (done: number) => void,
): Promise<WorkedCourse[]> {
  const sisIdOf = new Map(reading.people.map((person) => [person.id, person.sisUserId]));
  const { role_id: roleId, status } = request;
  const observers = new LinkedObservers(canvas, { admin, ...reading });
  let done = 0;
  onDone(done);
  return mapLimited(courses, COURSES_AT_ONCE, async (course) => {
    const difference = await courseDifference(canvas, {
      admin,
      course,
      sisIdOf,
      roleId,
      status,
      observers,
      ...reading,
    });
    onDone(++done);
    return { course, difference };
  });
}
