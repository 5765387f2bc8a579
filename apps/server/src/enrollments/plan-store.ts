/** What plans of enrolments keep of each course: its sections, with indexes into the people of the plan. */
import type { EnrollmentBlock } from '@lms-admin/domain/enrollment-csv';
import type { BeforeState, EnrollmentStatus, PlannedRows } from '@lms-admin/domain/enrollment-plan';
import {
  type PlanCourse,
  type PlanToWrite,
  readPlanCourses,
  type StoredPerson,
  type StoredPlan,
  writePlan,
} from '../imports/plan-store.ts';
import type { Db } from '../platform/database.ts';

/** Rows of one section of a planned course. `people` null stands for everybody. */
export interface StoredRows {
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
  /** Who was in the section in a state other than active, which undoing cannot bring back. */
  before?: [index: number, state: BeforeState][];
  /** True where the LMS did not tell who is there: then the rows are no difference. */
  unread?: true;
}

/** Rows of one section, with their own role and status where the plan has none for all. */
export type RowsToStore = PlannedRows & Pick<StoredRows, 'role' | 'status' | 'asked' | 'unread'>;

export type PlanToStore = Omit<PlanToWrite<unknown>, 'people' | 'courses'> & {
  people: StoredPerson[];
  courses: (Omit<PlanCourse<unknown>, 'rows'> & { rows: RowsToStore[] })[];
};

export type StoredCourse = PlanCourse<StoredRows[]>;

/** Writes a plan, whole or not at all. */
export function storePlan(db: Db, plan: PlanToStore): Promise<void> {
  const everybody = plan.people.length;
  return writePlan(db, {
    ...plan,
    courses: plan.courses.map((course) => ({
      ...course,
      rowCount: course.rows.reduce((total, rows) => total + rows.people.length, 0),
      rows: course.rows.map((rows) => toStored(rows, everybody)),
    })),
  });
}

/** Every role that rows of a plan carry. */
export async function readPlanRoles(db: Db, plan: StoredPlan): Promise<number[]> {
  if (plan.roleId !== null) return [plan.roleId];
  const roles = new Set<number>();
  for await (const course of readPlanCourses<StoredRows[]>(db, plan.id)) {
    for (const { role } of course.rows) if (role !== undefined) roles.add(role);
  }
  return [...roles];
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

function toStored(rows: RowsToStore, everybody: number): StoredRows {
  const { target, people, role, status, asked, before, unread } = rows;
  return {
    section: target.sectionId,
    name: target.name,
    sis: target.sisSectionId,
    assign: target.assign,
    people: people.length === everybody && people.every((index, at) => index === at) ? null : people,
    ...(role === undefined ? {} : { role }),
    ...(status === undefined ? {} : { status }),
    ...(asked === undefined ? {} : { asked }),
    ...(before === undefined || before.length === 0 ? {} : { before }),
    ...(unread ? { unread } : {}),
  };
}
