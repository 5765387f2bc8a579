/** Plans in the database: the review as sent to the browser, the people, and the tool's data for each course. */
import { isUndoable, type PlanKind, type PlanTool } from '@lms-admin/contract/plan-kinds';
import type { EnrollmentStatus } from '@lms-admin/domain/enrollment-plan';
import { and, asc, eq, gt } from 'drizzle-orm';
import { sameLms } from '../canvas/identity.ts';
import type { Db } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { pack, unpack } from '../platform/packed.ts';
import { imports, planCourses, plans } from '../platform/schema.ts';

/** Milliseconds for which a plan is kept. */
const KEPT_MS = 86_400_000;
/** Courses written in one statement. */
const COURSES_AT_ONCE = 100;

/**
 * Email as typed, name, SIS ID, and the id in the LMS, which plans of earlier versions lack. `copied` if they are from
 * the directory's copy, and have to be looked up in the LMS before sending.
 */
export type StoredPerson = [email: string, name: string, sisUserId: string, id?: number, copied?: true];

/** A plan to store. `R` is the data kept for each course. */
export interface PlanToWrite<R> {
  login: string;
  tool: PlanTool;
  kind: PlanKind;
  label: string;
  /** The LMS that the plan was made for. */
  lms: string;
  /** Null if each group of rows has its own role, or none. */
  roleId: number | null;
  status: EnrollmentStatus | null;
  /** Whether the plan's import can be undone; by default, its tool decides. */
  undoable?: boolean;
  /** The review as sent to the browser, without `import_id`. */
  summary: { id: string; totals: { rows: number } };
  people: readonly StoredPerson[];
  courses: readonly (PlanCourse<R> & {
    /** Number of CSV rows of the course. */
    rowCount: number;
  })[];
}

export interface StoredPlan {
  id: string;
  tool: PlanTool;
  kind: PlanKind | '';
  label: string;
  /** Role and status of all rows; null if each group of rows has its own. */
  roleId: number | null;
  status: EnrollmentStatus | null;
  rows: number;
  lms: string;
}

export interface PlanCourse<R> {
  courseId: number;
  sisCourseId: string;
  rows: R;
}

/** Stores a plan, completely or not at all. */
export async function writePlan<R>(db: Db, plan: PlanToWrite<R>): Promise<void> {
  const { summary } = plan;
  const row = {
    id: summary.id,
    login: plan.login,
    tool: plan.tool,
    kind: plan.kind,
    roleId: plan.roleId,
    status: plan.status,
    rows: summary.totals.rows,
    label: plan.label,
    lms: plan.lms,
    undoable: plan.undoable ?? isUndoable(plan.tool),
    summary: await pack(summary),
    people: await pack(plan.people),
    expiresAt: new Date(Date.now() + KEPT_MS),
  };
  const courses = await Promise.all(
    plan.courses.map(async ({ rows, ...course }, position) => ({
      planId: summary.id,
      position,
      ...course,
      rows: await pack(rows),
    })),
  );
  await db.transaction(async (tx) => {
    const inserted = await tx.insert(plans).values(row).onConflictDoNothing().returning({ id: plans.id });
    // An earlier attempt has stored it.
    if (inserted.length === 0) return;
    for (let at = 0; at < courses.length; at += COURSES_AT_ONCE) {
      await tx.insert(planCourses).values(courses.slice(at, at + COURSES_AT_ONCE));
    }
  });
}

/** Reads the review of this person's plan of a kind; null if there is none, or if it was removed already. */
export async function readPlan<T extends { import_id: string | null }>(
  db: Db,
  login: string,
  kind: StoredPlan['kind'],
  id: string,
  lmsOfNow: string,
): Promise<T | null> {
  const [row] = await db
    .select({ summary: plans.summary, lms: plans.lms, importId: imports.id })
    .from(plans)
    .leftJoin(imports, eq(imports.planId, plans.id))
    .where(and(ownPlan(login, id), eq(plans.kind, kind)));
  // The courses of another LMS are different ones, even with the same numbers.
  if (!row || !sameLms(row.lms, lmsOfNow)) return null;
  return { ...(await unpack<Omit<T, 'import_id'>>(row.summary)), import_id: row.importId } as T;
}

/** Reads role and status of all rows of a plan. */
export async function readPlanChange(
  db: Db,
  id: string,
): Promise<Pick<StoredPlan, 'roleId' | 'status'> | null> {
  const { roleId, status } = plans;
  const [row] = await db.select({ roleId, status }).from(plans).where(eq(plans.id, id));
  return row ?? null;
}

/** Reads the plan for submission, without its rows. A submitted plan can be read even after its day is over. */
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
      kind: plans.kind,
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

/** Reads the SIS IDs of the courses with rows. */
export async function readPlanPlaces(db: Db, planId: string): Promise<string[]> {
  const rows = await db
    .select({ sisCourseId: planCourses.sisCourseId })
    .from(planCourses)
    .where(and(eq(planCourses.planId, planId), gt(planCourses.rowCount, 0)));
  return rows.map((row) => row.sisCourseId);
}

/** Reads the Canvas ids of the courses with rows. */
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

/** Reads one course of a plan; null if it is not in the plan. */
export async function readPlanCourse<R>(
  db: Db,
  planId: string,
  courseId: number,
): Promise<PlanCourse<R> | null> {
  const [row] = await db
    .select({
      courseId: planCourses.courseId,
      sisCourseId: planCourses.sisCourseId,
      rows: planCourses.rows,
    })
    .from(planCourses)
    .where(and(eq(planCourses.planId, planId), eq(planCourses.courseId, courseId)));
  return row ? { ...row, rows: await unpack<R>(row.rows) } : null;
}

/** Reads the courses with rows in order, a few at a time. */
export async function* readPlanCourses<R>(db: Db, planId: string): AsyncGenerator<PlanCourse<R>, void, void> {
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
    for (const row of rows) yield { ...row, rows: await unpack<R>(row.rows) };
    const last = rows.at(-1);
    if (!last) return;
    position = last.position;
  }
}

/**
 * Packs new rows for some courses of a plan.
 * @returns a function that writes them within a transaction
 */
export async function rewriteRows<R>(
  planId: string,
  courses: readonly Pick<PlanCourse<R>, 'courseId' | 'rows'>[],
): Promise<(tx: Db) => Promise<void>> {
  const packed = await Promise.all(
    courses.map(async ({ courseId, rows }) => ({ courseId, rows: await pack(rows) })),
  );
  return async (tx) => {
    for (const { courseId, rows } of packed) {
      await tx
        .update(planCourses)
        .set({ rows })
        .where(and(eq(planCourses.planId, planId), eq(planCourses.courseId, courseId)));
    }
  };
}

/** Finds the tool of this person's plan that can still be submitted; null if there is none. */
export async function toolOfPlan(db: Db, login: string, id: string): Promise<PlanTool | null> {
  const [row] = await db.select({ tool: plans.tool }).from(plans).where(ownPlan(login, id));
  return row?.tool ?? null;
}

/** Returns the error for a plan that does not exist or belongs to another person. */
export function noSuchPlan(): AppError {
  return new AppError('not-found', {
    message: 'The review was not found.',
    next: 'Review again. Reviews are kept for a day.',
  });
}

function ownPlan(login: string, id: string) {
  return and(eq(plans.id, id), eq(plans.login, login), gt(plans.expiresAt, new Date()));
}
