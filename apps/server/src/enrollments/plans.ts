/** Enrolment plans: people found, current enrolments, and rows to send. Planning changes nothing (area CE). */

import type { Plan, PlannedPerson, PlanRequest, WhyThere } from '@lms-admin/contract/enrollments';
import { COURSE_PLAN } from '@lms-admin/contract/plan-kinds';
import { emailKey } from '@lms-admin/domain/emails';
import { counted } from '@lms-admin/domain/numbers';
import { requireTool } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import { noSuchPlan, readPlan, readPlanCourse, readPlanPeople, type StoredPerson } from '../plans/store.ts';
import { addedWithOf } from './added-with.ts';
import {
  type CoursesRead,
  type EmailLookups,
  type Found,
  findAndReadCourses,
  type WorkedCourse,
} from './course-reading.ts';
import { labelOf, summaryOf } from './course-summary.ts';
import { freeTargets } from './free-ids.ts';
import {
  isConcluded,
  type PlanServices,
  reachableCourses,
  requireRole,
  requireRows,
  totalsOf,
} from './plan-checks.ts';
import type { PlanProgress } from './plan-progress.ts';
import { type StoredRows, stateOf, storePlan } from './plan-store.ts';
import type { Reading } from './read-lms.ts';
import { removedWithOf } from './removed-with.ts';

export interface Plans {
  /**
   * Makes a plan and stores it for a day.
   * @throws AppError not-allowed (role, tool), too-many-rows (before any call to the LMS); the signal's reason
   */
  make(admin: Admin, request: PlanRequest, id: string, progress: PlanProgress): Promise<Plan>;
  /**
   * Checks the request before any work, and returns the plan's label.
   * @throws AppError not-allowed, too-many-rows
   */
  check(admin: Admin, request: PlanRequest): { label: string };
  /** Returns a plan that this admin made. @throws AppError not-allowed, not-found */
  get(admin: Admin, id: string): Promise<Plan>;
  /** Returns the people in one course of a plan, in the order of entry. @throws like `get` */
  people(admin: Admin, id: string, courseId: number): Promise<PlannedPerson[]>;
}

const TOOL = 'course-enrollment';

export function createPlans(services: PlanServices): Plans {
  const { db } = services.db;

  function check(admin: Admin, request: PlanRequest): { label: string } {
    const people = distinctEmails(request.emails).length;
    const chosen = new Set(request.courses).size;
    requireTool(admin, TOOL);
    requireRole(admin, request.role_id, 'course');
    requireRows(people * chosen, services.config.maxEnrollmentRows);
    return {
      label: `Review: ${counted(people, 'person', 'people')} in ${counted(chosen, 'course', 'courses')}`,
    };
  }

  async function get(admin: Admin, id: string): Promise<Plan> {
    requireTool(admin, TOOL);
    const plan = await readPlan<Plan>(db, admin.login, COURSE_PLAN, id, services.identity.known());
    if (!plan) throw noSuchPlan();
    return plan;
  }

  async function people(admin: Admin, id: string, courseId: number): Promise<PlannedPerson[]> {
    const plan = await get(admin, id);
    const [course, everybody] = await Promise.all([
      readPlanCourse<StoredRows[]>(db, id, courseId),
      readPlanPeople(db, id),
    ]);
    if (!course || !everybody) throw noSuchPlan();
    return plannedPeople(plan, courseId, course.rows, everybody);
  }

  async function make(admin: Admin, request: PlanRequest, id: string, progress: PlanProgress): Promise<Plan> {
    check(admin, request);
    return makePlan(services, { admin, request, id }, progress);
  }

  return { check, make, get, people };
}

interface PlanAsking {
  admin: Admin;
  request: PlanRequest;
  id: string;
}

async function makePlan(services: PlanServices, asking: PlanAsking, progress: PlanProgress): Promise<Plan> {
  const { admin, request } = asking;
  const { signal } = progress;
  const emails = distinctEmails(request.emails);
  const lms = await services.identity.lastSeen(admin.token);
  const label = await services.roles.label(admin.token, request.role_id, signal);
  const { courses, leftOut } = await reachableCourses(
    services.scope,
    admin,
    [...new Set(request.courses)],
    signal,
  );
  const read = await findAndReadCourses(services, { admin, request, emails, courses }, progress);
  const placed = read.read.filter(({ difference }) => difference.leftOut === null);
  const worked = await withFreeIds(services, placed, { admin, signal });
  const people = sorted(read.lookups);
  const added_with = await addedWith(services, asking, { worked, found: read.found, people }, progress);
  const summary = {
    ...summaryOfPlan(asking, { id: request.role_id, label }, { ...read, worked, people }),
    left_out: [...leftOut, ...unplaced(read.read)],
    added_with,
    copied: read.copied,
  };
  // A person can have several enrolments in a course, so a removal may need more rows than were requested.
  requireRows(summary.totals.rows, services.config.maxEnrollmentRows);
  signal.throwIfAborted();
  const touched = summary.courses.filter((course) => course.rows > 0).length;
  await storePlan(services.db.db, {
    login: admin.login,
    tool: TOOL,
    kind: COURSE_PLAN,
    roleId: request.role_id,
    status: request.status,
    label: labelOf(request.status, summary.people.affected, touched, label),
    lms,
    summary,
    people: read.found.map(
      ({ email, name, sisUserId, id, copied }): StoredPerson =>
        copied ? [email, name, sisUserId, id, copied] : [email, name, sisUserId, id],
    ),
    courses: worked.map(({ course, difference }) => ({
      courseId: course.id,
      sisCourseId: course.sis_course_id,
      rows: difference.rows.map((rows) => ({
        ...rows,
        ...(difference.unread === null ? {} : { unread: true as const }),
        ...(isConcluded(course) ? { concluded: true as const } : {}),
      })),
    })),
  });
  return { ...summary, import_id: null };
}

