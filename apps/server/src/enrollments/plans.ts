/** Enrolment plans: who was found, what each course holds, what would be sent. Nothing is changed here (area CE). */
import {
  type Plan,
  type PlannedPerson,
  type PlanRequest,
  type WhyThere,
} from '@lms-admin/contract/enrollments';
import { campusOf } from '@lms-admin/domain/courses';
import { emailKey } from '@lms-admin/domain/emails';
import { isRowStatus } from '@lms-admin/domain/enrollment-states';
import { requireTool } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import {
  noSuchPlan,
  readPlan,
  readPlanCourse,
  readPlanPeople,
  type StoredPerson,
} from '../imports/plan-store.ts';
import { mapLimited } from '../platform/limited.ts';
import { counted } from '../platform/text.ts';
import type { FoundPerson } from '../users/people.ts';
import { addedWithOf } from './added-with.ts';
import { courseDifference, type ReadDifference } from './course-difference.ts';
import {
  type PlannableCourse,
  type PlanServices,
  reachableCourses,
  requireRole,
  requireRows,
  totalsOf,
} from './plan-checks.ts';
import type { PlanProgress } from './plan-progress.ts';
import { type StoredRows, stateOf, storePlan } from './plan-store.ts';
import { type Reading, ShownIds } from './read-lms.ts';
import { removedWithOf } from './removed-with.ts';
import { areOutdated } from './same-people.ts';
import { datedPerson, withoutLinked } from './section-reading.ts';

export interface Plans {
  /**
   * Works out a plan and stores it for a day.
   * @throws AppError not-allowed (role, tool), too-many-rows (before anything is sent to the LMS); the signal's reason
   */
  make(admin: Admin, request: PlanRequest, id: string, progress: PlanProgress): Promise<Plan>;
  /**
   * What can be said before any work: whether it may be asked for, and what it is called.
   * @throws AppError not-allowed, too-many-rows
   */
  check(admin: Admin, request: PlanRequest): { label: string };
  /** A plan that this admin made. @throws AppError not-allowed, not-found */
  get(admin: Admin, id: string): Promise<Plan>;
  /** The people of one course of a plan, in the order they were entered. @throws like `get` */
  people(admin: Admin, id: string, courseId: number): Promise<PlannedPerson[]>;
}

const TOOL = 'course-enrollment';

/** Courses being read at once; the client decides how many calls of them are in flight. */
const COURSES_AT_ONCE = 32;

