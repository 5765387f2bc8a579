/** Plans in the database: the review as it travels, the people, and for each course indexes into them. */
import type { ToolId } from '@lms-admin/contract/tools';
import type { EnrollmentBlock } from '@lms-admin/domain/enrollment-csv';
import type { EnrollmentStatus, PlannedRows } from '@lms-admin/domain/enrollment-plan';
import { and, asc, eq, gt } from 'drizzle-orm';
import { sameLms } from '../canvas/identity.ts';
import type { Db } from '../platform/database.ts';
import { pack, unpack } from '../platform/packed.ts';
import { imports, planCourses, plans } from '../platform/schema.ts';

/** Milliseconds that a plan is kept. */
const KEPT_MS = 86_400_000;
/** Courses written in one statement. */
const COURSES_AT_ONCE = 100;

/** Tools that make plans. */
export const PLAN_TOOLS = ['course-enrollment', 'section-enrollment'] as const satisfies ToolId[];

/** E-mail as it was typed, name, SIS id. */
export type StoredPerson = [email: string, name: string, sisUserId: string];

/** Rows of one section of a planned course. `people` null stands for everybody. */
interface StoredRows {
  section: number | null;
  name: string | null;
  sis: string;
  assign: boolean;
  people: number[] | null;
  /** Where the plan has none for all rows. */
  role?: number;
  status?: EnrollmentStatus;
  /** Where it is not everybody who was asked for here: who was, in the order of entry. */
  asked?: number[];
}

/** Rows of one section, with their own role and status where the plan has none for all. */
export type RowsToStore = PlannedRows & Pick<StoredRows, 'role' | 'status' | 'asked'>;

export interface PlanToStore {
  login: string;
  tool: StoredPlan['tool'];
  label: string;
  /** Which LMS it was worked out for. */
  lms: string;
  /** Null where each group of rows has its own. */
  roleId: number | null;
  status: EnrollmentStatus | null;
  /** The review as it travels, without `import_id`. */
  summary: { id: string; totals: { rows: number } };
  people: StoredPerson[];
  courses: { courseId: number; sisCourseId: string; rows: RowsToStore[] }[];
}

export interface StoredPlan {
  id: string;
  tool: (typeof PLAN_TOOLS)[number];
  label: string;
  /** Role and status of all rows; null where each group of rows has its own. */
  roleId: number | null;
  status: EnrollmentStatus | null;
  rows: number;
  lms: string;
}

export interface StoredCourse {
  courseId: number;
  sisCourseId: string;
  rows: StoredRows[];
}

/** Writes a plan, whole or not at all. */
export async function storePlan(db: Db, plan: PlanToStore): Promise<void> {
  const { summary } = plan;
  const row = {
    id: summary.id,
    login: plan.login,
    tool: plan.tool,
    roleId: plan.roleId,
    status: plan.status,
    rows: summary.totals.rows,
    label: plan.label,
    lms: plan.lms,
    summary: await pack(summary),
    people: await pack(plan.people),
    expiresAt: new Date(Date.now() + KEPT_MS),
  };
  const everybody = plan.people.length;
  const courses = await Promise.all(
    plan.courses.map(async (course, position) => ({
      planId: summary.id,
      courseId: course.courseId,
      position,
      sisCourseId: course.sisCourseId,
      rowCount: course.rows.reduce((total, rows) => total + rows.people.length, 0),
      rows: await pack(course.rows.map((rows) => toStored(rows, everybody))),
    })),
  );
  await db.transaction(async (tx) => {
    const made = await tx.insert(plans).values(row).onConflictDoNothing().returning({ id: plans.id });
    // A try before has stored it.
    if (made.length === 0) return;
    for (let at = 0; at < courses.length; at += COURSES_AT_ONCE) {
      await tx.insert(planCourses).values(courses.slice(at, at + COURSES_AT_ONCE));
    }
  });
}

/** The review of a plan that this person made and that is not forgotten yet; null otherwise. */
export async function readPlan<T extends { import_id: string | null }>(
  db: Db,
  login: string,
  tool: StoredPlan['tool'],
  id: string,
  lmsOfNow: string,
): Promise<T | null> {
  const [row] = await db
    .select({ summary: plans.summary, lms: plans.lms, importId: imports.id })
    .from(plans)
    .leftJoin(imports, eq(imports.planId, plans.id))
    .where(and(ownPlan(login, id), eq(plans.tool, tool)));
  // The courses of another LMS are others, whatever their numbers.
  if (!row || !sameLms(row.lms, lmsOfNow)) return null;
  return { ...(await unpack<Omit<T, 'import_id'>>(row.summary)), import_id: row.importId } as T;
}

