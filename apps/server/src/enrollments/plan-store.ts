/** Stored enrolment plans: each course with its sections, which hold indexes into the people in the plan. */
import type { EnrollmentBlock } from '@lms-admin/domain/enrollment-csv';
import type { PlannedRows } from '@lms-admin/domain/enrollment-plan';
import type { DatedPeople, EnrollmentState, RowStatus } from '@lms-admin/domain/enrollment-states';
import {
  type PlanCourse,
  type PlanToWrite,
  readPlanCourses,
  rewriteRows,
  type StoredPerson,
  type StoredPlan,
  writePlan,
} from '../plans/store.ts';
import type { Db } from '../platform/database.ts';

/** Rows of one section of a planned course. `people` is null for everyone. */
export interface StoredRows {
  section: number | null;
  name: string | null;
  sis: string;
  assign: boolean;
  people: number[] | null;
  /** Set if the plan has no common role for all rows. */
  role?: number;
  status?: RowStatus;
  /** People requested for this section in the order of entry, if not everyone. */
  asked?: number[];
  /** People who are already in the requested state and should stay in it. */
  same?: number[];
  /** People whose state in the review was not the usual one (active for a removal, otherwise not enrolled). */
  before?: [index: number, state: EnrollmentState][];
  /** People whose own dates the rows end, as reviewed, or who get dates from the rows. */
  dated?: DatedPeople;
  dates?: DatedPeople;
  /** People who had their own dates right before the rows were sent. */
  had?: DatedPeople;
  /** For an undo: the state that the import set, and the imports that set it. */
  undoes?: { left: RowStatus; ours: [number: number, ended: number | null][] };
  /** True if the review showed the course as concluded. */
  concluded?: true;
  /** True if the LMS did not return the enrolments, so the rows were not compared with them. */
  unread?: true;
  /**
   * States right before the rows were sent. Missing before that, for `unread` rows, and in plans of earlier versions.
   */
  sent?: SentStates;
  /** True if the LMS put the people into another section. */
  astray?: true;
  /** People whom the LMS did not change, because their SIS ID had been reassigned when it applied the rows. */
  passed?: number[];
  /** Number of the section created on sending. */
  made?: number;
  /** The SIS ID by which the sent rows named the section, if it is not `sis`. */
  as?: string;
}

/** Returns the state shown next to a person in a list, or nothing if it is the usual one. */
export function stateOf(
  before: ReadonlyMap<number, EnrollmentState>,
  index: number,
): { state?: EnrollmentState } {
  const state = before.get(index);
  return state === undefined || state === 'active' || state === 'deleted' ? {} : { state };
}

/** People whose rows were sent, by their state right before sending. */
export type SentStates = Readonly<Record<EnrollmentState, readonly number[]>>;

/** Rows of one section, with their own role and status if the plan has none for all rows. */
export type RowsToStore = PlannedRows &
  Pick<StoredRows, 'role' | 'status' | 'asked' | 'same' | 'dates' | 'undoes' | 'concluded' | 'unread'>;

export type PlanToStore = Omit<PlanToWrite<unknown>, 'people' | 'courses'> & {
  people: StoredPerson[];
  courses: (Omit<PlanCourse<unknown>, 'rows'> & { rows: RowsToStore[] })[];
};

export type StoredCourse = PlanCourse<StoredRows[]>;

/** Stores a plan in one transaction. */
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

/**
 * Records the states right before the rows of a plan were sent, replacing the record of an earlier attempt.
 * @param courses as they were planned
 * @param named by `sectionKey`: section IDs in the rows, numbers of created sections, sections given an ID by others
 * @returns a function that writes the record in the transaction that starts the sending
 */
export async function sentRecord(
  planId: string,
  courses: readonly StoredCourse[],
  sent: ReadonlyMap<StoredRows, { states: SentStates; had: DatedPeople }>,
  named: {
    ids: ReadonlyMap<string, string | null>;
    created: ReadonlyMap<string, number>;
    others: ReadonlySet<string>;
  },
): Promise<(tx: Db) => Promise<void>> {
  const recorded = courses.map(({ courseId, rows }) => ({
    courseId,
    rows: rows.map((planned): StoredRows => {
      const { sent: _earlier, had: _had, as: _named, made: _created, ...one } = planned;
      const key = sectionKey(courseId, one.section);
      const given = named.ids.get(key) ?? null;
      // If rows cannot name the section, or none are left, nothing is sent and the section is unchanged.
      const before = given === null ? undefined : sent.get(planned);
      const as = given ?? one.sis;
      const created = named.created.get(key);
      return {
        ...one,
        ...(before && { sent: before.states }),
        ...(before && before.had.length > 0 && { had: before.had }),
        ...(created === undefined ? {} : { made: created }),
        ...(as === one.sis ? {} : { as }),
        ...(named.others.has(key) ? { assign: false } : {}),
      };
    }),
  }));
  return rewriteRows(planId, recorded);
}

/** Returns all roles in the rows of a plan. */
export async function readPlanRoles(db: Db, plan: StoredPlan): Promise<number[]> {
  if (plan.roleId !== null) return [plan.roleId];
  const roles = new Set<number>();
  for await (const course of readPlanCourses<StoredRows[]>(db, plan.id)) {
    for (const { role } of course.rows) if (role !== undefined) roles.add(role);
  }
  return [...roles];
}

/** Returns the key of a section in a plan: its number, or a section of the course that does not exist yet. */
export function sectionKey(courseId: number, section: number | null): string {
  return `${courseId} ${section ?? 'new'}`;
}

/**
 * Returns the CSV rows of a course. `sections` has the current section IDs; without one, a section is skipped.
 * Additions come first: the LMS ends the group memberships of a person who has no enrolment left in the course, even if
 * a later row adds them to another section.
 */
export function planBlocks(
  plan: StoredPlan,
  course: StoredCourse,
  sisIds: readonly string[],
  sections: ReadonlyMap<string, string | null>,
): EnrollmentBlock[] {
  const isRemoval = (rows: StoredRows) => (rows.status ?? plan.status) === 'deleted';
  const additions = course.rows.filter((rows) => !isRemoval(rows));
  return [...additions, ...course.rows.filter(isRemoval)].flatMap((rows) => {
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
      ...(rows.dates && { dates: new Map(rows.dates.map(([index, own]) => [sisIds[index] ?? '', own])) }),
    };
  });
}

function toStored(rows: RowsToStore, everybody: number): StoredRows {
  const {
    target,
    people,
    role,
    status,
    asked: requested,
    same,
    before,
    dated,
    dates,
    undoes,
    unread,
    concluded,
  } = rows;
  return {
    section: target.sectionId,
    name: target.name,
    sis: target.sisSectionId,
    assign: target.assign,
    people: people.length === everybody && people.every((index, at) => index === at) ? null : people,
    ...(role === undefined ? {} : { role }),
    ...(status === undefined ? {} : { status }),
    ...(requested === undefined ? {} : { asked: requested }),
    ...(same === undefined ? {} : { same }),
    ...(before === undefined || before.length === 0 ? {} : { before }),
    ...(dated === undefined || dated.length === 0 ? {} : { dated }),
    ...(dates === undefined || dates.length === 0 ? {} : { dates }),
    ...(undoes === undefined ? {} : { undoes }),
    ...(concluded ? { concluded } : {}),
    ...(unread ? { unread } : {}),
  };
}