/** Returns the courses with the SIS IDs that their sections get on sending. */
async function withFreeIds(
  { canvas }: PlanServices,
  worked: readonly WorkedCourse[],
  reading: Reading,
): Promise<WorkedCourse[]> {
  const planned = worked.flatMap(({ course, difference: { rows } }) =>
    rows.map(({ target }) => ({ courseId: course.id, target })),
  );
  const free = await freeTargets(canvas, planned, reading);
  return worked.map(({ course, difference }) => ({
    course,
    difference: {
      ...difference,
      rows: difference.rows.map((rows) => ({ ...rows, target: free(course.id, rows.target) })),
    },
  }));
}

/** People who cannot get a row. */
interface NotFound {
  failed: string[];
  missing: { email: string; why: WhyThere | null }[];
}

function sorted(lookups: EmailLookups): NotFound {
  return {
    failed: lookups.flatMap(({ email, result }) => (result === 'failed' ? [email] : [])),
    missing: lookups.flatMap(({ email, result }): NotFound['missing'] => {
      if (result === 'not-found') return [{ email, why: null }];
      return typeof result === 'object' && 'why' in result ? [{ email, why: result.why }] : [];
    }),
  };
}

function summaryOfPlan(
  { request, id }: PlanAsking,
  role: Plan['role'],
  {
    lookups,
    found,
    worked,
    people,
  }: Pick<CoursesRead, 'lookups' | 'found'> & {
    worked: readonly WorkedCourse[];
    people: NotFound;
  },
) {
  const { status } = request;
  const courses = worked.map(({ course, difference }) => summaryOf(course, status, found, difference));
  const affected = new Set(
    worked.flatMap(({ difference }) => difference.rows.flatMap((rows) => rows.people)),
  );
  return {
    id,
    created_at: new Date().toISOString(),
    role,
    status,
    people: {
      asked: lookups.length,
      found: found.length,
      affected: affected.size,
      not_found: people.missing.map(({ email }) => email),
      there: people.missing.flatMap(({ email, why }) => (why === null ? [] : [{ email, why }])),
      failed: people.failed,
    },
    courses,
    removed_with: removedWithOf(
      status === 'active'
        ? []
        : worked.flatMap(({ course, difference: { rows, effects } }) =>
            rows.length === 0 ? [] : [{ course: course.name, effects }],
          ),
    ),
    totals: totalsOf(courses),
  };
}

/** Finds observers who are affected when students are added. */
function addedWith(
  services: PlanServices,
  { admin, request }: PlanAsking,
  of: { worked: readonly WorkedCourse[]; found: readonly Found[]; people: NotFound },
  { signal, onStep }: PlanProgress,
) {
  const { status, role_id: roleId } = request;
  const counts = { not_found: of.people.missing.length, failed: of.people.failed.length };
  const added = of.worked.flatMap(({ difference }) => (status === 'active' ? difference.rows : []));
  const rows = added.map(({ target, people }) => ({
    roleId,
    status: 'active' as const,
    sectionId: target.sectionId,
    people: people.flatMap((at) => of.found[at] ?? []),
  }));
  return addedWithOf(services, rows, {
    admin,
    signal,
    onStep: (done, total) => onStep({ reading: 'observers', done, total, ...counts }),
  });
}

function unplaced(read: readonly WorkedCourse[]): Plan['left_out'] {
  return read.flatMap(({ course, difference }) =>
    difference.leftOut === null ? [] : [{ id: course.id, reason: difference.leftOut }],
  );
}

function plannedPeople(
  plan: Plan,
  courseId: number,
  courseRows: readonly StoredRows[],
  everybody: readonly StoredPerson[],
): PlannedPerson[] {
  const sections = new Map<number, string[]>();
  const states = new Map(courseRows.flatMap(({ before = [] }) => before));
  for (const rows of courseRows) {
    for (const index of rows.people ?? everybody.keys()) {
      const names = sections.get(index) ?? [];
      // Rows that add people at course level have no section (CE-12).
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

function distinctEmails(emails: readonly string[]): string[] {
  return [...new Map(emails.map((email) => [emailKey(email), email.trim().normalize('NFC')])).values()];
}