/** Every role that rows of a plan carry. */
export async function readPlanRoles(db: Db, plan: StoredPlan): Promise<number[]> {
  if (plan.roleId !== null) return [plan.roleId];
  const roles = new Set<number>();
  for await (const course of readPlanCourses(db, plan.id)) {
    for (const { role } of course.rows) if (role !== undefined) roles.add(role);
  }
  return [...roles];
}

/** What submitting needs to know of a plan, its rows apart. Once submitted, a plan may be read beyond its day. */
export async function readPlanHead(
  db: Db,
  login: string,
  id: string,
  { evenIfOld = false } = {},
): Promise<StoredPlan | null> {
  const [row] = await db
    .select({
      id: plans.id,
      tool: plans.tool,
      label: plans.label,
      roleId: plans.roleId,
      status: plans.status,
      rows: plans.rows,
      lms: plans.lms,
    })
    .from(plans)
    .where(evenIfOld ? and(eq(plans.id, id), eq(plans.login, login)) : ownPlan(login, id));
  return row ?? null;
}

/** Canvas ids of the courses that have rows. */
export async function readPlanCourseIds(db: Db, planId: string): Promise<number[]> {
  const rows = await db
    .select({ courseId: planCourses.courseId })
    .from(planCourses)
    .where(and(eq(planCourses.planId, planId), gt(planCourses.rowCount, 0)));
  return rows.map((row) => row.courseId);
}

export async function readPlanPeople(db: Db, planId: string): Promise<StoredPerson[] | null> {
  const [row] = await db.select({ people: plans.people }).from(plans).where(eq(plans.id, planId));
  return row ? unpack<StoredPerson[]>(row.people) : null;
}

/** One course of a plan; null when the plan does not have it. */
export async function readPlanCourse(db: Db, planId: string, courseId: number): Promise<StoredCourse | null> {
  const [row] = await db
    .select({
      courseId: planCourses.courseId,
      sisCourseId: planCourses.sisCourseId,
      rows: planCourses.rows,
    })
    .from(planCourses)
    .where(and(eq(planCourses.planId, planId), eq(planCourses.courseId, courseId)));
  return row ? { ...row, rows: await unpack<StoredRows[]>(row.rows) } : null;
}

/** The courses of a plan that have rows, in their order, read a few at a time. */
export async function* readPlanCourses(db: Db, planId: string): AsyncGenerator<StoredCourse, void, void> {
  let position = -1;
  for (;;) {
    const rows = await db
      .select({
        courseId: planCourses.courseId,
        sisCourseId: planCourses.sisCourseId,
        rows: planCourses.rows,
        position: planCourses.position,
      })
      .from(planCourses)
      .where(
        and(eq(planCourses.planId, planId), gt(planCourses.position, position), gt(planCourses.rowCount, 0)),
      )
      .orderBy(asc(planCourses.position))
      .limit(50);
    for (const row of rows) yield { ...row, rows: await unpack<StoredRows[]>(row.rows) };
    const last = rows.at(-1);
    if (!last) return;
    position = last.position;
  }
}

/** Which section of a plan: its number, or that it is yet to be made in its course. */
export function sectionKey(courseId: number, section: number | null): string {
  return `${courseId} ${section ?? 'new'}`;
}

/** The CSV rows of a course. `sections` tells how rows name each section now; one that they cannot name is left out. */
export function planBlocks(
  plan: StoredPlan,
  course: StoredCourse,
  sisIds: readonly string[],
  sections: ReadonlyMap<string, string | null>,
): EnrollmentBlock[] {
  return course.rows.flatMap((rows) => {
    const given = sections.get(sectionKey(course.courseId, rows.section)) ?? null;
    const roleId = rows.role ?? plan.roleId;
    const status = rows.status ?? plan.status;
    if (roleId === null || status === null)
      throw new Error(`plan ${plan.id} has rows without role or status`);
    if (given === null || rows.people?.length === 0) return [];
    return {
      sisCourseId: course.sisCourseId,
      sisSectionId: given,
      roleId,
      status,
      users: rows.people === null ? sisIds : rows.people.map((index) => sisIds[index] ?? ''),
    };
  });
}

function ownPlan(login: string, id: string) {
  return and(eq(plans.id, id), eq(plans.login, login), gt(plans.expiresAt, new Date()));
}

function toStored({ target, people, role, status, asked }: RowsToStore, everybody: number): StoredRows {
  return {
    section: target.sectionId,
    name: target.name,
    sis: target.sisSectionId,
    assign: target.assign,
    people: people.length === everybody && people.every((index, at) => index === at) ? null : people,
    ...(role === undefined ? {} : { role }),
    ...(status === undefined ? {} : { status }),
    ...(asked === undefined ? {} : { asked }),
  };
}
