/** What plans of enrolments keep of each course: its sections, with indexes into the people of the plan. */
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

/** Rows of one section of a planned course. `people` null means everyone. */
export interface StoredRows {
  section: number | null;
  name: string | null;
  sis: string;
  assign: boolean;
  people: number[] | null;
  /** Where the plan has none for all rows. */
  role?: number;
  status?: RowStatus;
  /** Where it is not everybody who was asked for here: who was, in the order of entry. */
  asked?: number[];
  /** Who is as asked for already, and is to stay so. */
  same?: number[];
  /** Who was reviewed in another state than the usual one (active for a removal, else not enrolled). */
  before?: [index: number, state: EnrollmentState][];
  /** Who has dates of their own that the rows end, as reviewed; and who gets such dates from them. */
  dated?: DatedPeople;
  dates?: DatedPeople;
  /** Who had dates of their own right before the rows were sent. */
  had?: DatedPeople;
  /** Of an undo: the state that the import left behind, and the imports whose doing that is. */
  undoes?: { left: RowStatus; ours: [number: number, ended: number | null][] };
  /** True where the review has said that the course is concluded. */
  concluded?: true;
  /** True where the LMS did not return who is there: then the rows are not a difference. */
  unread?: true;
  /** What was there right before the rows were sent; absent before that, for `unread` ones and in plans of earlier versions. */
  sent?: SentStates;
  /** True where the LMS turned out to have put them into another section. */
  astray?: true;
  /** Whom the LMS did not change, since their SIS ID was not theirs any more when it worked on the rows. */
  passed?: number[];
  /** Number of the section that was made on sending. */
  made?: number;
  /** The SIS ID by which the sent rows named the section, where it is not `sis`. */
  as?: string;
}

/** The state that a list shows beside a person; nothing where it is the one that everybody expects. */
export function stateOf(
  before: ReadonlyMap<number, EnrollmentState>,
  index: number,
): { state?: EnrollmentState } {
  const state = before.get(index);
  return state === undefined || state === 'active' || state === 'deleted' ? {} : { state };
}

/** The people whose rows were sent, by the state that they had right before. */
export type SentStates = Readonly<Record<EnrollmentState, readonly number[]>>;

/** Rows of one section, with their own role and status where the plan has none for all. */
export type RowsToStore = PlannedRows &
  Pick<StoredRows, 'role' | 'status' | 'asked' | 'same' | 'dates' | 'undoes' | 'concluded' | 'unread'>;

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

/**
 * Records what was there right before the rows of a plan were sent, in place of what an earlier try recorded.
 * @param courses as they were planned
 * @param named how the rows named each section, the numbers of those that were made, and which others have named, by `sectionKey`
 * @returns what writes it, within the transaction that begins the sending
 */
export async function sentRecord(
  planId: string,
  courses: readonly StoredCourse[],
  sent: ReadonlyMap<StoredRows, { states: SentStates; had: DatedPeople }>,
  named: {
    ids: ReadonlyMap<string, string | null>;
    made: ReadonlyMap<string, number>;
    others: ReadonlySet<string>;
  },
): Promise<(tx: Db) => Promise<void>> {
  const recorded = courses.map(({ courseId, rows }) => ({
    courseId,
    rows: rows.map((planned): StoredRows => {
      const { sent: _earlier, had: _had, as: _named, made: _made, ...one } = planned;
      const key = sectionKey(courseId, one.section);
      const given = named.ids.get(key) ?? null;
      // Where rows cannot name the section, or none are left, nothing is sent, and nothing was done to it.
      const before = given === null ? undefined : sent.get(planned);
      const as = given ?? one.sis;
      const made = named.made.get(key);
      return {
        ...one,
        ...(before && { sent: before.states }),
        ...(before && before.had.length > 0 && { had: before.had }),
        ...(made === undefined ? {} : { made }),
        ...(as === one.sis ? {} : { as }),
        ...(named.others.has(key) ? { assign: false } : {}),
      };
    }),
  }));
  return rewriteRows(planId, recorded);
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
      ...(rows.dates && { dates: new Map(rows.dates.map(([index, own]) => [sisIds[index] ?? '', own])) }),
    };
  });
}

function toStored(rows: RowsToStore, everybody: number): StoredRows {
  const { target, people, role, status, asked, same, before, dated, dates, undoes, unread, concluded } = rows;
  return {
    section: target.sectionId,
    name: target.name,
    sis: target.sisSectionId,
    assign: target.assign,
    people: people.length === everybody && people.every((index, at) => index === at) ? null : people,
    ...(role === undefined ? {} : { role }),
    ...(status === undefined ? {} : { status }),
    ...(asked === undefined ? {} : { asked }),
    ...(same === undefined ? {} : { same }),
    ...(before === undefined || before.length === 0 ? {} : { before }),
    ...(dated === undefined || dated.length === 0 ? {} : { dated }),
    ...(dates === undefined || dates.length === 0 ? {} : { dates }),
    ...(undoes === undefined ? {} : { undoes }),
    ...(concluded ? { concluded } : {}),
    ...(unread ? { unread } : {}),
  };
}
