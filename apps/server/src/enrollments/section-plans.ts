/** Plans of Section Enrollment: for each section its own people, role and action. Nothing is changed here (area SE). */
import type {
  SectionPerson,
  SectionPlan,
  SectionPlanEntry,
  SectionPlanRequest,
} from '@lms-admin/contract/enrollments';
import type { LookedUpPerson } from '@lms-admin/contract/people';
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
import type { Lookup } from '../users/people.ts';
import { type PlannableSection, reachableSections, readAsked } from './asked-sections.ts';
import { type PlanServices, requireRole, requireRows, totalsOf } from './plan-checks.ts';
import type { PlanProgress } from './plan-progress.ts';
import { type PlanToStore, type StoredRows, storePlan } from './plan-store.ts';
import { type AskedPerson, type ReadSectionDifference, sectionDifference } from './section-difference.ts';

export interface SectionPlans {
  /**
   * Works out a plan and stores it for a day.
   * @throws AppError not-allowed (role, tool), bad-request (a section twice), too-many-rows: all before anything is sent
   *   to the LMS; the signal's reason
   */
  make(admin: Admin, request: SectionPlanRequest, id: string, progress: PlanProgress): Promise<SectionPlan>;
  /**
   * What can be said before any work: whether it may be asked for, and what it is called.
   * @throws AppError not-allowed, bad-request (a section twice), too-many-rows
   */
  check(admin: Admin, request: SectionPlanRequest): { label: string };
  /** A plan that this admin made. @throws AppError not-allowed, not-found */
  get(admin: Admin, id: string): Promise<SectionPlan>;
  /** The people found of one section of a plan, in the order they were entered. @throws like `get` */
  people(
    admin: Admin,
    id: string,
    which: { section: number; role?: number | undefined },
  ): Promise<SectionPerson[]>;
}

const TOOL = 'section-enrollment';

/** Sections being read at once; the client decides how many calls of them are in flight. */
const SECTIONS_AT_ONCE = 32;

type Lookups = ReadonlyMap<string, Lookup<LookedUpPerson>>;

/** One section of the plan, worked out. `people` are those found, each once, in the order of entry. */
interface WorkedOut {
  section: PlannableSection;
  people: AskedPerson[];
  difference: ReadSectionDifference;
  entry: SectionPlanEntry;
}

export function createSectionPlans(services: PlanServices): SectionPlans {
  const { canvas, config, labels } = services;
  const { db } = services.db;

  function read(admin: Admin, request: SectionPlanRequest) {
    requireTool(admin, TOOL);
    const asked = readAsked(request);
    const roles = new Set(asked.map((one) => one.roleId));
    for (const role of roles) requireRole(admin, role, 'section');
    requireRows(
      asked.reduce((rows, one) => rows + one.users.length, 0),
      config.maxEnrollmentRows,
    );
    return { asked, roles };
  }

  function check(admin: Admin, request: SectionPlanRequest): { label: string } {
    const { asked } = read(admin, request);
    const people = new Set(asked.flatMap((one) => one.users)).size;
    const sections = new Set(asked.map((one) => one.sectionId)).size;
    return {
      label: `Review: ${counted(people, 'person', 'people')} in ${counted(sections, 'section', 'sections')}`,
    };
  }

  async function make(
    admin: Admin,
    request: SectionPlanRequest,
    id: string,
    { signal, onStep }: PlanProgress,
  ): Promise<SectionPlan> {
    const { asked, roles } = read(admin, request);
    const lms = await services.identity.lastSeen(admin.token);
    const labelOf = new Map<number, string>();
    for (const role of roles) labelOf.set(role, await labels.label(admin, role, signal));
    const { sections, leftOut } = await reachableSections(services, admin, asked, signal);

    const lookups = await findPeople(admin, sections, signal, onStep);
    const counts = countResults(lookups);
    let done = 0;
    const line = () => onStep({ reading: 'places', done, total: sections.length, ...counts });
    line();
    const worked = await mapLimited(sections, SECTIONS_AT_ONCE, async (section): Promise<WorkedOut> => {
      const people = peopleOf(section, lookups);
      const difference = await sectionDifference(canvas, section, people, { admin, signal });
      done++;
      line();
      const role = { id: section.roleId, label: labelOf.get(section.roleId) ?? `Role ${section.roleId}` };
      return { section, people, difference, entry: entryOf(section, role, lookups, people, difference) };
    });

    const entries = worked.map((one) => one.entry);
    const different = new Set(
      [...lookups.values()].flatMap((one) => (typeof one === 'string' ? [] : one.id)),
    );
    const summary = {
      id,
      created_at: new Date().toISOString(),
      entries,
      left_out: leftOut,
      people: { asked: different.size + counts.not_found + counts.failed, found: different.size, ...counts },
      totals: totalsOf(entries),
    };
    requireRows(summary.totals.rows, config.maxEnrollmentRows);
    signal.throwIfAborted();
    const { people, courses } = stored(worked, lookups);
    const label = planLabel(worked);
    await storePlan(db, {
      login: admin.login,
      tool: TOOL,
      roleId: null,
      status: null,
      label,
      lms,
      summary,
      people,
      courses,
    });
    return { ...summary, import_id: null };
  }

  /** Everybody asked for in any of the sections, looked up once. */
  async function findPeople(
    admin: Admin,
    sections: readonly PlannableSection[],
    signal: AbortSignal,
    onStep: PlanProgress['onStep'],
  ): Promise<Lookups> {
    const sisIds = [...new Set(sections.flatMap((section) => section.users))];
    const state = { done: 0, not_found: 0, failed: 0 };
    const line = () => onStep({ reading: 'people', total: sisIds.length, ...state });
    line();
    const results = await services.people.bySisId(admin, sisIds, {
      signal,
      onResult(result) {
        state.done++;
        if (result === 'not-found') state.not_found++;
        if (result === 'failed') state.failed++;
        line();
      },
    });
    return new Map(sisIds.map((sisId, index) => [sisId, results[index] ?? 'failed']));
  }

  async function get(admin: Admin, id: string): Promise<SectionPlan> {
    requireTool(admin, TOOL);
    const plan = await readPlan<SectionPlan>(db, admin.login, TOOL, id, services.identity.known());
    if (!plan) throw noSuchPlan();
    return plan;
  }

  async function people(
    admin: Admin,
    id: string,
    which: { section: number; role?: number | undefined },
  ): Promise<SectionPerson[]> {
    const plan = await get(admin, id);
    const entry = plan.entries.find(
      (one) => one.section.id === which.section && (which.role === undefined || one.role.id === which.role),
    );
    if (!entry) throw noSuchPlan();
    const [course, everybody] = await Promise.all([
      readPlanCourse<StoredRows[]>(db, id, entry.course.id),
      readPlanPeople(db, id),
    ]);
    const rows = course?.rows.find((one) => one.section === entry.section.id && one.role === entry.role.id);
    if (!rows || !everybody) throw noSuchPlan();
    const touched = new Set(rows.people ?? everybody.keys());
    const [change, none] =
      entry.status === 'active' ? (['add', 'already'] as const) : (['remove', 'not-enrolled'] as const);
    return (rows.asked ?? [...touched]).map((index) => {
      const [email, name, sisUserId] = everybody[index] ?? ['', '', ''];
      return { email, name, sis_user_id: sisUserId, change: touched.has(index) ? change : none };
    });
  }

  return { check, make, get, people };
}

