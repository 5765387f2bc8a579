/**
 * Writes a plan's CSV with the rows that are still valid: roles, scope and sections are checked before each sending.
 */
import { setImmediate as yieldTurn } from 'node:timers/promises';
import { type EnrollmentBlock, enrollmentCsv } from '@lms-admin/domain/enrollment-csv';
import { shown } from '@lms-admin/domain/sis-rows';
import { mayGiveRole, roleLevelOf } from '../access/rights.ts';
import type { Scope } from '../access/scope.ts';
import type { Admin } from '../auth/admin.ts';
import type { Roles } from '../canvas/resources/roles.ts';
import type { CanvasClient } from '../canvas/types.ts';
import type { CopiedPeople } from '../directory/copied-people.ts';
import type { Prepared } from '../imports/prepared.ts';
import type { PlannedCsv } from '../imports/sources.ts';
import {
  readPlanCourses,
  readPlanHead,
  readPlanPeople,
  type StoredPerson,
  type StoredPlan,
} from '../plans/store.ts';
import type { Db } from '../platform/database.ts';
import type { People } from '../users/people.ts';
import { companionsSince } from './companions.ts';
import { nameSections, type SectionToName } from './name-sections.ts';
import { nameOf } from './others-since.ts';
import { requireRole } from './plan-checks.ts';
import { planBlocks, type StoredCourse, type StoredRows, sectionKey, sentRecord } from './plan-store.ts';
import { type Rechecked, recheckRows } from './recheck-rows.ts';

/** Rows written before other work gets a turn. */
const ROWS_AT_ONCE = 2_000;

/**
 * @param admin with the current access; `prepared` is notified of changes to sections
 * @throws AppError not-allowed; CanvasError if the LMS is unavailable
 */
export async function planCsv(
  services: {
    db: Db;
    canvas: CanvasClient;
    scope: Scope;
    people: People;
    copied: CopiedPeople;
    roles: Roles;
  },
  {
    admin,
    planId,
    signal,
    prepared,
  }: { admin: Admin; planId: string; signal: AbortSignal; prepared: Prepared },
): Promise<PlannedCsv> {
  const { db, canvas, scope } = services;
  const plan = await readPlanHead(db, admin.login, planId, { evenIfOld: true });
  const people = await readPlanPeople(db, planId);
  if (!plan || !people) throw new Error(`plan ${planId} no longer exists`);
  const planned: StoredCourse[] = [];
  for await (const course of readPlanCourses<StoredRows[]>(db, planId)) planned.push(course);
  const allowed = withinRoles(admin, plan, planned);
  // Checked before anything is written into a course.
  const reached = await withinReach(scope.withoutCache(), { admin, plan, courses: allowed.courses, signal });
  // Compared before sections are created, so that none is created for rows that cannot be compared.
  const checked = await recheckRows(services, { admin, plan, people, courses: reached.courses, signal });
  const wanted = checked.courses.flatMap((course) => sectionsToName(course, people));
  const named = await nameSections(canvas, wanted, { token: admin.token, signal, prepared });
  const refound = withoutGone(checked, named.ids);
  // A person whose addition is skipped may leave their groups.
  const sent = refound.courses.map((course) => ({
    ...course,
    rows: course.rows.filter(({ section }) => named.ids.get(sectionKey(course.courseId, section)) != null),
  }));
  const along = await companionsSince(services, { admin, plan, people, courses: sent, signal });
  const sisIds = people.map(([, , sisUserId]) => sisUserId);
  const blocks = refound.courses.flatMap((course) => planBlocks(plan, course, sisIds, named.ids));
  const courses = [...allowed.leftOut, ...reached.leftOut];
  const persons = [...checked.skipped, ...along, ...named.kept];
  const sections = [...named.failures, ...refound.leftOut];
  return {
    rows: blocks.reduce((total, block) => total + block.users.length, 0),
    texts: yieldingToOthers(blocks),
    // The note only names the first ones, so sentences about whole courses come first.
    leftOut: [...courses, ...persons, ...sections],
    settled: checked.settled && along.length + courses.length + sections.length === 0,
    nouns: countedOf({ people: persons.length, courses: courses.length + refound.leftOut.length }),
    record: await sentRecord(planId, planned, checked.sent, named),
  };
}

/** Returns the nouns for skipped items, singular and plural. */
function countedOf({ people, courses }: { people: number; courses: number }): readonly [string, string] {
  if (people > 0) return ['person, course or section', 'people, courses or sections'];
  return courses > 0 ? ['course or section', 'courses and sections'] : ['section', 'sections'];
}

interface ReachToCheck {
  admin: Admin;
  plan: StoredPlan;
  courses: readonly StoredCourse[];
  signal: AbortSignal;
}

