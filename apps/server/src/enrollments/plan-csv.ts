/** Makes the CSV of a plan from what still holds: roles, reach, the sections that rows name. Run before each sending. */
import { setImmediate as yieldTurn } from 'node:timers/promises';
import { type EnrollmentBlock, enrollmentCsv } from '@lms-admin/domain/enrollment-csv';
import { shown } from '@lms-admin/domain/sis-rows';
import { mayGiveRole, roleLevelOf } from '../access/rights.ts';
import type { Scope } from '../access/scope.ts';
import type { Admin } from '../auth/admin.ts';
import type { Roles } from '../canvas/resources/roles.ts';
import type { CanvasClient } from '../canvas/types.ts';
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
import { isConcluded, requireRole } from './plan-checks.ts';
import { planBlocks, type StoredCourse, type StoredRows, sectionKey, sentRecord } from './plan-store.ts';
import { type Rechecked, recheckRows } from './recheck-rows.ts';

/** Rows written before other work gets its turn. */
const ROWS_AT_ONCE = 2_000;

/**
 * @param admin with the current rights; `prepared` is told what is done to sections
 * @throws AppError not-allowed; CanvasError when the LMS cannot be asked at the moment
 */
export async function planCsv(
  services: { db: Db; canvas: CanvasClient; scope: Scope; people: People; roles: Roles },
  {
    admin,
    planId,
    signal,
    prepared,
  }: { admin: Admin; planId: string; signal: AbortSignal; prepared: Prepared },
): Promise<PlannedCsv> {
  const { db, canvas, scope, people: lookups } = services;
  const plan = await readPlanHead(db, admin.login, planId, { evenIfOld: true });
  const people = await readPlanPeople(db, planId);
  if (!plan || !people) throw new Error(`plan ${planId} is gone`);
  const planned: StoredCourse[] = [];
  for await (const course of readPlanCourses<StoredRows[]>(db, planId)) planned.push(course);
  const allowed = withinRoles(admin, plan, planned);
  // Before anything is written into a course.
  const reached = await withinReach(scope.afresh(), { admin, plan, courses: allowed.courses, signal });
  const checked = await recheckRows(
    { canvas, people: lookups },
    { admin, plan, people, courses: reached.courses, signal },
  );
  // Before sections are made, so that nothing is made for rows that cannot be compared.
  const along = await companionsSince(services, { admin, plan, people, courses: checked.courses, signal });
  const wanted = checked.courses.flatMap((course) => sectionsToName(course, people));
  const named = await nameSections(canvas, wanted, { token: admin.token, signal, prepared });
  const refound = withoutGone(checked, named.ids);
  const sisIds = people.map(([, , sisUserId]) => sisUserId);
  const blocks = refound.courses.flatMap((course) => planBlocks(plan, course, sisIds, named.ids));
  const notSent = [...allowed.leftOut, ...reached.leftOut, ...named.failures, ...refound.leftOut];
  return {
    rows: blocks.reduce((total, block) => total + block.users.length, 0),
    texts: yieldingToOthers(blocks),
    leftOut: [...checked.skipped, ...along, ...named.kept, ...notSent],
    settled: checked.settled && along.length + notSent.length === 0,
    ...(checked.skipped.length + along.length + named.kept.length > 0
      ? { things: ['person, course or section', 'people, courses or sections'] as const }
      : {}),
    record: await sentRecord(planId, planned, checked.sent, named),
  };
}

interface ReachToCheck {
  admin: Admin;
  plan: StoredPlan;
  courses: readonly StoredCourse[];
  signal: AbortSignal;
}

interface Kept {
  courses: StoredCourse[];
  /** A sentence for each that is left out. */
  leftOut: string[];
}

/** Rows whose role the admin may still give. @throws AppError not-allowed where the plan has one role for all */
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
      (role) => `The rows with role ${role} were skipped: you no longer have access to this role.`,
    ),
  };
}

/**
 * Courses that are in reach now, and still bear the SIS ID by which rows name them. No one is added to a course that was concluded
 * after the review: they could only read it.
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
      const rows = isConcluded(now) ? course.rows.filter((one) => !addsUnseen(plan, one)) : course.rows;
      if (rows.length < course.rows.length)
        leftOut.push(
          `Course ${shown(sisCourseId)} has been concluded since the review: people who are added can only read it. So no one was added to it. Make the course active first if they are to work in it, or review the change again.`,
        );
      return { ...course, rows };
    }
    const why = now
      ? 'it now has another SIS ID.'
      : 'it no longer exists, or you no longer have access to it.';
    leftOut.push(`Course ${shown(sisCourseId)} (${courseId}) was skipped: ${why}`);
    return [];
  });
  return { courses: kept, leftOut };
}

/** Whether rows add people to a course that the review did not show as concluded. */
function addsUnseen(plan: StoredPlan, { status = plan.status ?? undefined, people, concluded }: StoredRows) {
  return status === 'active' && people?.length !== 0 && concluded !== true;
}

/** Rows whose place the LMS did not have when they were compared, and has now, are not sent: who is there, no one has seen. */
function withoutGone({ courses, gone }: Rechecked, named: ReadonlyMap<string, string | null>): Kept {
  const leftOut: string[] = [];
  const kept = courses.map((course) => ({
    ...course,
    rows: course.rows.filter((rows) => {
      if (!gone.has(rows) || rows.people?.length === 0) return true;
      // What is really gone has been named already.
      if (named.get(sectionKey(course.courseId, rows.section)) != null)
        leftOut.push(
          `The rows of course ${shown(course.sisCourseId)}${rows.name === null ? '' : `, section '${rows.name}'`} were skipped: the LMS did not return its enrolments, so nothing could be compared.`,
        );
      return false;
    }),
  }));
  return { courses: kept, leftOut };
}

/** Where rows land; a section without rows is left alone (OP-51). */
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

/** The CSV in pieces, with a pause for other work after each. */
export async function* yieldingToOthers(
  blocks: readonly EnrollmentBlock[],
): AsyncGenerator<string, void, void> {
  for (const text of enrollmentCsv(blocks, ROWS_AT_ONCE)) {
    yield text;
    await yieldTurn();
  }
}