/**
 * The people found of a section. Two SIS ids of one person are one person, by the first of them: that is the id that was
 * asked for, whatever id the LMS shows first.
 */
function peopleOf(section: PlannableSection, lookups: Lookups): AskedPerson[] {
  const people = new Map<number, AskedPerson>();
  for (const sisUserId of section.users) {
    const found = lookups.get(sisUserId);
    if (typeof found !== 'object' || people.has(found.id)) continue;
    people.set(found.id, { id: found.id, sisUserId });
  }
  return [...people.values()];
}

function countResults(lookups: Lookups): { not_found: number; failed: number } {
  const results = [...lookups.values()];
  return {
    not_found: results.filter((one) => one === 'not-found').length,
    failed: results.filter((one) => one === 'failed').length,
  };
}

function entryOf(
  section: PlannableSection,
  role: SectionPlanEntry['role'],
  lookups: Lookups,
  people: readonly AskedPerson[],
  { rows, untouched, unread }: ReadSectionDifference,
): SectionPlanEntry {
  const { course, target, status } = section;
  const adding = status === 'active';
  const notFound = section.users.filter((sisId) => lookups.get(sisId) === 'not-found');
  const failed = section.users.filter((sisId) => lookups.get(sisId) === 'failed');
  return {
    course: { id: course.id, name: course.name, sis_course_id: course.sis_course_id },
    section: {
      id: section.sectionId,
      name: target.name ?? '',
      sis_section_id: target.sisSectionId,
      assign: target.assign,
    },
    role,
    status,
    asked: people.length + notFound.length + failed.length,
    found: people.length,
    add: adding ? rows.length : 0,
    already: adding ? untouched.length : 0,
    remove: adding ? 0 : rows.length,
    not_enrolled: adding ? 0 : untouched.length,
    rows: rows.length,
    not_found: notFound,
    failed,
    unread,
  };
}

/** The people of a plan, and for each course its sections with indexes into them. */
function stored(worked: readonly WorkedOut[], lookups: Lookups): Pick<PlanToStore, 'people' | 'courses'> {
  const people: StoredPerson[] = [];
  const indexOf = new Map<string, number>();
  for (const [sisId, found] of lookups) {
    if (typeof found === 'string') continue;
    indexOf.set(sisId, people.push([found.login_id ?? '', found.name, sisId]) - 1);
  }
  const courses = new Map<number, PlanToStore['courses'][number]>();
  for (const { section, people: those, difference } of worked) {
    const { course } = section;
    const kept = courses.get(course.id) ?? {
      courseId: course.id,
      sisCourseId: course.sis_course_id,
      rows: [],
    };
    courses.set(course.id, kept);
    const asked = those.map((person) => indexOf.get(person.sisUserId) ?? -1);
    kept.rows.push({
      target: section.target,
      people: difference.rows.map((at) => asked[at] ?? -1),
      role: section.roleId,
      status: section.status,
      ...(difference.untouched.length > 0 ? { asked } : {}),
    });
  }
  return { people, courses: [...courses.values()] };
}

/** `Enrol 12 people in 3 sections of 2 courses`, of those with rows. */
function planLabel(worked: readonly WorkedOut[]): string {
  const touched = worked.filter((one) => one.difference.rows.length > 0);
  const distinct = (status: 'active' | 'deleted') =>
    new Set(
      touched.flatMap(({ section, people, difference }) =>
        section.status === status ? difference.rows.map((at) => people[at]?.id) : [],
      ),
    ).size;
  const sections = new Set(touched.map((one) => one.section.sectionId)).size;
  const courses = new Set(touched.map((one) => one.section.courseId)).size;
  const [added, removed] = [distinct('active'), distinct('deleted')];
  const where = `${counted(sections, 'section')} of ${counted(courses, 'course')}`;
  if (removed === 0) return `Enrol ${counted(added, 'person', 'people')} in ${where}`;
  if (added === 0) return `Remove ${counted(removed, 'person', 'people')} from ${where}`;
  return `Enrol ${added} and remove ${counted(removed, 'person', 'people')} in ${where}`;
}