interface Kept {
  courses: StoredCourse[];
  /** One sentence for each skipped course or role. */
  leftOut: string[];
}

/**
 * Returns the rows whose role the admin can still assign.
 * @throws AppError not-allowed if the plan has one role for all
 */
function withinRoles(admin: Admin, plan: StoredPlan, courses: readonly StoredCourse[]): Kept {
  const level = roleLevelOf(plan.tool);
  if (plan.roleId !== null) requireRole(admin, plan.roleId, level);
  const lost = new Set<number>();
  const may = ({ role }: StoredCourse['rows'][number]) => {
    if (role === undefined || mayGiveRole(admin, role, level)) return true;
    lost.add(role);
    return false;
  };
  const kept = courses.map((course) => ({ ...course, rows: course.rows.filter(may) }));
  return {
    courses: kept,
    leftOut: [...lost].map(
      (role) => `The rows with role ${role} were skipped: you no longer have permission to use this role.`,
    ),
  };
}

/**
 * Returns the courses that are still in scope and keep their SIS ID. No one is added to a course concluded after the
 * review, because people could only read it.
 */
async function withinReach(scope: Scope, { admin, plan, courses, signal }: ReachToCheck): Promise<Kept> {
  const known = await scope.courses(
    admin,
    courses.map(({ courseId }) => courseId),
    signal,
  );
  const leftOut: string[] = [];
  const kept = courses.flatMap((course) => {
    const { courseId, sisCourseId } = course;
    const now = known.get(courseId);
    if (now?.sis_course_id === sisCourseId) {
      // Older reviews did not show courses whose dates had ended, but people knew that in advance.
      const rows =
        now.workflow_state === 'completed'
          ? course.rows.filter((one) => !addsUnseen(plan, one))
          : course.rows;
      if (rows.length === course.rows.length) return course;
      leftOut.push(
        `Course ${shown(sisCourseId)} has been concluded since the review. No one was added, because people could only read it. If they need to work in it, make the course active. Then review the change again.`,
      );
      // Course Enrollment compares a whole course; a course without rows needs no comparison in other plans.
      return plan.roleId === null ? { ...course, rows } : [];
    }
    const why = now
      ? 'it now has a different SIS ID.'
      : 'it no longer exists, or you no longer have access to it.';
    leftOut.push(`Course ${shown(sisCourseId)} (${courseId}) was skipped: ${why}`);
    return [];
  });
  return { courses: kept, leftOut };
}

/** Returns whether rows add people to a course that the review did not show as concluded. */
function addsUnseen(plan: StoredPlan, { status = plan.status ?? undefined, people, concluded }: StoredRows) {
  return status === 'active' && people?.length !== 0 && concluded !== true;
}

/** Removes rows for places that have only appeared since the comparison, because their people were never compared. */
function withoutGone({ courses, gone }: Rechecked, named: ReadonlyMap<string, string | null>): Kept {
  const leftOut: string[] = [];
  const kept = courses.map((course) => ({
    ...course,
    rows: course.rows.filter((rows) => {
      if (!gone.has(rows) || rows.people?.length === 0) return true;
      // Places that really do not exist have already been reported.
      if (named.get(sectionKey(course.courseId, rows.section)) != null)
        leftOut.push(
          `The rows of course ${shown(course.sisCourseId)}${rows.name === null ? '' : `, section '${rows.name}'`} were skipped: the LMS did not return its enrolments, so nothing could be compared.`,
        );
      return false;
    }),
  }));
  return { courses: kept, leftOut };
}

/** Returns the sections that rows apply to. A section without rows is not changed (OP-51). */
export function sectionsToName(
  { courseId, sisCourseId, rows }: Pick<StoredCourse, 'courseId' | 'sisCourseId' | 'rows'>,
  all: readonly StoredPerson[],
): SectionToName[] {
  return rows.flatMap(({ section, name, sis, assign, people }) => {
    if (people?.length === 0) return [];
    const names = () =>
      (people ?? [...all.keys()]).flatMap((index) => {
        const person = all[index];
        return person ? nameOf(person[1], person[2]) : [];
      });
    const place = { courseId, course: sisCourseId, id: section, name: name ?? '' };
    return [{ ...place, sisSectionId: sis, assign, people: names }];
  });
}

/** Yields the CSV in parts, with a pause for other work after each. */
export async function* yieldingToOthers(
  blocks: readonly EnrollmentBlock[],
): AsyncGenerator<string, void, void> {
  for (const text of enrollmentCsv(blocks, ROWS_AT_ONCE)) {
    yield text;
    await yieldTurn();
  }
}