export function createPlans(services: PlanServices): Plans {
  const { canvas, config, scope, roles } = services;
  const { db } = services.db;

  function check(admin: Admin, request: PlanRequest): { label: string } {
    const people = distinctEmails(request.emails).length;
    const chosen = new Set(request.courses).size;
    requireTool(admin, TOOL);
    requireRole(admin, request.role_id, 'course');
    requireRows(people * chosen, config.maxEnrollmentRows);
    return {
      label: `Review: ${counted(people, 'person', 'people')} in ${counted(chosen, 'course', 'courses')}`,
    };
  }

  async function make(
    admin: Admin,
    request: PlanRequest,
    id: string,
    { signal, onStep }: PlanProgress,
  ): Promise<Plan> {
    check(admin, request);
    const emails = distinctEmails(request.emails);
    const courseIds = [...new Set(request.courses)];
    const lms = await services.identity.lastSeen(admin.token);
    const role = { id: request.role_id, label: await roles.label(admin.token, request.role_id, signal) };
    const { courses: reachable, leftOut } = await reachableCourses(scope, admin, courseIds, signal);

    const { lookups, found, read } = await findAndRead(
      admin,
      request,
      { emails, reachable },
      { signal, onStep },
    );
    const failed = lookups.flatMap(({ email, result }) => (result === 'failed' ? [email] : []));
    const missing = lookups.flatMap(({ email, result }): { email: string; why: WhyThere | null }[] => {
      if (result === 'not-found') return [{ email, why: null }];
      return typeof result === 'object' && 'why' in result ? [{ email, why: result.why }] : [];
    });
    const worked = read.filter(({ difference }) => difference.leftOut === null);
    const summaries = worked.map(({ course, difference }) =>
      summaryOf(course, request.status, found, difference),
    );
    const { status, role_id: roleId } = request;
    const added = worked.flatMap(({ difference }) => (status === 'active' ? difference.rows : []));
    const addedWith = await addedWithOf(
      services,
      added.map(({ target, people }) => ({
        roleId,
        status: 'active',
        sectionId: target.sectionId,
        people: people.flatMap((at) => found[at] ?? []),
      })),
      {
        admin,
        signal,
        onStep: (done, total) =>
          onStep({ reading: 'observers', done, total, not_found: missing.length, failed: failed.length }),
      },
    );
    const affected = new Set(
      worked.flatMap(({ difference }) => difference.rows.flatMap(({ people }) => people)),
    ).size;
    const unplaced = read.flatMap(({ course, difference }) =>
      difference.leftOut === null ? [] : [{ id: course.id, reason: difference.leftOut }],
    );
    const summary = {
      id,
      created_at: new Date().toISOString(),
      role,
      status: request.status,
      people: {
        asked: emails.length,
        found: found.length,
        affected,
        not_found: missing.map(({ email }) => email),
        there: missing.flatMap(({ email, why }) => (why === null ? [] : [{ email, why }])),
        failed,
      },
      courses: summaries,
      left_out: [...leftOut, ...unplaced],
      removed_with: removedWithOf(
        request.status === 'active'
          ? []
          : worked.flatMap(({ course, difference: { rows, effects } }) =>
              rows.length === 0 ? [] : [{ course: course.name, effects }],
            ),
      ),
      added_with: addedWith,
      totals: totalsOf(summaries),
    };
    // One person may have several enrolments in a course, so removing can need more rows than was asked for.
    requireRows(summary.totals.rows, config.maxEnrollmentRows);
    signal.throwIfAborted();
    const touched = summaries.filter((course) => course.rows > 0).length;
    await storePlan(db, {
      login: admin.login,
      tool: TOOL,
      roleId: role.id,
      status: request.status,
      label: labelOf(request.status, affected, touched, role.label),
      lms,
      summary,
      people: found.map((person): StoredPerson => [person.email, person.name, person.sisUserId, person.id]),
      courses: worked.map(({ course, difference }) => ({
        courseId: course.id,
        sisCourseId: course.sis_course_id,
        rows: difference.unread === null ? difference.rows : difference.rows.map(asUnread),
      })),
    });
    return { ...summary, import_id: null };
  }

  /** Looks people up and reads the courses; again where the courses show that people were remembered by old SIS IDs. */
  async function findAndRead(
    admin: Admin,
    request: PlanRequest,
    asked: { emails: readonly string[]; reachable: readonly PlannableCourse[] },
    { signal, onStep }: PlanProgress,
    isAgain = false,
  ) {
    const lookups = await findPeople(admin, asked.emails, signal, onStep);
    const found = lookups.flatMap(({ email, result }) =>
      typeof result === 'string' || 'why' in result ? [] : [{ email, ...result }],
    );
    const failed = lookups.filter(({ result }) => result === 'failed').length;
    const counts = { not_found: lookups.length - found.length - failed, failed };
    const { length: total } = asked.reachable;
    const shown = new ShownIds();
    const read = await readCourses(admin, request, asked.reachable, found, { signal, shown }, (done) =>
      onStep({ reading: 'places', done, total, ...counts }),
    );
    const byEmail = new Map(found.map((person) => [person.email, person]));
    const lookUp = async (keys: readonly string[]) =>
      (await services.people.byEmail(admin, keys, { signal, fresh: true })).map((one) =>
        typeof one === 'object' && 'sisUserId' in one ? one : one === 'failed' ? one : null,
      );
    if (!isAgain && (await areOutdated(services.people, byEmail, shown, lookUp)))
      return findAndRead(admin, request, asked, { signal, onStep }, true);
    return { lookups, found, read };
  }

  async function findPeople(
    admin: Admin,
    emails: readonly string[],
    signal: AbortSignal,
    onStep: PlanProgress['onStep'],
  ) {
    const state = { done: 0, not_found: 0, failed: 0 };
    const line = () => onStep({ reading: 'people', total: emails.length, ...state });
    line();
    const results = await services.people.byEmail(admin, emails, {
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
    admin: Admin,
    request: PlanRequest,
    courses: readonly PlannableCourse[],
    people: readonly FoundPerson[],
    reading: Omit<Reading, 'admin'>,
    onDone: (done: number) => void,
  ): Promise<{ course: PlannableCourse; difference: ReadDifference }[]> {
    const sisIdOf = new Map(people.map((person) => [person.id, person.sisUserId]));
    let done = 0;
    onDone(done);
    return mapLimited(courses, COURSES_AT_ONCE, async (course) => {
      const difference = await courseDifference(canvas, {
        admin,
        course,
        people,
        sisIdOf,
        roleId: request.role_id,
        status: request.status,
        ...reading,
      });
      onDone(++done);
      return { course, difference };
    });
  }

  async function get(admin: Admin, id: string): Promise<Plan> {
    requireTool(admin, TOOL);
    const plan = await readPlan<Plan>(db, admin.login, TOOL, id, services.identity.known());
    // One that takes an import back is another thing.
    if (!plan || 'undoes' in plan) throw noSuchPlan();
    return plan;
  }

  async function people(admin: Admin, id: string, courseId: number): Promise<PlannedPerson[]> {
    const plan = await get(admin, id);
    const [course, everybody] = await Promise.all([
      readPlanCourse<StoredRows[]>(db, id, courseId),
      readPlanPeople(db, id),
    ]);
    if (!course || !everybody) throw noSuchPlan();
    const sections = new Map<number, string[]>();
    const states = new Map(course.rows.flatMap(({ before = [] }) => before));
    for (const rows of course.rows) {
      for (const index of rows.people ?? everybody.keys()) {
        const names = sections.get(index) ?? [];
        // Rows to add on course level have no section (CE-12).
        if (rows.name !== null && (rows.sis !== '' || plan.status === 'deleted')) names.push(rows.name);
        sections.set(index, names);
      }
    }
    const linked = new Set(plan.courses.find((one) => one.id === courseId)?.linked);
    const [touched, untouched] =
      plan.status === 'active' ? (['add', 'already'] as const) : (['remove', 'not-enrolled'] as const);
    return everybody.map(([email, name, sisUserId], index) => ({
      email,
      name,
      sis_user_id: sisUserId,
      change: sections.has(index) ? touched : linked.has(name) ? 'linked' : untouched,
      ...stateOf(states, index),
      sections: sections.get(index) ?? [],
    }));
  }

  return { check, make, get, people };
}

/** Rows of a course whose enrolments the LMS did not tell. */
function asUnread(rows: ReadDifference['rows'][number]) {
  return { ...rows, unread: true as const };
}

function distinctEmails(emails: readonly string[]): string[] {
  return [...new Map(emails.map((email) => [emailKey(email), email.trim().normalize('NFC')])).values()];
}

function summaryOf(
  course: PlannableCourse,
  status: PlanRequest['status'],
  people: readonly FoundPerson[],
  { rows, untouched, linked = [], unread }: ReadDifference,
): Plan['courses'][number] {
  const adding = status === 'active';
  const [touched, left] = [people.length - untouched.length, untouched.length];
  return {
    id: course.id,
    name: course.name,
    sis_course_id: course.sis_course_id,
    term: course.term?.name ?? null,
    campus: campusOf(course.sis_course_id),
    add: adding ? touched : 0,
    reactivated: adding ? rows.reduce((sum, one) => sum + (one.before?.length ?? 0), 0) : 0,
    beside: rows.reduce((sum, one) => sum + (one.beside ?? 0), 0),
    already: adding ? left : 0,
    remove: adding ? 0 : touched,
    not_enrolled: adding ? 0 : withoutLinked(untouched, linked),
    unrestorable: rows.flatMap(({ target, before = [] }) =>
      before.flatMap(([at, state]) =>
        isRowStatus(state) ? [] : [{ person: people[at]?.name ?? '', section: target.name ?? '', state }],
      ),
    ),
    dates_end: rows.flatMap(({ target, dated: those = [] }) =>
      those.map(([at, dates]) => datedPerson(people[at]?.name, target.name, dates)),
    ),
    linked: linked.map((at) => people[at]?.name ?? ''),
    rows: rows.reduce((total, one) => total + one.people.length, 0),
    sections: rows.flatMap(({ target }) =>
      // Rows to add on course level have no section (CE-12).
      target.name === null || (adding && target.sisSectionId === '')
        ? []
        : [
            {
              id: target.sectionId,
              name: target.name,
              sis_section_id: target.sisSectionId,
              assign: target.assign,
            },
          ],
    ),
    unread,
  };
}

/** `Add 12 people to 3 courses as Student` */
function labelOf(status: PlanRequest['status'], people: number, courses: number, role: string): string {
  const who = people === 1 ? '1 person' : `${people} people`;
  const where = courses === 1 ? '1 course' : `${courses} courses`;
  return status === 'active' ? `Add ${who} to ${where} as ${role}` : `Remove ${who} from ${where} as ${role}`;
}
